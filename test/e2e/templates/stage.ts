import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import {
	type Credential,
	type Execution,
	type N8n,
	type Saved,
	startFreshInstance,
	startInstance,
	type Workflow,
} from '../../../host/instance';
import { defaultN8nVersion, type N8nVersionName } from '../../../host/versions';
import { dataOf, logIn, type Rest } from '../../../host/rest';
import { until } from '../../../host/until';
import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { secrets } from '../../support/triggers';
import { serviceCredential } from '../../support/workflows';
import { startInternet } from './internet';
import { type Mail, startMail } from './mail';
import { type Model, startModel } from './model';
import { createSheets, type Sheets } from './sheets';
import { createSlack, type Slack } from './slack';

/** What a user changes in the nodes of a template, by the name of the node; of the parameters only the given ones. */
export type Changes = Readonly<Record<string, Partial<INode>>>;

/** An n8n, in which nothing goes beyond this machine, and all that the templates talk to. */
export interface Stage {
	/** Another one after `killAndRestart`, at another port. */
	readonly n8n: N8n;
	readonly rest: Rest;
	sandbox: Sandbox;
	slack: Slack;
	sheets: Sheets;
	mail: Mail;
	model: Model;
	/** The saved credential of the service. */
	service: Saved<Credential>;
	/** The header that lets a caller in to a template's webhook. */
	callerHeader: Record<string, string>;
	/** The folder that n8n may write files to, unless told otherwise. */
	filesFolder: string;
	/** Imports a template as the editor does, and chooses its credentials. */
	importTemplate(template: unknown, changes?: Changes): Promise<Saved<Workflow>>;
	/** Does what "Execute workflow" of the named trigger does, and waits for the end. */
	runFrom(workflow: Saved<Workflow>, trigger: string, data?: unknown): Promise<Execution>;
	/** Kills n8n in the middle of whatever it does, and starts it again with what it had stored. */
	killAndRestart(): Promise<void>;
	/** Forgets what was sent so far, and ends all faults. */
	clear(): void;
	close(): Promise<void>;
}

/** A schedule that does not run by itself while a test looks; the test says when. */
export const never = { rule: { interval: [{ field: 'months', monthsInterval: 12 }] } };

/** The URL of a published workflow's webhook. */
export const webhookUrl = ({ n8n }: Stage, path: string) => `${n8n.url}/webhook/${path}`;

/** Posts JSON to a published workflow's webhook, as a caller whom it lets in. */
export async function postTo(
	stage: Stage,
	path: string,
	body: unknown,
	headers: Record<string, string> = stage.callerHeader,
): Promise<Response> {
	return await fetch(webhookUrl(stage, path), {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: JSON.stringify(body),
	});
}

/** Waits until no execution of the workflow is in progress. */
export async function untilQuiet({ n8n }: Stage, workflow: Saved<Workflow>): Promise<void> {
	await until('all executions to end', async () => {
		const all = await n8n.executionsOf(workflow);
		return all.every(({ status }) => !['new', 'running'].includes(status)) || undefined;
	});
}

export async function startStage(
	name: string,
	version: N8nVersionName = defaultN8nVersion,
	environment: Readonly<Record<string, string>> = {},
): Promise<Stage> {
	const [slack, sheets] = [createSlack(), createSheets()];
	const sites = { 'slack.com': slack.site, ...sheets.sites };
	const [internet, mail, model] = await Promise.all([
		startInternet(sites),
		startMail(),
		startModel(),
	]);
	const home = await mkdtemp(join(tmpdir(), 'home-'));
	const filesFolder = join(home, '.n8n-files');
	await mkdir(filesFolder);
	const options = { version, environment: { ...internet.environment, HOME: home, ...environment } };
	let n8n = await startFreshInstance(name, options);
	const sandbox = await startSandbox({ limit: null, jobDurationMs: 200 });
	let rest = await logIn(n8n.url, n8n.login);

	const callerHeader = { 'X-Caller-Key': 'caller-key-of-the-test' };
	const service = serviceCredential(sandbox.keys.readWrite, sandbox.baseUrl);
	const [headerName = '', headerValue = ''] = Object.entries(callerHeader)[0] ?? [];
	const credentials = await Promise.all(
		[
			{ ...service, data: { ...service.data, webhookSecret: secrets.body } },
			{ name: 'Slack', type: 'slackApi', data: { accessToken: slack.token } },
			mail.credential,
			model.credential,
			sheets.credential,
			{ name: 'Caller', type: 'httpHeaderAuth', data: { name: headerName, value: headerValue } },
		].map(async (credential: Credential) => await n8n.saveCredential(credential)),
	);
	const typeOf: Record<string, string> = {
		'n8n-nodes-wallet-screening.walletScreening': 'walletScreeningApi',
		'n8n-nodes-wallet-screening.walletScreeningTool': 'walletScreeningApi',
		'n8n-nodes-wallet-screening.walletScreeningTrigger': 'walletScreeningApi',
		'n8n-nodes-base.slack': 'slackApi',
		'n8n-nodes-base.googleSheets': 'googleApi',
		'n8n-nodes-base.emailSend': 'smtp',
		'n8n-nodes-base.webhook': 'httpHeaderAuth',
		'n8n-nodes-base.httpRequest': 'httpHeaderAuth',
		'@n8n/n8n-nodes-langchain.lmChatOpenAi': 'openAiApi',
	};
	const withCredentials = (node: INode): INode => {
		const credential = credentials.find(({ type }) => type === typeOf[node.type]);
		if (!credential) return node;
		const { id, type, name: label } = credential;
		return { ...node, credentials: { [type]: { id, name: label } } };
	};

	return {
		get n8n() {
			return n8n;
		},
		get rest() {
			return rest;
		},
		sandbox,
		slack,
		sheets,
		mail,
		model,
		service: credentials[0]!,
		callerHeader,
		filesFolder,
		importTemplate: async (template, changes = {}) => {
			const workflow = template as Workflow;
			const nodes = workflow.nodes.map(withCredentials).map((node) => {
				const { parameters, ...others } = changes[node.name] ?? {};
				return { ...node, ...others, parameters: { ...node.parameters, ...parameters } };
			});
			return await n8n.saveWorkflow({ ...workflow, nodes });
		},
		runFrom: async (workflow, trigger, data) => {
			const body = {
				workflowData: workflow,
				triggerToStartFrom: { name: trigger, ...(data !== undefined && { data }) },
			};
			const path = `/workflows/${workflow.id}/run`;
			const { executionId } = await dataOf<{ executionId: string }>(rest('POST', path, body));
			return await n8n.finishedExecution(executionId);
		},
		async killAndRestart() {
			process.kill(await n8n.processId(), 'SIGKILL');
			await n8n.stop();
			n8n = await startInstance({ ...options, userFolder: n8n.userFolder });
			rest = await logIn(n8n.url, n8n.login);
		},
		clear() {
			sandbox.clearFaults();
			sandbox.requests.length = 0;
			slack.isDown = false;
			slack.meanwhile = undefined;
			sheets.before = () => undefined;
			sheets.writes.length = 0;
			mail.isDown = false;
			for (const list of [slack.messages, slack.refused, mail.letters, model.requests]) {
				list.length = 0;
			}
		},
		async close() {
			await n8n.stop();
			await Promise.all([sandbox, internet, mail, model].map(async (one) => await one.close()));
			await rm(home, { recursive: true });
		},
	};
}
