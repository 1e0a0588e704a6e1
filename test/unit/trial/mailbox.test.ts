import type { Letter } from '../../../tools/trial/mail';
import { messagesOf } from '../../../tools/trial/mailbox';

const [team, head] = ['team@example.com', 'head@example.com'];
const letter = (address: string, text = 'Do not pay it.') =>
	({ subject: 'STOPPED', text, to: [{ name: '', address }] }) as unknown as Letter;

test.each([
	{
		letters: [letter(team), letter(head)],
		listed: [[team, head]],
		because: 'the head of the team got a letter of their own',
	},
	{
		letters: [letter(team), letter(team)],
		listed: [[team], [team]],
		because: 'the team got it again',
	},
	{
		letters: [letter(team), letter(head, 'Pay it.')],
		listed: [[team], [head]],
		because: 'the texts differ',
	},
])('the mailbox lists $listed, because $because', ({ letters, listed }) => {
	expect(messagesOf(letters).map(({ recipients }) => recipients)).toEqual(listed);
});
