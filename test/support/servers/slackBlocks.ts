import { z } from 'zod';

/*
 * What Slack takes, by its reference (docs.slack.dev, Block Kit), for the blocks that this project
 * uses.
 */

const optionalFlag = z.boolean().optional();
const text = (maxLength: number) => z.string().min(1).max(maxLength);
const plainText = (maxLength: number) =>
	z.strictObject({
		type: z.literal('plain_text'),
		text: text(maxLength),
		emoji: optionalFlag,
	});
const anyText = (maxLength: number) =>
	z.union([
		plainText(maxLength),
		z.strictObject({
			type: z.literal('mrkdwn'),
			text: text(maxLength),
			verbatim: optionalFlag,
		}),
	]);
const button = z.strictObject({
	type: z.literal('button'),
	text: plainText(75),
	action_id: z.string().max(255).optional(),
	url: z.string().url().max(3000).optional(),
	value: z.string().max(2000).optional(),
	style: z.enum(['primary', 'danger']).optional(),
});

const style = z
	.strictObject({
		bold: optionalFlag,
		italic: optionalFlag,
		strike: optionalFlag,
		code: optionalFlag,
	})
	.optional();
const richElement = z.discriminatedUnion('type', [
	z.strictObject({ type: z.literal('text'), text: z.string().min(1), style }),
	z.strictObject({
		type: z.literal('link'),
		url: z.string().url(),
		text: z.string().optional(),
		style,
	}),
]);
const section = z.strictObject({
	type: z.literal('rich_text_section'),
	elements: z.array(richElement),
});
const list = z.strictObject({
	type: z.literal('rich_text_list'),
	style: z.enum(['bullet', 'ordered']),
	elements: z.array(section),
});

const block_id = z.string().max(255).optional();
const contextElements = z.array(anyText(2000)).min(1).max(10);
const block = z.discriminatedUnion('type', [
	z.strictObject({ type: z.literal('divider'), block_id }),
	z.strictObject({ type: z.literal('header'), text: plainText(150), block_id }),
	z.strictObject({ type: z.literal('section'), text: anyText(3000), block_id }),
	z.strictObject({ type: z.literal('context'), elements: contextElements, block_id }),
	z.strictObject({
		type: z.literal('rich_text'),
		elements: z.array(z.union([section, list])),
		block_id,
	}),
	z.strictObject({
		type: z.literal('actions'),
		elements: z.array(button).min(1).max(25),
		block_id,
	}),
]);

const allBlocks = z
	.array(block)
	.max(50)
	.refine((blocks) => {
		const ids = blocks.flatMap(({ block_id: id }) => id ?? []);
		return new Set(ids).size === ids.length;
	}, 'block_id must be unique');

/** Returns why Slack would refuse the blocks of a message; an empty list if it would not. */
export function problemsOf(blocks: unknown): string[] {
	const issues = allBlocks.safeParse(blocks).error?.issues ?? [];
	return issues.map(({ path, message }) => `[json-pointer:/${path.join('/')}] ${message}`);
}
