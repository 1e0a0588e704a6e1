import type { FastifyInstance } from 'fastify';
import { type Content, markup, type Markup } from '../../sandbox/markup';
import type { Login } from '../host/rest';
import type { ImportedTemplate } from './fill';
import { sendPage } from './site';

export interface Start {
	/** The address of n8n, as a browser reaches it. */
	readonly editor: string;
	/** The workflow to begin with in the editor. */
	readonly first: string;
	readonly templates: readonly ImportedTemplate[];
	/** The accounts of n8n that approve payments. */
	readonly approvers: readonly [Login, Login];
	/** The login for the pages of workflows. */
	readonly visitor: { readonly user: string; readonly password: string };
	/** The values of the credential of the service. */
	readonly service: Readonly<Record<'baseUrl' | 'apiKey' | 'webhookSecret', string>>;
}

/** A plainer name for some of n8n's types of credentials. */
const needs: Record<string, string> = {
	slackApi: 'Slack',
	googleApi: 'Google Sheets',
	openAiApi: 'a language model',
	httpQueryAuth: 'a key of Etherscan',
};

/** What else people can try, by the paths of the forms and pages. */
const uses: Record<string, string> = {
	'screening-wallet': 'what was decided on an address.',
	'check-a-wallet': 'screen one wallet, and see the decision.',
	'payout-run': 'upload a CSV file of payouts, and get back which of them to pay.',
	'screening-policy': 'write new rules, and see which past decisions they would change.',
	'screening-audit': 'get a ZIP that an auditor can verify offline.',
	'reconcile-the-day': 'compare a day of your ledger with the log.',
	'verify-the-log': 'find results that were edited, removed or added.',
	'answer-a-release':
		'enter whether a payment was made, if its release is uncertain. There is none yet.',
	'rows-in-doubt': 'decide on rows of a long list that may have been screened. There are none yet.',
	'what-is-missing': 'see which workflows lack a credential or a value.',
};

/** A link that opens in a new tab. */
const linkInNewTab = (url: string, name: string) =>
	markup`<a href="${url}" target="_blank">${name}</a>`;

/** Links to the pages and forms of published workflows, by their paths. */
function linksOf({ editor, templates, visitor }: Start): Map<string, Markup> {
	const published = templates.filter(({ isPublished }) => isPublished);
	const links = published.flatMap(({ workflow }) =>
		workflow.nodes.flatMap(({ type, parameters }): Array<[string, Markup]> => {
			const { httpMethod = 'GET', formTitle, options } = parameters;
			const path = String(parameters.path ?? (options as { path?: string } | undefined)?.path);
			if (/\.formTrigger$/.test(type))
				return [[path, linkInNewTab(`${editor}/form/${path}`, String(formTitle))]];
			if (!/\.webhook$/.test(type) || httpMethod !== 'GET') return [];
			// With the login in the address, a browser does not ask for it.
			const url = Object.assign(new URL(`${editor}/webhook/${path}`), {
				username: visitor.user,
				password: visitor.password,
			});
			const name = path.replace('screening-', '').replace(/^./, (letter) => letter.toUpperCase());
			return [[path, linkInNewTab(url.href, name)]];
		}),
	);
	return new Map(links);
}

/** The paths of the first list of the page, which says more about each of them. */
const firstPaths = ['screening-board', 'answer-a-payment', 'screening-cases'];

/**
 * Paths that no list has: one shows its result only in the editor, two open by links in messages,
 * and one is for systems.
 */
const hiddenPaths = ['screen-a-wallet', 'answer-a-case', 'publish-a-policy', 'payment-status'];

/** Adds the first page: what to try, and what is where. */
export function addStart(app: FastifyInstance, start: Start): void {
	const { editor, first, templates, approvers, visitor, service } = start;
	const links = linksOf(start);
	/** An entry of a list with the link of this path; empty without such a link. */
	const entry = (path: string, says: Content) => {
		const link = links.get(path);
		return link ? markup`<li>${link}: ${says}</li>` : '';
	};
	const named = [...firstPaths, ...Object.keys(uses), ...hiddenPaths];
	const otherLinks = [...links].flatMap(([path, link]) => (named.includes(path) ? [] : link));
	const row = (name: Content, value: Content) => markup`<dt>${name}</dt><dd>${value}</dd>`;
	const code = (text: string) => markup`<span class="code">${text}</span>`;
	const account = ({ email, password }: Login) =>
		markup`${code(email)}, password ${code(password)}`;
	const lacking = templates.filter(({ missingCredentials }) => missingCredentials.length > 0);
	const body = markup`
<div class="notice">All of this is on your machine: invented reports, a pretend mailbox, a pretend payment system. Ctrl+C in the terminal deletes it.</div>
<div class="card"><h2>In five minutes</h2>
<ol>
${entry('screening-board', 'see how the past month went.')}
<li><a href="/payments/new">Send a test payment</a> to a wallet that is on a sanctions list.</li>
<li>Open the <a href="/mail">mailbox</a>. The newest message, at the top, is <b>STOPPED</b>: click its button. Log in as the first approver, and click <b>Allow access</b>, which n8n asks for once for each form. This payment cannot be released. Answer its case, e.g. as a true match.</li>
<li>Open the message again in a private window, as the second approver, and confirm the answer. The payment stays stopped. Had you both called it a false positive, n8n would ask for its approvals now.</li>
${entry('answer-a-payment', 'try to release P-1004, which is still stopped. The page explains why it cannot be released.')}
${entry('screening-cases', 'see what is due. The tab Closed has a true match and a false positive, each answered by one approver and confirmed by the other.')}
<li>The <a href="/payments">payment system</a> shows what n8n released and froze.</li>
</ol></div>
<div class="card"><h2>Log in as</h2>
<dl class="facts">${row('First approver', account(approvers[0]))}${row('Second approver', account(approvers[1]))}
${row('Board, cases, wallets', markup`user ${code(visitor.user)}, password ${code(visitor.password)}`)}</dl></div>
<div class="card"><h2>What else is here</h2>
<ul>
${Object.entries(uses).map(([path, says]) => entry(path, says))}
${otherLinks.map((link) => markup`<li>${link}</li>`)}
<li>${linkInNewTab(`${editor}/workflow/${first}`, 'Your first workflow')} in the editor: click <b>Execute workflow</b>.</li>
<li>${linkInNewTab(`${editor}/home/datatables`, 'Data tables')}: what the workflows wrote in the past month. The newest row of <i>Screening Policies</i> decides.</li>
</ul>
<p class="faint">The past month is invented. All its evidence carries the time at which you started the trial.</p></div>
<div class="card"><h2>The service</h2>
<p>A sandbox with invented reports, in all credentials here. For a workflow of your own:</p>
<dl class="facts">${row('Base URL', code(service.baseUrl))}${row('API key', code(service.apiKey))}${row('Webhook secret', code(service.webhookSecret))}</dl>
<p class="faint">Not published, because something is missing here: ${lacking.map(({ workflow, missingCredentials }) => `${workflow.name} (${missingCredentials.map((type) => needs[type] ?? type).join(', ')})`).join('; ')}.</p></div>`;
	app.get('/', (_request, reply) => sendPage(reply, 'Try wallet screening', body));
}
