import { z } from 'zod';
import { createListener, type LocalServer, serve } from './server';

/** The most bytes that a message may have. */
const maxBytes = 28 * 1024;

const textRun = z.strictObject({
	type: z.literal('TextRun'),
	text: z.string().min(1),
	weight: z.enum(['Lighter', 'Default', 'Bolder']).optional(),
	size: z.enum(['Small', 'Default', 'Medium', 'Large', 'ExtraLarge']).optional(),
});
/** A text without markup. A TextBlock would take it for Markdown. */
const richText = z.strictObject({
	type: z.literal('RichTextBlock'),
	inlines: z.array(textRun).min(1),
	spacing: z.enum(['None', 'Small', 'Default']).optional(),
});
const openUrl = z.strictObject({
	type: z.literal('Action.OpenUrl'),
	title: z.string().min(1),
	url: z.string().url(),
});
const card = z.strictObject({
	type: z.literal('AdaptiveCard'),
	version: z.enum(['1.2', '1.3', '1.4', '1.5']),
	body: z.array(richText).min(1),
	actions: z.array(openUrl).max(6),
	msteams: z.strictObject({ width: z.literal('Full') }),
});
/**
 * A message for the workflow of a Teams channel (learn.microsoft.com, "Create incoming webhooks
 * with Workflows").
 */
const message = z.strictObject({
	type: z.literal('message'),
	attachments: z
		.array(
			z.strictObject({
				contentType: z.literal('application/vnd.microsoft.card.adaptive'),
				content: card,
			}),
		)
		.length(1),
});

/** A stand-in for the workflow of a Teams channel, which posts the card of each request. */
export interface Teams extends LocalServer {
	/** The cards that were posted, in order. */
	cards: Array<z.infer<typeof card>>;
	/** Why messages were refused. */
	refused: string[];
	/** Whether it answers 503. */
	isDown: boolean;
	/** Returns the text of each card, with a line for each paragraph. */
	texts(): string[];
}

export async function startTeams(): Promise<Teams> {
	const listener = createListener((_request, answer, body) => {
		if (teams.isDown) return answer(503, '');
		const read = message.safeParse(JSON.parse(body));
		if (!read.success || Buffer.byteLength(body) > maxBytes) {
			teams.refused.push(read.error?.message ?? 'too long');
			return answer(400, { error: { code: 'InvalidBotAdaptiveCard' } });
		}
		teams.cards.push(read.data.attachments[0]!.content);
		answer(202, '');
	});
	const teams: Teams = {
		...(await serve(listener)),
		cards: [],
		refused: [],
		isDown: false,
		texts: () =>
			teams.cards.map(({ body }) =>
				body.map(({ inlines }) => inlines.map(({ text }) => text).join('')).join('\n'),
			),
	};
	return teams;
}
