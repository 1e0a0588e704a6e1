import type { FastifyInstance } from 'fastify';
import type { ImportedTemplate } from './importTemplates';
import { sendPage } from './site';
import { type Link, type StartContent, startPage } from './startPage';

export interface StartOptions extends Pick<StartContent, 'approvers' | 'visitor' | 'service'> {
	/** The address of n8n, as a browser reaches it. */
	readonly editor: string;
	/** The ID of the workflow to begin with in the editor. */
	readonly firstWorkflowId: string;
	readonly templates: readonly ImportedTemplate[];
}

/** A plainer name for some of n8n's types of credentials. */
const credentialNames: Record<string, string> = {
	slackApi: 'Slack',
	googleApi: 'Google Sheets',
	openAiApi: 'a language model',
	httpQueryAuth: 'a key of Etherscan',
};

/**
 * Links to the pages and forms of published workflows, by their paths.
 *
 * @example 'check-a-wallet' → { name: 'Check a Wallet', url: 'http://…/form/check-a-wallet' }
 */
function linksOf({ editor, templates, visitor }: StartOptions): Map<string, Link> {
	const published = templates.filter(({ isPublished }) => isPublished);
	const links = published.flatMap(({ workflow }) =>
		workflow.nodes.flatMap(({ type, parameters }): Array<[string, Link]> => {
			const { httpMethod = 'GET', formTitle, options } = parameters;
			const path = String(parameters.path ?? (options as { path?: string } | undefined)?.path);
			if (/\.formTrigger$/.test(type))
				return [[path, { name: String(formTitle), url: `${editor}/form/${path}` }]];
			if (/\.webhook$/.test(type) && httpMethod === 'GET')
				return [[path, linkToPage(`${editor}/webhook/${path}`, path, visitor)]];
			return [];
		}),
	);
	return new Map(links);
}

/**
 * A link to a page behind a password. A browser does not ask for a login that is in the address.
 */
function linkToPage(address: string, path: string, visitor: StartOptions['visitor']): Link {
	const login = { username: visitor.user, password: visitor.password };
	const { href } = Object.assign(new URL(address), login);
	const name = path.replace('screening-', '').replace(/^./, (letter) => letter.toUpperCase());
	return { name, url: href };
}

/**
 * The templates that lack credentials, each with what it lacks.
 *
 * @example 'Screen a Sheet (Google Sheets, Slack)'
 */
function incompleteTemplates(templates: readonly ImportedTemplate[]): string[] {
	return templates
		.filter(({ missingCredentials }) => missingCredentials.length > 0)
		.map(({ workflow, missingCredentials }) => {
			const missing = missingCredentials.map((type) => credentialNames[type] ?? type);
			return `${workflow.name} (${missing.join(', ')})`;
		});
}

/** Adds the first page: what to try, and what is where. */
export function addStartPage(app: FastifyInstance, options: StartOptions): void {
	const { editor, firstWorkflowId, templates, ...logins } = options;
	const body = startPage({
		...logins,
		links: linksOf(options),
		firstWorkflow: `${editor}/workflow/${firstWorkflowId}`,
		dataTables: `${editor}/home/datatables`,
		incomplete: incompleteTemplates(templates),
	});
	app.get('/', (_request, reply) => sendPage(reply, 'Try wallet screening', body));
}
