import { inParagraphs } from '../alert/text';
import type { Entry, Message } from './message';
import { fitting, grouped, unlisted } from './listing';

/** What messengers take, with room for the rest of the message. */
const longest = 36_000;

/** Plain text, in which each value stays on its line. */
export function textOf(message: Message): string {
	const { title, note, figures, entries, total } = message;
	const listed = fitting(entries, longest, (entry) => linesOf(entry).join('\n').length + 40);
	const paragraphs = [
		[title],
		note === '' ? [] : [note],
		[`Items: ${total}`, ...figures.map(({ label, count }) => `- ${label}: ${count}`)],
		...grouped(listed).map(({ heading, entries: some }) => [heading, ...some.flatMap(linesOf)]),
		unlisted(total - listed.length),
	];
	return inParagraphs(paragraphs);
}

function linesOf({ address, facts, lines, reportUrl }: Entry): string[] {
	const below = [facts, ...lines, reportUrl ?? ''].filter((line) => line !== '');
	return [`- ${address}`, ...below.map((line) => `  ${line}`)];
}
