import {
	bold,
	bullets,
	type Element,
	header,
	link,
	richText,
	section,
	type SlackMessage,
	text,
} from '../alert/slack';
import type { Entry, Message } from './message';
import { fitting, grouped, unlisted } from './listing';

const linkText = 'Open the report';
/** Slack takes 3,000 characters in a block; this leaves room for its heading. */
const longestBlock = 2_800;
/** Nobody reads a longer message; Slack takes 50 blocks. */
const longest = 24_000;

/** Every value stands in `plain_text` or `rich_text`, in which Slack looks for no formatting, mention or link. */
export function slackOf({ title, tone, note, entries, total }: Message): SlackMessage {
	const listed = fitting(entries, longest, sizeOf);
	const more = unlisted(total - listed.length);
	return {
		blocks: [
			header(tone, title),
			richText(section(text(note || `Items: ${total}`))),
			...grouped(listed).flatMap(({ heading, entries: some }) => groupBlocks(heading, some)),
			...(more.length > 0 ? [richText(section(text(more.join(), { italic: true })))] : []),
		],
	};
}

/** A group in as many blocks as it takes; only the first has the heading. */
function groupBlocks(heading: string, entries: readonly Entry[]): Element[] {
	const blocks: Element[] = [];
	let rest = entries;
	while (rest.length > 0) {
		const some = fitting(rest, longestBlock, sizeOf);
		const headings = blocks.length === 0 ? [section(bold(heading))] : [];
		blocks.push(richText(...headings, bullets(some.map(bullet))));
		rest = rest.slice(some.length);
	}
	return blocks;
}

function bullet({ address, facts, lines, reportUrl }: Entry): Element {
	return section(
		text(address, { code: true }),
		...(facts === '' ? [] : [text(`\n${facts}`)]),
		...(reportUrl ? [text(facts === '' ? '\n' : ' · '), link(reportUrl, linkText)] : []),
		...lines.map((line) => text(`\n${line}`)),
	);
}

function sizeOf({ address, facts, lines }: Entry): number {
	return [address, facts, linkText, ...lines].join(' · ').length;
}
