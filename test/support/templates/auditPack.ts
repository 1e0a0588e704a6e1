import { stage } from './stage';
import { type Person } from '../browser/person';

/** Publishes the form, and the workflow that it calls. */
export async function publishAuditPack(): Promise<void> {
	await stage.publishTemplate('audit-pack-make');
	await stage.publishTemplate('audit-pack', {
		'When a Person Asks': { webhookId: 'screening-audit' },
	});
}

/** What a person enters into the form. */
export interface PackRequest {
	reference?: string;
	from?: string;
	to?: string;
}

/** A pack, and what the last page of the form tells about it. */
export interface RequestedPack {
	/** The SHA-256 of its page, in hexadecimal digits. */
	readonly digest: string;
	/** The words of the last page of the form. */
	readonly words: string;
	readonly fileName: string;
	/** The ZIP. */
	readonly bytes: Buffer;
	/** Follows the link to the ZIP once more. */
	download(): Promise<Response>;
}

/** Requests a pack in the form, and downloads it. */
export async function requestPack(person: Person, request: PackRequest): Promise<RequestedPack> {
	const { reference = '', from = '', to = '' } = request;
	const form = await person.open('screening-audit');
	const last = await form.send({ Reference: reference, From: from, To: to });
	const [, digest = ''] = /SHA-256 of index\.html: (\w{64})/.exec(last.words) ?? [];
	const [, link = ''] = /href="([^"]*\/webhook-waiting\/[^"]+)"/.exec(last.html) ?? [];
	await last.leave();
	const download = async () => await fetch(link.replaceAll('&amp;', '&'));
	const answer = await download();
	if (!answer.ok) throw new Error(`The link to the pack answered ${answer.status}`);
	const [, fileName = ''] =
		/^attachment; filename="(.+)"$/.exec(answer.headers.get('content-disposition') ?? '') ?? [];
	const bytes = Buffer.from(await answer.arrayBuffer());
	return { digest, fileName, words: last.words, bytes, download };
}
