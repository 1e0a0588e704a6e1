import { CookieJar } from 'tough-cookie';
import { dataOf, type Login } from '../../../tools/host/rest';

/** More than n8n needs for a form that wants a login: to the login, to the consent, and back. */
const maxRedirects = 12;

/** How often a person loads a page that does not come. */
const maxTries = 3;

/**
 * Milliseconds until a person reloads a page. n8n never answers a request for the page of a form
 * that comes while its execution is in progress.
 */
const maxWait = 30_000;

let openings = 0;
/**
 * The address that a page is opened from. n8n lets one address open 100 pages in 15 minutes, and
 * the stage believes what the proxy in front of it says of the address.
 */
const nextClientAddress = () => `198.18.${Math.trunc(++openings / 256) % 256}.${openings % 256}`;

/** The text of a page. @throws the status of a page that is empty */
async function textOf(response: Response): Promise<string> {
	const text = await response.text();
	if (!text) throw new Error(`${response.url} is empty, with status ${response.status}`);
	return text;
}

/** A browser in which a person is logged in to n8n: it keeps cookies and follows redirects. */
export class Browser {
	private readonly cookies = new CookieJar();
	private address = nextClientAddress();

	private constructor(private readonly n8nUrl: string) {}

	static async logIn(n8nUrl: string, { email, password }: Login): Promise<Browser> {
		const browser = new Browser(n8nUrl);
		await browser.request(`${n8nUrl}/rest/login`, { emailOrLdapLoginId: email, password });
		return browser;
	}

	/** Opens a page like a person at another address. @returns its HTML */
	async openFromElsewhere(url: string): Promise<string> {
		this.address = nextClientAddress();
		return await this.open(url);
	}

	/**
	 * Opens a page, and says yes if n8n asks whether a form may know who opens it. Like a person, it
	 * reloads a page that does not come.
	 *
	 * @returns its HTML
	 * @throws if the page does not come in `maxTries`, or is empty
	 */
	async open(start: string): Promise<string> {
		for (let tries = 1; ; tries++) {
			try {
				return await this.follow(start);
			} catch (error) {
				if ((error as Error).name !== 'TimeoutError' || tries === maxTries) throw error;
			}
		}
	}

	private async follow(start: string): Promise<string> {
		let url = start;
		for (let redirects = 0; redirects < maxRedirects; redirects++) {
			const response = await this.request(url);
			const location = response.headers.get('location');
			if (!location) return await textOf(response);
			url = new URL(location, url).href;
			if (new URL(url).pathname === '/oauth/consent') url = await this.consent();
		}
		throw new Error(`${start} keeps redirecting`);
	}

	async text(url: string): Promise<string> {
		return await (await this.request(url)).text();
	}

	/**
	 * Lets a form know who opens it, if this person did not before.
	 *
	 * @returns the URL that n8n goes on to
	 */
	private async consent(): Promise<string> {
		const consent = `${this.n8nUrl}/rest/consent`;
		const known = await dataOf<{ redirectUrl?: string }>(this.request(`${consent}/details`));
		if (known.redirectUrl) return known.redirectUrl;
		const given = this.request(`${consent}/approve`, { approved: true });
		return (await dataOf<{ redirectUrl: string }>(given)).redirectUrl;
	}

	/**
	 * Sends a GET, or a POST if there is a body, and keeps the cookies of the answer.
	 *
	 * @throws a `TimeoutError` if n8n does not answer
	 */
	private async request(url: string, body?: object): Promise<Response> {
		const cookieUrl = this.cookieUrlOf(url);
		const response = await fetch(url, {
			redirect: 'manual',
			headers: {
				cookie: await this.cookies.getCookieString(cookieUrl),
				'x-forwarded-for': this.address,
				// An n8n that works for seconds closes connections that a client keeps.
				connection: 'close',
				accept: 'text/html,application/json',
				...(body && { 'content-type': 'application/json' }),
			},
			...(body && { method: 'POST', body: JSON.stringify(body) }),
			signal: AbortSignal.timeout(maxWait),
		});
		for (const cookie of response.headers.getSetCookie())
			await this.cookies.setCookie(cookie, cookieUrl);
		return response;
	}

	/** The URL that decides which cookies are sent. n8n's links call this machine `localhost`. */
	private cookieUrlOf(url: string): string {
		const { pathname } = new URL(url);
		return new URL(pathname, this.n8nUrl).href;
	}
}
