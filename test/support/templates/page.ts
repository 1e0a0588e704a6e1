import { type PageParts, partsOf } from './html';
import { reader, stage } from './stage';

/** A page of a workflow, as a browser shows it. */
interface Page extends PageParts {
	readonly status: number;
	readonly html: string;
}

/** Reads a page that wants a password; with an empty password, it sends none. */
export async function readPage(path: string, password = reader.password): Promise<Page> {
	const authorization = `Basic ${btoa(`${reader.user}:${password}`)}`;
	const response = await fetch(`${stage.n8n.url}/webhook/${path}`, {
		headers: {
			// An n8n that works for seconds closes connections that a client keeps.
			connection: 'close',
			...(password && { authorization }),
		},
	});
	const html = await response.text();
	return { status: response.status, html, ...partsOf(html) };
}
