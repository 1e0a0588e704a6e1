import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import {
	type Credential,
	type Execution,
	outputOf,
	type Saved,
	startFreshInstance,
	startInstance,
	type Workflow,
} from '../../../tools/host/instance';
import { projectFolder } from '../../../tools/host/paths';
import { logIn } from '../../../tools/host/rest';
import { startMail } from '../../../tools/trial/mail';
import { replaceCalls, resourceLocator, applyChoices } from '../../../tools/trial/wiring';
import { startSandbox } from '../../../sandbox/server';
import { startInternet } from '../../support/internet';
import { secrets } from '../../support/triggers';
import { serviceCredential } from '../../support/workflows';
import { etherscanKey } from './explorers';
import { startModel } from './model';
import { signingText } from './paymentSystem';
import { createSheets } from './sheets';
import { createSlack } from './slack';
import { startTeamSystem } from './teamSystem';

export { resourceLocator, outputOf };

/** What a user changes in the nodes of a template, by the name of the node; of the parameters only the given ones. */
type Changes = Readonly<Record<string, Partial<INode>>>;

/** An n8n, in which nothing goes beyond this machine, and all that the templates talk to. */
export type Stage = Awaited<ReturnType<typeof startStage>>;

/** The stage of the tests of this process. */
export let stage: Stage;
export async function openStage(...given: Parameters<typeof startStage>): Promise<void> {
	stage = await startStage(...given);
}

/** What the workflows send to the systems of the team. */
export const outgoingToken = 'token-of-the-systems-of-the-team';
/** Lets a caller in to a template's webhook. */
export const callerHeader = { 'X-Caller-Key': 'caller-key-of-the-test' };
/** Lets a reader in to the pages. */
export const reader = { user: 'reader', password: 'password-of-the-pages' };

/** A schedule that does not run by itself while a test looks; the test says when. */
export const yearlySchedule = {
	parameters: { rule: { interval: [{ field: 'months', monthsInterval: 12 }] } },
};

/** A past time, for what is due then. */
export const pastTime = '2026-01-01T00:00:00.000Z';

