import { problemsOf } from './slackBlocks';

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const header = (text: string) => ({ type: 'header', text: { type: 'plain_text', text } });
const rich = (...elements: object[]) => ({ type: 'rich_text', elements });
const many = (count: number) => Array.from({ length: count }, () => ({ type: 'divider' }));

test.each([
	['a header, a section and a link', [header('x'.repeat(150)), section('x'.repeat(3000))]],
	['fifty blocks', many(50)],
	[
		'fields and a button',
		[
			{ type: 'section', fields: [{ type: 'mrkdwn', text: '*Level* red' }] },
			{
				type: 'actions',
				elements: [
					{
						type: 'button',
						text: { type: 'plain_text', text: 'Open' },
						url: 'https://x.example/1',
					},
				],
			},
		],
	],
	[
		'rich text: a list, and a link',
		[
			rich(
				{
					type: 'rich_text_list',
					style: 'bullet',
					elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'x' }] }],
				},
				{
					type: 'rich_text_section',
					elements: [{ type: 'link', url: 'https://x.example/1', text: 'Open' }],
				},
			),
		],
	],
])('takes %s', (_what, blocks) => {
	expect(problemsOf(blocks)).toEqual([]);
});

test.each([
	['more than fifty blocks', many(51)],
	['a header of more than 150 characters', [header('x'.repeat(151))]],
	['a header in mrkdwn', [{ type: 'header', text: { type: 'mrkdwn', text: 'Wallet' } }]],
	['a section of more than 3,000 characters', [section('x'.repeat(3001))]],
	['a section of no characters', [section('')]],
	['a section without a text', [{ type: 'section' }]],
	[
		'more than ten fields',
		[{ type: 'section', fields: Array(11).fill({ type: 'mrkdwn', text: 'x' }) }],
	],
	['a field that Slack does not know', [{ ...section('x'), color: 'red' }]],
	['a type that Slack does not know', [{ type: 'paragraph', text: 'x' }]],
	['emoji in mrkdwn', [{ type: 'section', text: { type: 'mrkdwn', text: 'x', emoji: true } }]],
	[
		'an invalid link',
		[
			{
				type: 'actions',
				elements: [
					{ type: 'button', text: { type: 'plain_text', text: 'Open' }, url: 'undefined' },
				],
			},
		],
	],
	[
		'two blocks of the same id',
		[
			{ type: 'divider', block_id: 'a' },
			{ type: 'divider', block_id: 'a' },
		],
	],
	[
		'rich text of no characters',
		[rich({ type: 'rich_text_section', elements: [{ type: 'text', text: '' }] })],
	],
	['rich text without a section', [rich({ type: 'text', text: 'x' })]],
	['a text in place of blocks', 'blocks'],
])('refuses %s', (_what, blocks) => {
	expect(problemsOf(blocks)).not.toEqual([]);
});
