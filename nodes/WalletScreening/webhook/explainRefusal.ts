import { cut, toLogText } from '../shared/text';
import { resolveScheme, type SignatureSettings } from './scheme';
import type { SignatureInput, SignatureProblem } from './signature';
import { parseTime, readSentValues } from './signedText';
import { isSearchable } from './suggestion';

/** A delivery, and the settings of the node that it does not fit. */
export interface UnmatchedDelivery {
	input: SignatureInput;
	settings: SignatureSettings;
}

/** Why a delivery is refused. */
export type RefusalReason = SignatureProblem | 'withoutBody';

const problems: Record<RefusalReason, string> = {
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
 * Explains why a delivery is refused, and what to do if it fits no other settings. Without
 * `unmatched`, no other settings can be the cure.
 */
export function explainRefusal(
	reason: RefusalReason,
	isInEditor: boolean,
	unmatched?: UnmatchedDelivery,
): { problem: string; advice: string[] } {
	const time = reason === 'malformed' && unmatched && findUnreadableTime(unmatched);
	if (time) return { problem: `the time '${time}' is in no known form`, advice: [timeAdvice] };
	return { problem: problems[reason], advice: adviseWithoutSuggestion(isInEditor, unmatched) };
}

/** In characters. The longest time that the node can read has 35. */
const maxTimeLength = 40;

/** Finds the time of a delivery, made safe for a log, if the node cannot read it. */
function findUnreadableTime({ input, settings }: UnmatchedDelivery): string | undefined {
	const scheme = resolveScheme(settings, input.headers);
	const { timestamp } = readSentValues(input.headers, scheme);
	const isUnreadable = timestamp !== undefined && Number.isNaN(parseTime(timestamp));
	return isUnreadable ? toLogText(cut(timestamp, maxTimeLength)) : undefined;
}

function adviseWithoutSuggestion(isInEditor: boolean, unmatched?: UnmatchedDelivery): string[] {
	if (!unmatched) return [];
	if (!isSearchable(unmatched.input)) return [sizeAdvice];
	return isInEditor ? [secretAdvice, urlAdvice] : [secretAdvice];
}
