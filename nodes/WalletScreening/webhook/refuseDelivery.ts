import type { IWebhookFunctions } from 'n8n-workflow';
import { createDeliveryErrorItem } from '../execution/errorItems';
import { isTest } from '../transport/context';
import { explainRefusal, type RefusalReason, type UnmatchedDelivery } from './explainRefusal';
import { isLineDue, logWarning } from './log';
import { createReply, type Reply } from './reply';
import { createSuggestionError } from './suggestion';

/**
 * Refuses a delivery with status 401 and one word. While the editor listens, it shows the settings
 * that the `unmatched` delivery fits, if there are any. Else n8n's log names them, or says what is
 * wrong; in production once a minute.
 */
export function refuseDelivery(
	context: IWebhookFunctions,
	reason: RefusalReason,
	unmatched?: UnmatchedDelivery,
): Reply {
	const word = reason === 'withoutBody' ? 'malformed' : reason;
	const reply = createReply(401, word);
	const isInEditor = isTest(context);
	// Only a delivery that was signed once can be stale. So it has a line of its own, which a stranger
	// cannot keep out of the log with deliveries that were never signed.
	const topic = reason === 'stale' ? 'stale' : 'unsigned';
	// The search for a suggestion takes some tenths of a second, so the limit is also on that.
	if (!isInEditor && !isLineDue(context, topic)) return reply;
	const suggestion = unmatched && createSuggestionError(unmatched.input, unmatched.settings);
	if (suggestion && isInEditor) {
		return { ...reply, items: [createDeliveryErrorItem(context, suggestion)] };
	}
	const { problem, advice } = explainRefusal(reason, isInEditor, unmatched);
	const sentences = [`${word}: ${problem}.`, ...(suggestion ? [suggestion.description] : advice)];
	logWarning(context, 'Refused a delivery', sentences.join(' '));
	return reply;
}
