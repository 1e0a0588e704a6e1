import { z } from 'zod';

const plainText = (most: number) =>
	z.strictObject({
		type: z.literal('plain_text'),
		text: z.string().min(1).max(most),
		emoji: z.boolean().optional(),
	});
const mrkdwn = (most: number) =>
	z.strictObject({
		type: z.literal('mrkdwn'),
		text: z.string().min(1).max(most),
		verbatim: z.boolean().optional(),
	});
const anyText = (most: number) => z.union([plainText(most), mrkdwn(most)]);

const button = z.strictObject({
	type: z.literal('button'),
	text: plainText(75),
	action_id: z.string().max(255).optional(),
	url: z.string().url().max(3000).optional(),
	value: z.string().max(2000).optional(),
	style: z.enum(['primary', 'danger']).optional(),
	accessibility_label: z.string().max(75).optional(),
});

const style = z
	.strictObject({
		bold: z.boolean(),
		italic: z.boolean(),
		strike: z.boolean(),
		code: z.boolean(),
	})
	.partial()
	.optional();
const richElement = z.discriminatedUnion('type', [
	z.strictObject({ type: z.literal('text'), text: z.string().min(1), style }),
	z.strictObject({
		type: z.literal('link'),
		url: z.string().url(),
		text: z.string().optional(),
		unsafe: z.boolean().optional(),
		style,
	}),
]);
const border = z.union([z.literal(0), z.literal(1)]).optional();
const richSection = z.strictObject({
	type: z.literal('rich_text_section'),
	elements: z.array(richElement),
});
const richPart = z.discriminatedUnion('type', [
	richSection,
	z.strictObject({
		type: z.literal('rich_text_list'),
		style: z.enum(['bullet', 'ordered']),
		elements: z.array(richSection),
		indent: z.number().int().optional(),
		offset: z.number().int().optional(),
		border,
	}),
	z.strictObject({
		type: z.literal('rich_text_preformatted'),
		elements: z.array(richElement),
		border,
	}),
	z.strictObject({ type: z.literal('rich_text_quote'), elements: z.array(richElement), border }),
]);

const block_id = z.string().max(255).optional();
const block = z.discriminatedUnion('type', [
	z.strictObject({ type: z.literal('divider'), block_id }),
	z.strictObject({ type: z.literal('header'), text: plainText(150), block_id }),
	z.strictObject({
		type: z.literal('section'),
		text: anyText(3000).optional(),
		fields: z.array(anyText(2000)).min(1).max(10).optional(),
		accessory: button.optional(),
		expand: z.boolean().optional(),
		block_id,
	}),
	z.strictObject({
		type: z.literal('context'),
		elements: z.array(anyText(2000)).min(1).max(10),
		block_id,
	}),
	z.strictObject({ type: z.literal('rich_text'), elements: z.array(richPart), block_id }),
	z.strictObject({
		type: z.literal('actions'),
		elements: z.array(button).min(1).max(25),
		block_id,
	}),
]);

const message = z
	.array(block)
	.max(50)
	.superRefine((blocks, { addIssue }) => {
		blocks.forEach((one, index) => {
			if (one.type === 'section' && !one.text && !one.fields) {
				addIssue({ code: 'custom', path: [index], message: 'text or fields must be given' });
			}
		});
		const ids = blocks.flatMap(({ block_id: id }) => id ?? []);
		if (new Set(ids).size < ids.length) {
			addIssue({ code: 'custom', path: [], message: 'block_id must be unique' });
		}
	});

/**
 * What Slack would not accept of the blocks of a message, by the limits of its reference (docs.slack.dev, Block Kit) and
 * for the blocks that a message of text and links needs. Empty where all is well.
 */
export function problemsOf(blocks: unknown): string[] {
	const { error } = message.safeParse(blocks);
	return (
		error?.issues.map(({ path, message: text }) => `[json-pointer:/${path.join('/')}] ${text}`) ??
		[]
	);
}
