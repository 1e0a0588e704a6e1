import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IDataObject, INode } from 'n8n-workflow';
import {
	type Credential,
	type Execution,
	type N8n,
	type Saved,
	startFreshInstance,
	startInstance,
	type Workflow,
} from '../../../tools/host/instance';
import { projectFolder } from '../../../tools/host/paths';
import { dataOf, logIn, type Rest } from '../../../tools/host/rest';
import { until } from '../../../tools/host/until';
import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { secrets } from '../../support/triggers';
import { serviceCredential } from '../../support/workflows';
import { type DataTable, dataTable } from './dataTable';
import { etherscanKey } from './explorers';
import { startInternet } from './internet';
import { type Mail, startMail } from './mail';
import { type Model, startModel } from './model';
import { createSheets, type Sheets } from './sheets';
import { createSlack, type Slack } from './slack';
import { startTeamSystem, type TeamSystem } from './teamSystem';

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
	/** The systems of the team, which take requests with the token of the outgoing credential. */
	team: TeamSystem;
	/** The saved credential of the service. */
	service: Saved<Credential>;
	/** The header that lets a caller in to a template's webhook. */
	callerHeader: Record<string, string>;
	/** The folder that n8n may write files to, unless told otherwise. */
	filesFolder: string;
	/**
	 * Imports a template as the editor does, and sets what its red marks ask for: credentials, channel, addresses of mail,
	 * and the workflows that it calls, which must be imported before it.
	 */
	importTemplate(file: string, changes?: Changes): Promise<Saved<Workflow>>;
	/** Imports a template and publishes it. */
	publishTemplate(file: string, changes?: Changes): Promise<Saved<Workflow>>;
	/** A data table that Set Up made. */
	table(name: string): DataTable;
	/** Does what "Execute workflow" of the named trigger does, and waits for the end. */
	runFrom(workflow: Saved<Workflow>, trigger: string, data?: unknown): Promise<Execution>;
	/** Kills n8n in the middle of whatever it does, and starts it again with what it had stored. */
	killAndRestart(): Promise<void>;
	/** Forgets what was sent so far, and ends all faults. */
	clear(): void;
	close(): Promise<void>;
}

/** What the workflows send to the systems of the team. */
export const outgoingToken = 'token-of-the-systems-of-the-team';

/** A schedule that does not run by itself while a test looks; the test says when. */
export const never = { rule: { interval: [{ field: 'months', monthsInterval: 12 }] } };

/** What a trigger gives, for `runFrom`. */
export const outputOf = (json: IDataObject) => ({
	...{ startTime: 0, executionTime: 0, executionIndex: 0, source: [] },
	...{ executionStatus: 'success', data: { main: [[{ json }]] } },
});

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

/** The file of a template, as a user downloads it. */
export async function readTemplate(file: string): Promise<Workflow> {
	const path = join(projectFolder, 'templates', `${file}.json`);
	return JSON.parse(await readFile(path, 'utf8')) as Workflow;
}

/** The workflow that a node named so calls: nodes have the name of their workflow, or of its last part. */
function calledBy({ name }: INode, imported: ReadonlyMap<string, string>): string | undefined {
	const [, id] =
		[...imported].find(([title]) => title === name || title.endsWith(`: ${name}`)) ?? [];
	return id;
}

