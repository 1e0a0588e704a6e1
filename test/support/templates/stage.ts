import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import type { PlanJob } from '../../../sandbox/bulk';
import type { Sandbox } from '../../../sandbox/server';
import {
	type InstanceOptions,
	type N8n,
	startFreshInstance,
	startInstance,
} from '../../../tools/host/instance';
import {
	type Credential,
	type Execution,
	failureOf,
	requireSuccess,
	type Saved,
	type Workflow,
} from '../../../tools/host/workflow';
import {
	type Cluster,
	type ClusterOptions,
	startFreshCluster,
} from '../../../tools/host/queue/cluster';
import { logIn, type Rest } from '../../../tools/host/rest';
import type { MailServer } from '../../../tools/trial/mail';
import { readTemplate } from '../../../tools/trial/templates';
import { applyChoices, replaceCalls } from '../../../tools/trial/wiring';
import type { Model } from '../servers/model';
import type { Sheets } from '../servers/sheets';
import type { Slack } from '../servers/slack';
import {
	clearStandIns,
	closeStandIns,
	credentialsFor,
	fieldValues,
	type StandIns,
	startStandIns,
} from './standIns';
import type { TeamSystem } from '../servers/teamSystem';
import { withoutEditor } from '../n8n/environment';

/**
 * What a user changes in the nodes of a template, by the names of the nodes. Parameters that are
 * not given stay as they are.
 */
export type Changes = Readonly<Record<string, Partial<INode>>>;

/** What only a few stages need. */
interface StageOptions {
	/** If it is given, n8n runs in queue mode. */
	readonly cluster?: ClusterOptions;
	/** How long each bulk job takes; otherwise all take `quickJobMs`. */
	readonly jobs?: PlanJob;
}

/** An n8n that reaches nothing beyond this machine, and all that the templates talk to. */
export class Stage {
	readonly sandbox: Sandbox;
	readonly slack: Slack;
	readonly sheets: Sheets;
	readonly mail: MailServer;
	readonly model: Model;
	readonly team: TeamSystem;
	/** What was published since Set Up, and not withdrawn. */
	published: Array<Saved<Workflow>> = [];
	/** The mail addresses of the people who have an account, except the owner. */
	readonly invited = new Set<string>();

	/* Maps from ID to ID. A template can be imported several times, each time as another workflow. */

	/** For each template, its workflow that other workflows call. */
	private readonly calledWorkflows = new Map<string, string>();
	/** For each template, its workflow that was published first. */
	private readonly firstPublished = new Map<string, string>();
	/** For each workflow, its template. */
	private readonly templateIds = new Map<string, string>();

	/** The whole of n8n in queue mode, of which `n8n` is the main process. */
	private cluster: Cluster | undefined;

	private constructor(
		/** `killAndRestart` replaces it by another one at another port. */
		public n8n: N8n,
		/** Sends requests to this n8n as its owner. */
		public rest: Rest,
		private readonly options: Omit<InstanceOptions, 'userFolder'>,
		private readonly credentials: ReadonlyArray<Saved<Credential>>,
		/** The home folder of the user as whom n8n runs. */
		private readonly home: string,
		private readonly standIns: StandIns,
	) {
		this.sandbox = standIns.sandbox;
		this.slack = standIns.slack;
		this.sheets = standIns.sheets;
		this.mail = standIns.mail;
		this.model = standIns.model;
		this.team = standIns.team;
	}

	/**
	 * Starts an n8n and all that the templates talk to, and saves the credentials for it.
	 *
	 * @param name the name of n8n's folder
	 * @param environment variables of n8n, in addition to those that keep it on this machine
	 */
	static async start(
		name: string,
		environment: Record<string, string> = {},
		{ cluster: clusterOptions, jobs }: StageOptions = {},
	): Promise<Stage> {
		const standIns = await startStandIns(jobs);
		const home = await mkdtemp(join(tmpdir(), 'home-'));
		let running: Pick<N8n, 'stop'> | undefined;
		try {
			await mkdir(filesFolderIn(home));
			const options = {
				environment: {
					...standIns.internet.environment,
					...withoutEditor,
					N8N_PROXY_HOPS: '1',
					HOME: home,
					...environment,
				},
			};
			const cluster =
				clusterOptions && (await startFreshCluster(name, { ...clusterOptions, ...options }));
			const n8n = cluster?.main ?? (await startFreshInstance(name, options));
			running = cluster ?? n8n;
			const rest = await logIn(n8n.url, n8n.login);
			const credentials = await Promise.all(credentialsFor(standIns).map(n8n.saveCredential));
			const stage = new Stage(n8n, rest, options, credentials, home, standIns);
			stage.cluster = cluster;
			return stage;
		} catch (error) {
			// Whatever stayed open would keep this process from ending.
			await running?.stop();
			await closeStandIns(standIns);
			await rm(home, { recursive: true });
			throw error;
		}
	}

	/** The saved credential of the service. */
	get service(): Saved<Credential> {
		return this.credentials[0]!;
	}

	/** Whether n8n is in queue mode. */
	get isInQueueMode(): boolean {
		return this.cluster !== undefined;
	}

	/** The folder that n8n may write files to, unless it is set up otherwise. */
	get filesFolder(): string {
		return filesFolderIn(this.home);
	}

