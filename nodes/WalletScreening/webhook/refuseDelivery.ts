import type { IWebhookFunctions } from 'n8n-workflow';
import { createDeliveryErrorItem } from '../execution/errorItems';
import { setBounded } from '../shared/maps';
import { cut, toLogText } from '../shared/text';
import { minute } from '../shared/time';
import { isTest, workflowIdOf } from '../transport/context';
import { logWarning, type Reply } from './reply';
import { resolveScheme, type SignatureSettings } from './scheme';
import type { RefusalReason, SignatureInput } from './signature';
import { parseTime, readSentValues } from './signedText';
import { createSuggestionError, isSearchable } from './suggestion';

/** A refused delivery, for the search of settings that it fits. */
interface RefusedDelivery {
	input: SignatureInput;
	settings: SignatureSettings;
}

/**
 * Has the sender deliver again what could not be verified, and logs the problem, once a minute for
 * each node.
 */
export function answerUnavailable(context: IWebhookFunctions, problem: string): Reply {
	if (isWarningDue(`${nodeKey(context)} unverified`)) {
		logWarning(context, 'Could not verify a delivery', toLogText(problem));
	}
	return { answer: { status: 503, text: 'unavailable' } };
}

/** Why a delivery is refused. To the sender, one without a body is `malformed`, too. */
type Refusal = RefusalReason | 'withoutBody';

const refusalTexts: Record<Refusal, string> = {
	missing: 'the signature, time or ID is not in the headers that the settings name',
	malformed: 'the signature, time or ID is not in the form of the signature scheme',
	mismatch: 'it is signed with another secret or in another scheme, or was changed on the way',
	withoutBody: 'n8n gave the node no body',
	stale: "it was signed at a time beyond 'Tolerance (Seconds)' from the clock of this n8n",
};

const timeAdvice = 'The node reads Unix time, ISO 8601 with its zone, and dates of HTTP.';
const secretAdvice =
	"No other settings were found that fit it. Check 'Webhook Secret' in the credential, and ask the vendor what its service signs.";
const urlAdvice = 'A service that signs the URL has to deliver to the Production URL.';
const sizeAdvice =
	'It is too long to search for matching settings: let the service deliver the results of a smaller job.';

/**
 * Refuses a delivery. While the editor listens, it shows the settings that fit. In production,
 * n8n's log names them, once a minute.
 */
export function refuseDelivery(
	context: IWebhookFunctions,
	refusal: Refusal,
	toSearch?: RefusedDelivery,
): Reply {
	const reason = refusal === 'withoutBody' ? 'malformed' : refusal;
	const answer: Reply['answer'] = { status: 401, text: reason };
	// Only a delivery that was signed once can be stale. So it has a line of its own, which a stranger
	// cannot keep out of the log with deliveries that were never signed.
	const subject = reason === 'stale' ? 'stale' : 'unsigned';
	if (!isTest(context) && !isWarningDue(`${nodeKey(context)} ${subject}`)) return { answer };
	const suggestion = toSearch && createSuggestionError(toSearch.input, toSearch.settings);
	if (suggestion && isTest(context)) {
		return { answer, items: [createDeliveryErrorItem(context, suggestion)] };
	}
	const { problem, advice } = explainRefusal(context, refusal, toSearch);
	const sentences = [`${reason}: ${problem}.`, ...(suggestion ? [suggestion.description] : advice)];
	logWarning(context, 'Refused a delivery', sentences.join(' '));
	return { answer };
}

/** Says why a delivery is refused, and what to do if it fits no other settings. */
function explainRefusal(
	context: IWebhookFunctions,
	refusal: Refusal,
	toSearch?: RefusedDelivery,
): { problem: string; advice: string[] } {
	const time = refusal === 'malformed' && toSearch && findUnreadableTime(toSearch);
	if (time) return { problem: `the time '${time}' is in no known form`, advice: [timeAdvice] };
	return { problem: refusalTexts[refusal], advice: adviseWithoutSuggestion(context, toSearch) };
}

/** Characters. The longest time that the node knows has 35. */
const maxTimeLength = 40;

/** Finds the time of a delivery, made safe for a log, if it is in no form that the node knows. */
function findUnreadableTime({ input, settings }: RefusedDelivery): string | undefined {
	const scheme = resolveScheme(settings, input.headers);
	const { timestamp } = readSentValues(input.headers, scheme);
	const isUnreadable = timestamp !== undefined && Number.isNaN(parseTime(timestamp));
	return isUnreadable ? toLogText(cut(timestamp, maxTimeLength)) : undefined;
}

function adviseWithoutSuggestion(context: IWebhookFunctions, toSearch?: RefusedDelivery): string[] {
	if (!toSearch) return [];
	if (!isSearchable(toSearch.input)) return [sizeAdvice];
	return isTest(context) ? [secretAdvice, urlAdvice] : [secretAdvice];
}

const maxSubjects = 400;

/** The time of the last line on each subject, in milliseconds of the process. */
const lastWarnings = new Map<string, number>();

/**
 * Whether a line on this subject is due: there is one a minute, so that strangers cannot fill the
 * log.
 */
function isWarningDue(subject: string): boolean {
	const now = performance.now();
	if (now - (lastWarnings.get(subject) ?? -Infinity) < minute) return false;
	setBounded(lastWarnings, subject, now, maxSubjects);
	return true;
}

/** The key of the node in this process. */
const nodeKey = (context: IWebhookFunctions) => `${workflowIdOf(context)} ${context.getNode().id}`;