export async function startStage(
	name: string,
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
	const options = { environment: { ...internet.environment, HOME: home, ...environment } };
	let n8n = await startFreshInstance(name, options);
	const sandbox = await startSandbox({ limit: null, jobDurationMs: 200 });
	const team = await startTeamSystem({ authorization: `Bearer ${outgoingToken}` });
	let rest = await logIn(n8n.url, n8n.login);

	const callerHeader = { 'X-Caller-Key': 'caller-key-of-the-test' };
	const service = serviceCredential(sandbox.keys.readWrite, sandbox.baseUrl);
	const [headerName = '', headerValue = ''] = Object.entries(callerHeader)[0] ?? [];
	const credentials = await Promise.all(
		[
			{ ...service, data: { ...service.data, webhookSecret: secrets.body } },
			{
				name: 'Slack',
				type: 'slackApi',
				data: { accessToken: slack.token, signatureSecret: slack.signingSecret },
			},
			mail.credential,
			model.credential,
			sheets.credential,
			{ name: 'Caller', type: 'httpHeaderAuth', data: { name: headerName, value: headerValue } },
			{ name: 'Systems', type: 'httpBearerAuth', data: { token: outgoingToken } },
			{ name: 'Etherscan', type: 'httpQueryAuth', data: { name: 'apikey', value: etherscanKey } },
		].map(async (credential: Credential) => await n8n.saveCredential(credential)),
	);
	const typeOf: Record<string, string> = {
		'n8n-nodes-wallet-screening.walletScreening': 'walletScreeningApi',
		'n8n-nodes-wallet-screening.walletScreeningTrigger': 'walletScreeningApi',
		'n8n-nodes-base.slack': 'slackApi',
		'n8n-nodes-base.googleSheets': 'googleApi',
		'n8n-nodes-base.emailSend': 'smtp',
		'n8n-nodes-base.webhook': 'httpHeaderAuth',
		'@n8n/n8n-nodes-langchain.lmChatOpenAi': 'openAiApi',
		'@n8n/n8n-nodes-langchain.mcpTrigger': 'httpBearerAuth',
	};
	const imported = new Map<string, string>();
	const byName = (mode: string, value: string) => ({ __rl: true, mode, value });
	const filledIn = (node: INode): INode => {
		const { type, parameters } = node;
		const wanted = typeOf[type] ?? String(parameters.genericAuthType);
		const credential = credentials.find((one) => one.type === wanted);
		const values: Record<string, INode['parameters']> = {
			'n8n-nodes-base.slack': { channelId: byName('name', '#compliance') },
			'n8n-nodes-base.emailSend': {
				fromEmail: 'n8n@example.com',
				toEmail: 'compliance@example.com',
			},
			'n8n-nodes-base.googleSheets': {
				documentId: byName('url', sheets.url),
				sheetName: byName('name', sheets.tab),
			},
		};
		const calls = /\.(executeWorkflow|toolWorkflow)$/.test(type);
		const { value: chosen } = (parameters.workflowId ?? {}) as { value?: string };
		const called = calls && !chosen ? calledBy(node, imported) : undefined;
		return {
			...node,
			...(credential && {
				credentials: { [credential.type]: { id: credential.id, name: credential.name } },
			}),
			parameters: {
				...parameters,
				...values[type],
				...(called && { workflowId: byName('id', called) }),
			},
		};
	};
	const importTemplate: Stage['importTemplate'] = async (file, changes = {}) => {
		const template = await readTemplate(file);
		const nodes = template.nodes.map(filledIn).map((node) => {
			const { parameters, ...others } = changes[node.name] ?? {};
			return { ...node, ...others, parameters: { ...node.parameters, ...parameters } };
		});
		const saved = await n8n.saveWorkflow({ ...template, nodes });
		if (!imported.has(saved.name)) imported.set(saved.name, saved.id);
		return saved;
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
		team,
		importTemplate,
		async publishTemplate(file, changes) {
			const saved = await importTemplate(file, changes);
			await n8n.publishWorkflow(saved);
			imported.set(saved.name, saved.id);
			return saved;
		},
		table: (name) => dataTable(() => rest, name),
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
			team.requests.length = 0;
			team.down.clear();
			team.onRequest = () => {};
			sheets.before = () => undefined;
			sheets.writes.length = 0;
			mail.isDown = false;
			for (const list of [
				slack.messages,
				slack.refused,
				slack.calls,
				mail.letters,
				model.requests,
			]) {
				list.length = 0;
			}
		},
		async close() {
			await n8n.stop();
			await Promise.all(
				[sandbox, internet, mail, model, team].map(async (one) => await one.close()),
			);
			await rm(home, { recursive: true });
		},
	};
}