/** Posts JSON to a published workflow's webhook, as a caller whom it lets in. */
export async function postTo(
	path: string,
	body: unknown,
	headers: Record<string, string> = callerHeader,
): Promise<Response> {
	return await fetch(`${stage.n8n.url}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: typeof body === 'string' ? body : JSON.stringify(body),
	});
}

/** All that was said in Slack. */
export const slackTexts = () => JSON.stringify(stage.slack.messages);

/** Waits, for so many milliseconds at most, until no execution is in progress. */
export const untilQuiet = async (patience?: number) => await stage.n8n.untilQuiet(patience);

/** The file of a template, as a user downloads it. */
export async function readTemplate(file: string): Promise<Saved<Workflow>> {
	const path = join(projectFolder, 'templates', `${file}.json`);
	return JSON.parse(await readFile(path, 'utf8')) as Saved<Workflow>;
}

/** The parameters of a node of a template, to be changed. */
export async function parametersOf(file: string, node: string): Promise<any> {
	const { nodes } = await readTemplate(file);
	return nodes.find(({ name }) => name === node)!.parameters;
}

export async function startStage(name: string, environment: Record<string, string> = {}) {
	const [slack, sheets] = [createSlack(), createSheets()];
	const sites = { 'slack.com': slack.site, ...sheets.sites };
	const [internet, mail, model, team, sandbox] = await Promise.all([
		startInternet(sites),
		startMail(),
		startModel(),
		startTeamSystem(`Bearer ${outgoingToken}`),
		startSandbox({ limit: null, jobDurationMs: 200 }),
	]);
	const home = await mkdtemp(join(tmpdir(), 'home-'));
	const filesFolder = join(home, '.n8n-files');
	await mkdir(filesFolder);
	const behindProxy = { N8N_PROXY_HOPS: '1' };
	const options = {
		environment: { ...internet.environment, ...behindProxy, HOME: home, ...environment },
	};
	const n8n = await startFreshInstance(name, options);

	const service = serviceCredential(sandbox.keys.readWrite, sandbox.baseUrl);
	const [[headerName, headerValue]] = Object.entries(callerHeader) as [[string, string]];
	const credential = async (type: string, data: Credential['data'], name = type) =>
		await n8n.saveCredential({ name, type, data });
	const credentials = await Promise.all([
		credential(
			service.type,
			{ ...service.data, webhookSecret: secrets.body },
			'Wallet Screening account',
		),
		credential('slackApi', { accessToken: slack.token, signatureSecret: slack.signingSecret }),
		credential('httpHeaderAuth', { name: headerName, value: headerValue }),
		credential('httpBearerAuth', { token: outgoingToken }),
		credential('httpBasicAuth', reader),
		credential('crypto', { hmacSecret: signingText }),
		credential('httpQueryAuth', { name: 'apikey', value: etherscanKey }),
		...[mail, model, sheets].map(async (one) => await n8n.saveCredential(one.credential)),
	]);

	/** The workflow that others call in place of a template, by the id of the template. */
	const imported = new Map<string, string>();
	/** The one that was first published, by the id of the template. */
	const first = new Map<string, string>();
	/** The id of the template that a workflow was made from, by the id of the workflow. */
	const templateOf = new Map<string, string>();
	const values = {
		fromEmail: 'n8n@example.com',
		toEmail: 'team@example.com',
		channelId: resourceLocator('name', '#compliance'),
		documentId: resourceLocator('url', sheets.url),
		sheetName: resourceLocator('name', sheets.tab),
		answer_field: 'done',
		answer_value: 'true',
		frozen_field: 'done',
		frozen_value: 'true',
		ticket_field: 'id',
		folder: filesFolder,
		report_days: 10,
	};
	/**
	 * Imports a template as the editor does, and sets what its red marks ask for: credentials, channel, addresses of mail,
	 * and the workflows that it calls, which must be imported before it.
	 */
	async function importTemplate(file: string, changes: Changes = {}): Promise<Saved<Workflow>> {
		const { id, settings, ...template } = await readTemplate(file);
		// Several workflows of one template may be here. What fails in one, the test of it tells.
		const { errorWorkflow: _, ...others } = settings ?? {};
		const workflow = applyChoices(replaceCalls({ ...template, settings: others }, imported), {
			credentials,
			values,
		});
		const nodes = workflow.nodes.map((node) => {
			const { parameters, ...others } = changes[node.name] ?? {};
			return { ...node, ...others, parameters: { ...node.parameters, ...parameters } };
		});
		const saved = await stage.n8n.saveWorkflow({ ...workflow, nodes });
		templateOf.set(saved.id, id);
		if (!imported.has(id)) imported.set(id, saved.id);
		return saved;
	}

	return {
		sandbox,
		slack,
		sheets,
		mail,
		model,
		importTemplate,
		/** The systems of the team, which take requests with the token of the outgoing credential. */
		team,
		/** Another one after `killAndRestart`, at another port. */
		n8n,
		rest: await logIn(n8n.url, n8n.login),
		/** The saved credential of the service. */
		service: credentials[0]!,
		/** The folder that n8n may write files to, unless told otherwise. */
		filesFolder,
		/** What was published since Set Up, and not withdrawn. */
		published: [] as Array<Saved<Workflow>>,
		/** Imports a template and publishes it. */
		async publishTemplate(file: string, changes?: Changes): Promise<Saved<Workflow>> {
			const saved = await importTemplate(file, changes);
			await stage.n8n.publishWorkflow(saved);
			stage.published.push(saved);
			const template = templateOf.get(saved.id)!;
			imported.set(template, saved.id);
			if (!first.has(template)) first.set(template, saved.id);
			return saved;
		},
		async withdrawAll(): Promise<void> {
			for (const one of stage.published.splice(0)) {
				await stage.n8n.unpublishWorkflow(one);
				const template = templateOf.get(one.id)!;
				imported.set(template, first.get(template)!);
			}
		},
		/**
		 * Does what "Execute workflow" of the named trigger does, and waits for the end.
		 *
		 * @throws the workflow, the node and the reason, if the execution fails
		 */
		async runFrom(workflow: Saved<Workflow>, from: string, data?: unknown): Promise<Execution> {
			const execution = await stage.n8n.runFrom(workflow, from, data);
			if (execution.status === 'success') return execution;
			const { error, lastNodeExecuted } = execution.data.resultData;
			const reason = error?.message ?? execution.status;
			throw new Error(`"${workflow.name}" failed at its node "${lastNodeExecuted}": ${reason}`);
		},
		/** Runs a workflow like `runFrom`. @returns the reason for which the execution failed; @throws if it did not fail */
		async runToFailure(workflow: Saved<Workflow>, from: string): Promise<string> {
			const { status, data } = await stage.n8n.runFrom(workflow, from);
			if (status !== 'error') throw new Error(`"${workflow.name}" ended with ${status}`);
			return data.resultData.error?.message ?? '';
		},
		/** Kills n8n in the middle of whatever it does, and starts it again with what it had stored. */
		async killAndRestart(): Promise<void> {
			process.kill(await stage.n8n.processId(), 'SIGKILL');
			await stage.n8n.stop();
			stage.n8n = await startInstance({ ...options, userFolder: stage.n8n.userFolder });
			stage.rest = await logIn(stage.n8n.url, stage.n8n.login);
		},
		/** Lets those of the two be down, and no other. */
		setDown(...down: Array<'slack' | 'mail'>): void {
			for (const one of ['slack', 'mail'] as const) stage[one].isDown = down.includes(one);
		},
		/** Forgets what was sent so far, and ends all faults. */
		clear(): void {
			sandbox.clearFaults();
			sandbox.requests.length = 0;
			stage.setDown();
			Object.assign(slack, { meanwhile: undefined, messages: [], refused: [], calls: [] });
			Object.assign(team, { requests: [], answer: null, onRequest: () => {} });
			for (const one of [team.down, team.refusing]) one.clear();
			Object.assign(sheets, { before: () => {}, writes: [] });
			[mail.letters, model.requests] = [[], []];
		},
		async close(): Promise<void> {
			await stage.n8n.stop();
			const parts = [sandbox, internet, mail, model, team];
			await Promise.all(parts.map(async (one) => await one.close()));
			await rm(home, { recursive: true });
		},
	};
}
