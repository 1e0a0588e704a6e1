import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { Credential } from '../../../tools/host/instance';

export interface Mail {
	/** An SMTP credential of n8n for this server. */
	credential: Credential;
	/** What was sent, read again by a mail parser, in order. */
	letters: Email[];
	/** Whether the server refuses to take letters. */
	isDown: boolean;
	close(): Promise<void>;
}

/** Starts a mail server that takes letters from a client that logs in as `team`. */
export async function startMail(): Promise<Mail> {
	const password = 'mail-password';
	const server = new SMTPServer({
		disabledCommands: ['STARTTLS'],
		allowInsecureAuth: true,
		onAuth({ username, password: given }, _session, done) {
			const known = username === 'team' && given === password;
			done(known ? null : new Error('Wrong user or password'), { user: username });
		},
		onData(stream, _session, done) {
			const chunks: Buffer[] = [];
			stream.on('data', (chunk: Buffer) => chunks.push(chunk));
			stream.on('end', async () => {
				if (mail.isDown) return done(Object.assign(new Error('No'), { responseCode: 451 }));
				mail.letters.push(await PostalMime.parse(Buffer.concat(chunks)));
				done();
			});
		},
	});
	// n8n may be killed in the middle of a letter.
	server.on('error', (error: NodeJS.ErrnoException) => {
		if (error.code !== 'ECONNRESET') throw error;
	});
	const listening = server.listen(0, '127.0.0.1');
	await once(listening, 'listening');
	const { port } = listening.address() as AddressInfo;
	const mail: Mail = {
		credential: {
			name: 'Mail',
			type: 'smtp',
			data: {
				user: 'team',
				password,
				host: '127.0.0.1',
				port,
				secure: false,
				disableStartTls: true,
			},
		},
		letters: [],
		isDown: false,
		async close() {
			await new Promise<void>((resolve) => server.close(resolve));
		},
	};
	return mail;
}