	/**
	 * Imports a template as the editor does, and sets what its red marks ask for: credentials,
	 * channel, mail addresses, and the workflows that it calls. Those must be imported before it.
	 */
	async importTemplate(name: string, changes: Changes = {}): Promise<Saved<Workflow>> {
		const { id, settings, ...template } = readTemplate(name);
		// Several workflows of one template may be here. Each test reports its own failures.
		const { errorWorkflow: _, ...otherSettings } = settings ?? {};
		const calling = replaceCalls({ ...template, settings: otherSettings }, this.calledWorkflows);
		const chosen = applyChoices(calling, {
			credentials: this.credentials,
			values: fieldValues(this.standIns, this.filesFolder),
		});
		const saved = await this.n8n.saveWorkflow(changeNodes(chosen, changes));
		this.templateIds.set(saved.id, id);
		if (!this.calledWorkflows.has(id)) this.calledWorkflows.set(id, saved.id);
		return saved;
	}

	/** Imports a template and publishes it. Templates that are imported later call it. */
	async publishTemplate(name: string, changes?: Changes): Promise<Saved<Workflow>> {
		const workflow = await this.importTemplate(name, changes);
		await this.n8n.publishWorkflow(workflow);
		this.published.push(workflow);
		const templateId = this.templateIds.get(workflow.id)!;
		this.calledWorkflows.set(templateId, workflow.id);
		if (!this.firstPublished.has(templateId)) this.firstPublished.set(templateId, workflow.id);
		return workflow;
	}

	/** Ends Set Up: what has been published so far is never withdrawn. */
	keepPublished(): void {
		this.published = [];
	}

	/**
	 * Withdraws what was published since Set Up. Other workflows then call what was published first.
	 * A template that was first published after Set Up still points to its withdrawn workflow.
	 */
	async withdrawAll(): Promise<void> {
		for (const workflow of this.published.splice(0)) {
			await this.n8n.unpublishWorkflow(workflow);
			const templateId = this.templateIds.get(workflow.id)!;
			this.calledWorkflows.set(templateId, this.firstPublished.get(templateId)!);
		}
	}

	/**
	 * Does what "Execute workflow" of the named trigger does, and waits for the end.
	 *
	 * @throws an error with the workflow, the node and the reason, if the execution fails
	 */
	async runFrom(workflow: Saved<Workflow>, trigger: string, data?: unknown): Promise<Execution> {
		const execution = await this.n8n.runFrom(workflow, trigger, data);
		requireSuccess(execution);
		return execution;
	}

	/**
	 * Runs a workflow like `runFrom`.
	 *
	 * @returns why the execution failed
	 * @throws if it did not fail
	 */
	async runToFailure(workflow: Saved<Workflow>, trigger: string): Promise<string> {
		const { status, data } = await this.n8n.runFrom(workflow, trigger);
		if (status !== 'error') throw new Error(`"${workflow.name}" ended with ${status}`);
		return data.resultData.error?.message ?? '';
	}

	/** Returns the workflow, the node and the reason of a failed execution. */
	async describeFailure(executionId: string): Promise<string> {
		return failureOf(await this.n8n.execution(executionId));
	}

	/** Kills n8n at once, and starts it again with what it has stored. */
	async killAndRestart(): Promise<void> {
		process.kill(await this.n8n.processId(), 'SIGKILL');
		await this.n8n.stop();
		this.n8n = await startInstance({ ...this.options, userFolder: this.n8n.userFolder });
		this.rest = await logIn(this.n8n.url, this.n8n.login);
	}

	/** Takes exactly these channels down. */
	setDown(...down: Array<'slack' | 'mail'>): void {
		for (const channel of ['slack', 'mail'] as const) this[channel].isDown = down.includes(channel);
	}

	/** Empties the lists of requests and messages, and ends all faults. */
	clear(): void {
		clearStandIns(this.standIns);
	}

	async close(): Promise<void> {
		await (this.cluster ?? this.n8n).stop();
		await closeStandIns(this.standIns);
		await rm(this.home, { recursive: true });
	}
}

const filesFolderIn = (home: string) => join(home, '.n8n-files');

/** @throws if the workflow has no node of a given name */
function changeNodes(workflow: Workflow, changes: Changes): Workflow {
	const names = workflow.nodes.map(({ name }) => name);
	const unknown = Object.keys(changes).filter((name) => !names.includes(name));
	if (unknown.length > 0) throw new Error(`${workflow.name} has no node ${unknown.join(', ')}`);
	const nodes = workflow.nodes.map((node) => {
		const { parameters, ...others } = changes[node.name] ?? {};
		return { ...node, ...others, parameters: { ...node.parameters, ...parameters } };
	});
	return { ...workflow, nodes };
}

/** The stage of the tests in this process. */
export let stage: Stage;

/** Starts the stage; the parameters are those of `Stage.start`. */
export async function openStage(
	name: string,
	environment?: Record<string, string>,
	options?: StageOptions,
): Promise<void> {
	stage = await Stage.start(name, environment, options);
}

/** Waits up to `maxMs` milliseconds until no execution is in progress. */
export const untilQuiet = async (maxMs?: number) => await stage.n8n.untilQuiet(maxMs);
