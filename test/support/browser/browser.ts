import { CookieJar } from 'tough-cookie';
import { dataOf, type Login } from '../../../tools/host/rest';

/** More than n8n needs for a form that asks for a login: to the login, to the consent, and back. */
const maxRedirects = 12;

/** How often a person tries to load a page that does not arrive. */
const maxTries = 3;

/**
 * Milliseconds until a person reloads a page. While an execution is in progress, n8n never answers
 * a request for the page of its form.
 */
const maxWaitMs = 30_000;

let ipAddressCount = 0;

/**
 * Returns another IP address each time. n8n lets an address open 100 pages in 15 minutes, and the
 * n8n of the stage takes the address from a header that a proxy would set.
 */
function nextIpAddress(): string {
	ipAddressCount++;
	return `198.18.${Math.trunc(ipAddressCount / 256) % 256}.${ipAddressCount % 256}`;
}

/** Reads the text of a page. @throws if the page is empty */
async function readPage(response: Response): Promise<string> {
	const text = await response.text();
	if (!text) throw new Error(`${response.url} is empty, with status ${response.status}`);
	return text;
}

/** A browser in which a person is logged in to n8n: it keeps cookies and follows redirects. */
export class Browser {
	private readonly cookies = new CookieJar();
	private ipAddress = nextIpAddress();

	private constructor(private readonly n8nUrl: string) {}

	static async logIn(n8nUrl: string, { email, password }: Login): Promise<Browser> {
		const browser = new Browser(n8nUrl);
		await browser.request(`${n8nUrl}/rest/login`, { emailOrLdapLoginId: email, password });
		return browser;
	}

	/**
	 * Opens a page from a new IP address, because n8n limits the pages for each address.
	 *
	 * @returns its HTML
	 */
	async openFromElsewhere(url: string): Promise<string> {
		this.ipAddress = nextIpAddress();
		return await this.open(url);
	}

	/**
	 * Opens a page, and agrees if n8n asks whether a form may know who opens it. Like a person, it
	 * reloads a page that does not arrive.
	 *
	 * @returns its HTML
	 * @throws if the page does not arrive in `maxTries`, or is empty
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

	/** Opens a page, and follows its redirects. @returns its HTML */
	private async follow(start: string): Promise<string> {
		let url = start;
		for (let redirects = 0; redirects < maxRedirects; redirects++) {
			const response = await this.request(url);
			const location = response.headers.get('location');
			if (!location) return await readPage(response);
			url = new URL(location, url).href;
			if (new URL(url).pathname === '/oauth/consent') url = await this.consent();
		}
		throw new Error(`${start} keeps redirecting`);
	}

	/** Reads what is at a URL, without following redirects. It may be empty. */
	async readText(url: string): Promise<string> {
		return await (await this.request(url)).text();
	}

	/**
	 * Lets a form know who opens it, unless this person has agreed before.
	 *
	 * @returns the URL to which n8n goes on
	 */
	private async consent(): Promise<string> {
		const consentUrl = `${this.n8nUrl}/rest/consent`;
		const known = await dataOf<{ redirectUrl?: string }>(this.request(`${consentUrl}/details`));
		if (known.redirectUrl) return known.redirectUrl;
		const approved = this.request(`${consentUrl}/approve`, { approved: true });
		return (await dataOf<{ redirectUrl: string }>(approved)).redirectUrl;
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
				'x-forwarded-for': this.ipAddress,
				// An n8n that is busy for seconds closes kept-alive connections.
				connection: 'close',
				accept: 'text/html,application/json',
				...(body && { 'content-type': 'application/json' }),
			},
			...(body && { method: 'POST', body: JSON.stringify(body) }),
			signal: AbortSignal.timeout(maxWaitMs),
		});
		for (const cookie of response.headers.getSetCookie())
			await this.cookies.setCookie(cookie, cookieUrl);
		return response;
	}

	/**
	 * Returns the URL to which cookies belong. The links of n8n call this machine `localhost`, but
	 * its cookies are those of `n8nUrl`.
	 */
	private cookieUrlOf(url: string): string {
		const { pathname } = new URL(url);
		return new URL(pathname, this.n8nUrl).href;
	}
}
