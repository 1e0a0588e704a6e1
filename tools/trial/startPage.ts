/** The first page of the trial: its texts and its HTML. `start.ts` finds what it shows. */
import { type Content, markup, type Markup } from '../../sandbox/markup';
import type { Login } from '../host/rest';

export interface Link {
	readonly name: string;
	readonly url: string;
}

export interface StartContent {
	/** The pages and forms of published workflows, by their paths. */
	readonly links: ReadonlyMap<string, Link>;
	/** Addresses in n8n's editor. */
	readonly firstWorkflow: string;
	readonly dataTables: string;
	/** The accounts of n8n that approve payments. */
	readonly approvers: readonly [Login, Login];
	/** The login for the pages of workflows. */
	readonly visitor: { readonly user: string; readonly password: string };
	/** The values of the credential of the service. */
	readonly service: Readonly<Record<'baseUrl' | 'apiKey' | 'webhookSecret', string>>;
	/** The workflows that are not published, each with what it lacks. */
	readonly incomplete: readonly string[];
}

/** Paths in the first list of the page, which leads a visitor through them. */
const tour = ['screening-board', 'answer-a-payment', 'screening-cases'];

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

/**
 * Paths that no list has: one shows its result only in the editor, two open by links in messages,
 * and one is for systems.
 */
const hiddenPaths = ['screen-a-wallet', 'answer-a-case', 'publish-a-policy', 'payment-status'];

/** The first page, without the heading and the links that all pages have. */
export function startPage(content: StartContent): Markup {
	return markup`
<div class="notice">All of this is on your machine: invented reports, a pretend mailbox, a pretend payment system. Ctrl+C in the terminal deletes it.</div>
${tourCard(content)}
${loginCard(content)}
${usesCard(content)}
${serviceCard(content)}`;
}

function tourCard({ links }: StartContent): Markup {
	return markup`<div class="card"><h2>In five minutes</h2>
<ol>
${entry(links, 'screening-board', 'see how the past month went.')}
<li><a href="/payments/new">Send a test payment</a> to a wallet that is on a sanctions list.</li>
<li>Open the <a href="/mail">mailbox</a>. The newest message, at the top, is <b>STOPPED</b>: click its button. Log in as the first approver, and click <b>Allow access</b>, which n8n asks for once for each form. This payment cannot be released. Answer its case, e.g. as a true match.</li>
<li>Open the message again in a private window, as the second approver, and confirm the answer. The payment stays stopped. Had you both called it a false positive, n8n would ask for its approvals now.</li>
${entry(links, 'answer-a-payment', 'try to release P-1004, which is still stopped. The page explains why it cannot be released.')}
${entry(links, 'screening-cases', 'see what is due. The tab Closed has a true match and a false positive, each answered by one approver and confirmed by the other.')}
<li>The <a href="/payments">payment system</a> shows what n8n released and froze.</li>
</ol></div>`;
}

function loginCard({ approvers: [first, second], visitor }: StartContent): Markup {
	return markup`<div class="card"><h2>Log in as</h2>
<dl class="facts">${row('First approver', account(first))}${row('Second approver', account(second))}
${row('Board, cases, wallets', markup`user ${code(visitor.user)}, password ${code(visitor.password)}`)}</dl></div>`;
}

function usesCard({ links, firstWorkflow, dataTables }: StartContent): Markup {
	const named = [...tour, ...Object.keys(uses), ...hiddenPaths];
	const others = [...links].filter(([path]) => !named.includes(path)).map(([, link]) => link);
	return markup`<div class="card"><h2>What else is here</h2>
<ul>
${Object.entries(uses).map(([path, says]) => entry(links, path, says))}
${others.map((link) => markup`<li>${linkInNewTab(link)}</li>`)}
<li>${linkInNewTab({ url: firstWorkflow, name: 'Your first workflow' })} in the editor: click <b>Execute workflow</b>.</li>
<li>${linkInNewTab({ url: dataTables, name: 'Data tables' })}: what the workflows wrote in the past month. The newest row of <i>Screening Policies</i> decides.</li>
</ul>
<p class="faint">The past month is invented. All its evidence carries the time at which you started the trial.</p></div>`;
}

function serviceCard({ service, incomplete }: StartContent): Markup {
	const { baseUrl, apiKey, webhookSecret } = service;
	return markup`<div class="card"><h2>The service</h2>
<p>A sandbox with invented reports, in all credentials here. For a workflow of your own:</p>
<dl class="facts">${row('Base URL', code(baseUrl))}${row('API key', code(apiKey))}${row('Webhook secret', code(webhookSecret))}</dl>
<p class="faint">Not published, because something is missing here: ${incomplete.join('; ')}.</p></div>`;
}

/** An entry of a list with the link of this path; empty if no published workflow has it. */
function entry(links: StartContent['links'], path: string, says: string): Content {
	const link = links.get(path);
	return link ? markup`<li>${linkInNewTab(link)}: ${says}</li>` : '';
}

const linkInNewTab = ({ url, name }: Link) => markup`<a href="${url}" target="_blank">${name}</a>`;
const row = (name: string, value: Content) => markup`<dt>${name}</dt><dd>${value}</dd>`;
const code = (text: string) => markup`<span class="code">${text}</span>`;
const account = ({ email, password }: Login) => markup`${code(email)}, password ${code(password)}`;
