import { type PageParts, partsOf } from '../browser/html';
import { stage } from './stage';
import { pageReader } from './standIns';

/** A page that a workflow answers with. */
interface Page extends PageParts {
	readonly status: number;
	readonly html: string;
}

/** Opens a page that asks for a password. With an empty `password`, it sends none. */
export async function readPage(path: string, password = pageReader.password): Promise<Page> {
	const authorization = `Basic ${btoa(`${pageReader.user}:${password}`)}`;
	const response = await fetch(`${stage.n8n.url}/webhook/${path}`, {
		headers: {
			// An n8n that is busy for seconds closes kept-alive connections.
			connection: 'close',
			...(password && { authorization }),
		},
	});
	const html = await response.text();
	return { status: response.status, html, ...partsOf(html) };
}
