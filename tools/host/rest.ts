import { until } from './until';

/** Sends a request to n8n's internal REST interface as the owner. */
export type Rest = (
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
	path: string,
	body?: unknown,
) => Promise<Response>;

/** Milliseconds that n8n may take to answer. */
const timeoutMs = 120_000;

/**
 * Whether n8n turned a request away because its database answered a ping too late. That happens on
 * a busy machine.
 */
const isNotReady = async (response: Response) =>
	response.status === 503 && (await response.clone().text()).includes('Database is not ready');

export interface Login {
	readonly email: string;
	readonly password: string;
}

function restOf(url: string, cookie?: string): Rest {
	return async (method, path, body) => {
		const ask = async () =>
			await fetch(`${url}/rest${path}`, {
				method,
				// A busy n8n closes an idle connection even if a request is on its way there.
				headers: {
					'content-type': 'application/json',
					connection: 'close',
					...(cookie && { cookie }),
				},
				...(body !== undefined && { body: JSON.stringify(body) }),
				signal: AbortSignal.timeout(timeoutMs),
			}).catch((error: Error) => {
				throw new Error(`${method} /rest${path} got no answer: ${error.message}`, { cause: error });
			});
		const look = async () => {
			const response = await ask();
			return (await isNotReady(response)) ? undefined : response;
		};
		const response = await until('the database of n8n', look, { timeoutMs, pauseMs: 500 });
		if (!response.ok) {
			throw new Error(
				`${method} /rest${path} was answered ${response.status}: ${await response.text()}`,
			);
		}
		return response;
	};
}

/** The content of an answer, which n8n wraps as `{ data: … }`. */
export async function dataOf<T>(response: Promise<Response>): Promise<T> {
	return ((await (await response).json()) as { data: T }).data;
}

/**
 * Logs in. If n8n has no owner yet, it creates this one first.
 *
 * @throws an Error if n8n has an owner with another e-mail address or password
 */
export async function logIn(url: string, { email, password }: Login): Promise<Rest> {
	const visitor = restOf(url);
	const owner = { email, password, firstName: 'Ada', lastName: 'Owner' };
	// Without its editor, n8n does not show whether it has an owner. Without one, the login fails.
	const answer = await visitor('POST', '/login', { emailOrLdapLoginId: email, password }).catch(
		async (refusal: Error) =>
			await visitor('POST', '/owner/setup', owner).catch(() => {
				throw new Error(`n8n does not let ${email} log in: ${refusal.message}
Its owner may have another password by now. Log in there and change it back to ${password}, or delete the folder with the data of this n8n.`);
			}),
	);
	const cookie = answer.headers.getSetCookie().map((header) => header.split(';')[0]);
	return restOf(url, cookie.join('; '));
}

/** Creates an account, as a person does who follows an invitation. */
export async function makeAccount(rest: Rest, { email, password }: Login): Promise<void> {
	const [invited] = await dataOf<Array<{ user: { inviteAcceptUrl: string } }>>(
		rest('POST', '/invitations', [{ email, role: 'global:member' }]),
	);
	const token = new URL(invited!.user.inviteAcceptUrl).searchParams.get('token');
	const names = { firstName: email, lastName: 'X' };
	await rest('POST', '/invitations/accept', { token, ...names, password });
}

/** Creates a key of n8n's public API, with which a workflow reads the other workflows. */
export async function makeApiKey(rest: Rest): Promise<string> {
	const key = { label: 'Reads workflows', expiresAt: null };
	const scopes = ['workflow:list', 'workflow:read'];
	const made = dataOf<{ rawApiKey: string }>(rest('POST', '/api-keys', { ...key, scopes }));
	return (await made).rawApiKey;
}
