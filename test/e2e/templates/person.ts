import { dataOf, type Login } from '../../../host/rest';
import { until } from '../../../host/until';
import type { Stage } from './stage';

/** Somebody with an account of an n8n, who opens and sends its forms as a browser does. */
export interface Person {
	email: string;
	/** Opens a form that wants a login, and gives what its page sends along as proof of who sends it. */
	openForm(path: string): Promise<string>;
	/** Sends a form, and gives the status of n8n's answer and the text of the page that follows. */
	sendForm(path: string, fields: Field[], token?: string): Promise<Sent>;
}

/** A text, or a file that is uploaded. */
type Field = string | File;

interface Sent {
	status: number;
	page: string;
}

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

/** What a page says, without what makes it so. */
const wordsOf = (page: string) =>
	page.replace(/<(script|style)[\s\S]*?<\/\1>|<[^>]+>/g, ' ').replace(/\s+/g, ' ');

/** Sends fields, in the order of the form, with this proof of who sends them. */
export async function postForm(
	url: string,
	fields: Field[],
	headers: Record<string, string> = {},
): Promise<Response> {
	const body = new FormData();
	fields.forEach((value, index) => body.set(`field-${index}`, value));
	return await fetch(url, { method: 'POST', body, headers });
}

/** Makes an account in n8n, as somebody who follows an invitation, and logs in. */
export async function invitePerson({ n8n, rest }: Stage, email: string): Promise<Person> {
	const [invited] = await dataOf<Array<{ user: { inviteAcceptUrl: string } }>>(
		rest('POST', '/invitations', [{ email, role: 'global:member' }]),
	);
	const token = new URL(invited!.user.inviteAcceptUrl).searchParams.get('token');
	const login: Login = { email, password: 'Screening-1' };
	const { password } = login;
	await rest('POST', '/invitations/accept', { token, firstName: email, lastName: 'X', password });
	return await logInPerson(n8n.url, login);
}

/** Logs in somebody who has an account. */
export async function logInPerson(n8nUrl: string, { email, password }: Login): Promise<Person> {
	const jar: Jar = new Map();
	const ask = async (url: string, body?: unknown) => {
		const response = await fetch(url, {
			redirect: 'manual',
			headers: {
				cookie: cookieOf(jar),
				accept: 'text/html,application/json',
				...(body !== undefined && { 'content-type': 'application/json' }),
			},
			...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
		});
		return keep(jar, response);
	};
	await ask(`${n8nUrl}/rest/login`, { emailOrLdapLoginId: email, password });

	/** Follows redirects, and says yes if n8n asks whether the form may know who opens it. */
	const open = async (start: string): Promise<string> => {
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
	const openForm = async (path: string) => {
		const page = await open(`${n8nUrl}/form/${path}`);
		const token = /authToken = '([^']+)'/.exec(page)?.[1];
		if (!token) throw new Error(`No form is at ${path}: ${page.slice(0, 500)}`);
		return token;
	};
	return {
		email,
		openForm,
		async sendForm(path, fields, token) {
			const proof = token ?? (await openForm(path));
			const url = `${n8nUrl}/form/${path}`;
			const response = await postForm(url, fields, { 'x-auth-token': proof });
			const text = await response.text();
			const next = /"formWaitingUrl":"([^"]+)"/.exec(text)?.[1];
			if (!next) return { status: response.status, page: text };
			const asked = new URL(next);
			asked.pathname += '/n8n-execution-status';
			// Asked for the page of a run that has not come to it, n8n never answers.
			const state = await until('the page of the result', async () => {
				const now = (await (await ask(asked.href)).text()).trim();
				return ['new', 'running'].includes(now) ? undefined : now;
			});
			const page = state === 'form-waiting' ? await (await ask(next)).text() : state;
			return { status: response.status, page: wordsOf(page) };
		},
	};
}
