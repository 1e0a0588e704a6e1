import type { Login } from '../../../tools/host/rest';
import { until } from '../../../tools/host/until';
import { Browser } from './browser';
import {
	type Entries,
	type FormField,
	fieldsOf,
	fillForm,
	type PostedFields,
	postForm,
} from './form';
import { partsOf } from './html';

/** Returns why an execution failed while a person was in its form. */
type DescribeFailure = (executionId: string) => Promise<string>;

/** A person with an account of an n8n, who opens and sends its forms in a browser. */
export class Person {
	private constructor(
		readonly email: string,
		private readonly n8nUrl: string,
		private readonly browser: Browser,
		private readonly describeFailure: DescribeFailure,
	) {}

	/** Logs in a person who has an account. */
	static async logIn(
		n8nUrl: string,
		login: Login,
		describeFailure: DescribeFailure = async (id) => `Execution ${id} failed`,
	): Promise<Person> {
		const browser = await Browser.logIn(n8nUrl, login);
		return new Person(login.email, n8nUrl, browser, describeFailure);
	}

	/**
	 * Opens a published form that asks for a login.
	 *
	 * @param query what stands behind the `?` in the link to the form
	 * @throws an error with the page, if no such form is published
	 */
	async open(path: string, query = ''): Promise<FormPage> {
		const url = `${this.n8nUrl}/form/${path}${query && '?'}${query}`;
		const html = await this.browser.openFromElsewhere(url);
		const page = new FormPage(url, 200, html, this.browser, this.describeFailure);
		if (!page.token) throw new Error(`No form is at ${path}: ${html.slice(0, 500)}`);
		return page;
	}
}

/** A page of a form, or what n8n shows in its place. */
export class FormPage {
	/** The words that a person sees, with one blank between two of them. */
	readonly words: string;
	/** The token with which the page proves who sends it. */
	readonly token: string | undefined;
	private readonly fields: readonly FormField[];

	constructor(
		readonly url: string,
		/** The status of n8n's answer to what was sent before this page. */
		readonly status: number,
		readonly html: string,
		private readonly browser: Browser,
		private readonly describeFailure: DescribeFailure,
	) {
		this.words = partsOf(html).words;
		this.token = /authToken = '([^']+)'/.exec(html)?.[1];
		this.fields = fieldsOf(html);
	}

	/** Returns whether a person can enter something under exactly this label. */
	asks(label: string): boolean {
		return this.fields.some((field) => field.label === label);
	}

	/**
	 * Returns what a browser sends after a person has filled in the page.
	 *
	 * @throws if a field is missing
	 */
	fill(entries: Entries): PostedFields {
		return fillForm(this.fields, entries);
	}

	/** Sends the page as its person does, and waits only for n8n's answer. */
	async post(entries: Entries): Promise<Response> {
		return await postForm(this.url, this.fill(entries), { 'x-auth-token': this.token ?? '' });
	}

	/**
	 * Sends the page as its person does.
	 *
	 * @returns the page that follows
	 * @throws if a field is missing, or if the workflow of the form fails: the error names the node and
	 * the reason
	 */
	async send(entries: Entries = {}): Promise<FormPage> {
		const response = await this.post(entries);
		const text = await response.text();
		const waitingUrl = /"formWaitingUrl":"([^"]+)"/.exec(text)?.[1];
		const nextUrl = waitingUrl ?? (this.url.includes('/form-waiting/') ? this.url : undefined);
		const { status } = response;
		if (!nextUrl || status !== 200) return this.pageAt(this.url, status, text);
		if ((await this.waitForPage(nextUrl)) === 'error') {
			const [, id = ''] = /\/form-waiting\/(\w+)/.exec(nextUrl) ?? [];
			throw new Error(`The form ends: ${await this.describeFailure(id)}`);
		}
		return this.pageAt(nextUrl, status, await this.browser.open(nextUrl));
	}

	/**
	 * Sends the last page of a form, as a browser does without its person, and waits for the end of the
	 * execution.
	 */
	async leave(): Promise<void> {
		await this.post({});
		await this.waitForState(this.url, (state) => !['running', 'form-waiting'].includes(state));
	}

	/** Waits until an execution has the next page of its form. @returns the state of the execution */
	private async waitForPage(url: string): Promise<string> {
		// n8n never answers a request for a page that the execution has not reached.
		return await this.waitForState(url, (state) => !['new', 'running'].includes(state));
	}

	/** Waits until the execution of a form is in a wanted state. @returns that state */
	private async waitForState(url: string, isWanted: (state: string) => boolean): Promise<string> {
		const stateUrl = new URL(url);
		stateUrl.pathname += '/n8n-execution-status';
		const look = async () => {
			const state = (await this.browser.readText(stateUrl.href)).trim();
			return isWanted(state) ? state : undefined;
		};
		// An audit pack of thousands of reports takes a minute.
		return await until('what follows the page of the form', look, { timeoutMs: 300_000 });
	}

	private pageAt(url: string, status: number, html: string): FormPage {
		return new FormPage(url, status, html, this.browser, this.describeFailure);
	}
}
