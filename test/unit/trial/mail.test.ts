import { once } from 'node:events';
import { connect } from 'node:net';
import { startMail } from '../../../tools/trial/mail';

/** Sends these lines to the mail server, each after an answer. @returns the answer to the last one */
async function talk(port: number, lines: string[]): Promise<string> {
	const socket = connect(port, '127.0.0.1').setEncoding('utf8');
	let answer = '';
	for (const line of lines) {
		[answer] = (await once(socket, 'data')) as [string];
		socket.write(`${line}\r\n`);
	}
	[answer] = (await once(socket, 'data')) as [string];
	socket.destroy();
	return answer;
}

const login = `AUTH PLAIN ${Buffer.from('\0team\0mail-password').toString('base64')}`;
const envelope = [
	'HELO host',
	login,
	'MAIL FROM:<a@example.com>',
	'RCPT TO:<b@example.com>',
	'DATA',
];
/** A letter in more parts within each other than a mail parser reads. */
const nested = Array.from(
	{ length: 400 },
	(_, level) => `Content-Type: multipart/mixed; boundary="b${level}"\r\n\r\n--b${level}`,
).join('\r\n');

test('answers the client about a letter that cannot be read, and about the next one', async () => {
	const mail = await startMail();
	const port = mail.credential.data['port'] as number;
	try {
		expect(await talk(port, [...envelope, `${nested}\r\n.`])).toMatch(/^4/);
		expect(await talk(port, [...envelope, 'Subject: Hello\r\n\r\nHello\r\n.'])).toMatch(/^250/);
		expect(mail.letters.map(({ subject }) => subject)).toEqual(['Hello']);
	} finally {
		await mail.close();
	}
});
