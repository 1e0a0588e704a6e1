import { isUnderway } from './report';
import { is, isBadWord, isFalse, isText, isTrue, isWord, longestName, wordsOf } from './spellings';
import { type Layer, speaksOfJob } from './survey';

/** How far a job is. */
export interface State {
	state: 'running' | 'complete' | 'failed';
	/**
	 * Whether the body says its state. Without it a job is `running` and may have reports all the same; `complete` where the
	 * request is said to be a success and every result is a report.
	 */
	isStated: boolean;
}

const byWeight = ['running', 'failed', 'complete'] as const;

/**
 * How far a job is; of what a body says, anything unfinished wins. A state around another one may be that of the request,
 * so it counts only where it is known to be unfinished or failed.
 */
export function stateOf(layers: Layer[], hasResults: boolean): State {
	for (const saidBy of [statesOf, hintsOf]) {
		const said = layers.flatMap((layer) => saidBy(layer, hasResults));
		const state = byWeight.find((one) => said.includes(one));
		if (state) return { state, isStated: true };
	}
	return { state: 'running', isStated: false };
}

/** What the states and the switches of a layer say of the job. */
function statesOf(layer: Layer, hasResults: boolean): Array<State['state']> {
	const { fields, isUnscreened } = layer;
	if (isUnscreened || !speaksOfJob(layer)) return [];
	return Object.entries(fields).flatMap(([name, value]): Array<State['state']> => {
		if (is(name, 'state')) {
			return wordsOf(value).flatMap((word) => stateIn(word, layer, hasResults) ?? []);
		}
		if (is(name, 'failing') && isTrue(value)) return ['failed'];
		if (is(name, 'running') && isTrue(value)) return ['running'];
		if (is(name, 'good') && isFalse(value)) return ['running'];
		return is(name, 'done') && isTrue(value) ? ['complete'] : [];
	});
}

function stateIn(word: string, layer: Layer, hasResults: boolean): State['state'] | undefined {
	if (isWord(word, 'failed')) return 'failed';
	if (isWord(word, 'unfinished')) return 'running';
	if (!layer.isJob || layer.isOuter) return undefined;
	if (isSuccess(word) && !layer.isWrapper) return hasResults ? 'complete' : 'running';
	if (isWord(word, 'fine')) return undefined;
	return isWord(word, 'complete') || isWord(word, 'withErrors') ? 'complete' : 'running';
}

/** The word for a request that went well, and for a job that is complete. */
const isSuccess = (word: string) => isWord(word, 'complete') && isWord(word, 'fine');

/** Whether a success that may be that of the request lies around the job. */
export const saysRequestWentWell = (layers: Layer[]) =>
	layers.some(
		({ fields, isWrapper }) =>
			isWrapper &&
			Object.entries(fields).some(
				([name, value]) => is(name, 'state') && wordsOf(value).some(isSuccess),
			),
	);

/** Whether an event, such as `bulk.partially_completed`, says that a job is complete without all reports. */
export const isEventWithErrors = (event: unknown) =>
	isText(event) &&
	[event, ...event.slice(0, longestName).split(/[.:/]/)].some((part) => isWord(part, 'withErrors'));

/** What else may say how far a job is, where nothing says it outright. */
function hintsOf({ fields, isJob, isUnscreened }: Layer): Array<State['state']> {
	if (isUnscreened) return [];
	return Object.entries(fields).flatMap(([name, value]): Array<State['state']> => {
		if (is(name, 'event') && isText(value)) {
			if (isEventWithErrors(value)) return ['complete'];
			const parts = value
				.slice(0, longestName)
				.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
				.split(/[^\p{L}]/u);
			return parts.flatMap((part) => {
				if (isWord(part, 'unfinished')) return 'running';
				if (isWord(part, 'failed')) return 'failed';
				return isWord(part, 'complete') ? 'complete' : [];
			});
		}
		if (is(name, 'anyState') && isText(value)) return isBadWord(value) ? ['running'] : [];
		const unfinished =
			(is(name, 'doneAt') && value === null) || (is(name, 'progress') && isUnderway(value));
		return isJob && unfinished ? ['running'] : [];
	});
}
