import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { Credential } from '../host/workflow';

export type Letter = Email & { receivedAt: Date };

/** A mail server that runs on this machine. */
export interface MailServer {
	/** An SMTP credential of n8n for this server. */
	readonly credential: Credential;
	/** All letters that were sent, in order, as a mail parser reads them. */
	letters: Letter[];
	/** Whether the server refuses to take letters. */
	isDown: boolean;
	close(): Promise<void>;
}

/** Starts a mail server that takes letters from a client that logs in as `team`. */
export async function startMail(): Promise<MailServer> {
	const password = 'mail-password';
	const server = new SMTPServer({
		disabledCommands: ['STARTTLS'],
		allowInsecureAuth: true,
		onAuth({ username, password: given }, _session, done) {
			const known = username === 'team' && given === password;
			done(known ? null : new Error('Wrong user or password'), { user: username });
		},
		onData(stream, _session, done) {
			const take = async () => {
				const letter = await buffer(stream);
				if (mail.isDown) throw Object.assign(new Error('No'), { responseCode: 451 });
				mail.letters.push({ ...(await PostalMime.parse(letter)), receivedAt: new Date() });
			};
			// The client waits for an answer also about a letter that cannot be read.
			take().then(() => done(), done);
		},
	});
	// n8n may be killed in the middle of a letter.
	server.on('error', (error: NodeJS.ErrnoException) => {
		if (error.code !== 'ECONNRESET') throw error;
	});
	const listening = server.listen(0, '127.0.0.1');
	await once(listening, 'listening');
	const { port } = listening.address() as AddressInfo;
	const host = { host: '127.0.0.1', port, secure: false, disableStartTls: true };
	const mail: MailServer = {
		credential: { name: 'Mail', type: 'smtp', data: { user: 'team', password, ...host } },
		letters: [],
		isDown: false,
		close: async () => await new Promise<void>((resolve) => server.close(resolve)),
	};
	return mail;
}
