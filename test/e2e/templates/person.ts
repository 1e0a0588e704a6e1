import { dataOf, type Login, makeAccount } from '../../../tools/host/rest';
import { until } from '../../../tools/host/until';
import { partsOf } from './html';
import { stage } from './stage';

/** Somebody with an account of an n8n, who opens and sends its forms as a browser does. */
export interface Person {
	email: string;
	/** Opens a published form that wants a login. `query` is what stands behind the `?` of its link. */
	open(path: string, query?: string): Promise<FormPage>;
}

/** A page of a form, or what n8n shows instead. */
export interface FormPage {
	/** Of n8n's answer to what was sent before it. */
	status: number;
	url: string;
	/** What the page sends along as proof of who sends it. */
	token: string | undefined;
	/** What a reader sees, each gap as one blank. */
	words: string;
	html: string;
	/** Sends the fields in the order of the page, and gives the page that follows. */
	send(...fields: Field[]): Promise<FormPage>;
}

/** A text, a file that is uploaded, or nothing for a field that only shows something. */
type Field = string | File | undefined;

/** Cookies by name, as a browser keeps them. */
type Jar = Map<string, string>;

function keep(jar: Jar, response: Response): Response {
	for (const header of response.headers.getSetCookie()) {
		const [pair = ''] = header.split(';');
		const at = pair.indexOf('=');
		jar.set(pair.slice(0, at), pair.slice(at + 1));
	}
	return response;
}

const cookieOf = (jar: Jar) => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

/** Sends fields to a page of a form, with this proof of who sends them. */
export async function postForm(
	url: string,
	fields: readonly Field[],
	headers: Record<string, string> = {},
): Promise<Response> {
	const body = new FormData();
	fields.forEach((value, index) => {
		if (value !== undefined) body.set(`field-${index}`, value);
	});
	// While a run is in progress, n8n does not answer a second sending of its page.
	const signal = AbortSignal.timeout(30_000);
	return await fetch(url, { method: 'POST', body, headers, signal });
}

let openings = 0;
/**
 * The address that a page is opened from. n8n lets one address open 100 pages in 15 minutes, and the stage believes
 * what the proxy in front of it says of the address.
 */
const nextClientAddress = () => `198.18.${Math.trunc(++openings / 256) % 256}.${openings % 256}`;

const invited = new Set<string>();

/** Makes an account in n8n, as somebody who follows an invitation, and logs in; whoever has one only logs in. */
export async function invitePerson(email: string): Promise<Person> {
	const login: Login = { email, password: 'Screening-1' };
	if (!invited.has(email)) await makeAccount(stage.rest, login);
	invited.add(email);
	return await logInPerson(stage.n8n.url, login);
}

/** Logs in somebody who has an account. */
export async function logInPerson(n8nUrl: string, { email, password }: Login): Promise<Person> {
	const jar: Jar = new Map();
	let address = nextClientAddress();
	const ask = async (url: string, body?: unknown) => {
		const response = await fetch(url, {
			redirect: 'manual',
			headers: {
				cookie: cookieOf(jar),
				'x-forwarded-for': address,
				// An n8n that works for seconds closes connections that a client keeps.
				connection: 'close',
				accept: 'text/html,application/json',
				...(body !== undefined && { 'content-type': 'application/json' }),
			},
			...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
		});
		return keep(jar, response);
	};
	await ask(`${n8nUrl}/rest/login`, { emailOrLdapLoginId: email, password });

	/** Follows redirects, and says yes if n8n asks whether the form may know who opens it. */
	const follow = async (start: string): Promise<string> => {
		let url = start;
		for (let hops = 0; hops < 12; hops++) {
			const response = await ask(url);
			const location = response.headers.get('location');
			if (!location) return await response.text();
			url = new URL(location, url).href;
			if (new URL(url).pathname !== '/oauth/consent') continue;
			const asked = await dataOf<{ redirectUrl?: string }>(ask(`${n8nUrl}/rest/consent/details`));
			const given = async () =>
				await dataOf<{ redirectUrl: string }>(
					ask(`${n8nUrl}/rest/consent/approve`, { approved: true }),
				);
			url = asked.redirectUrl ?? (await given()).redirectUrl;
		}
		throw new Error(`${start} redirects for ever`);
	};
	const pageAt = async (url: string, status: number, html: string): Promise<FormPage> => {
		const token = /authToken = '([^']+)'/.exec(html)?.[1];
		const send = async (...fields: Field[]) => {
			const response = await postForm(url, fields, { 'x-auth-token': token ?? '' });
			const text = await response.text();
			const next = /"formWaitingUrl":"([^"]+)"/.exec(text)?.[1] ?? waitingUrl(url);
			if (!next || response.status !== 200) return await pageAt(url, response.status, text);
			const asked = new URL(next);
			asked.pathname += '/n8n-execution-status';
			// Asked for the page of a run that has not come to it, n8n never answers.
			const readState = async () => {
				const state = (await (await ask(asked.href)).text()).trim();
				return ['new', 'running'].includes(state) ? undefined : state;
			};
			// An audit pack of thousands of reports takes a minute.
			const patience = 300_000;
			const state = await until('the next page of the form', readState, { patience });
			const page = state === 'error' ? state : await follow(next);
			return await pageAt(next, response.status, page);
		};
		return { status, url, token, words: partsOf(html).words, html, send };
	};
	const waitingUrl = (url: string) => (url.includes('/form-waiting/') ? url : undefined);
	return {
		email,
		async open(path, query = '') {
			address = nextClientAddress();
			const url = `${n8nUrl}/form/${path}${query && '?'}${query}`;
			const page = await pageAt(url, 200, await follow(url));
			if (!page.token) throw new Error(`No form is at ${path}: ${page.html.slice(0, 500)}`);
			return page;
		},
	};
}
