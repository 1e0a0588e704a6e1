import {
	type IDataObject,
	type IHookFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeConnectionTypes,
	NodeOperationError,
	sleep,
} from 'n8n-workflow';
import { connect, type Credential } from './n8n/connect';
import { credentialType } from './n8n/context';
import { toErrorItem } from './n8n/nodeError';
import { type Deciding, readDeciding } from './n8n/decision';
import { webhookReader } from './n8n/parameters';
import { originOf, reportJson } from './n8n/reportItem';
import { properties } from './trigger/fields';
import { decide } from './risk/decision';
import type { Policy } from './risk/policy';
import { isGreen } from './risk/level';
import { maskedJson } from './service/json';
import { jobFailed, jobTimeout, noResults, outcomeOf } from './service/results';
import { type Completion, type Entry, parseCompletion, type Report } from './service/shapes';
import { own, ScreeningError } from './service/errors';
import { cleanId } from './service/input';
import {
	type AcceptedDeliveries,
	claim,
	digestOf,
	emptyMemory,
	forget,
	release,
	settle,
	type VerifiedDelivery,
} from './trigger/repeats';
import { secretFault, type SignatureScheme, verifySignature } from './trigger/signature';

interface Options {
	onlyNotGreen?: boolean;
	fetchResults?: boolean;
	ignoreRepeats?: boolean;
	alertText?: boolean;
	simplify?: boolean;
}

const memory = emptyMemory();

const accepted = 'accepted';

/** Seconds after which the service may deliver again what could not be processed now. */
const retryAfterSeconds = 60;
/** The service waits for the answer meanwhile, so this is less than what the action node allows itself. */
const fetching = { maxRetries: 2, resends: 0, requestTimeout: 30 };

export class WalletScreeningTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Wallet Screening Trigger',
		name: 'walletScreeningTrigger',
		icon: { light: 'file:walletScreening.svg', dark: 'file:walletScreening.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: 'bulk job completed',
		description: 'Starts the workflow when the service reports that a bulk job is complete',
		eventTriggerDescription: 'Waiting for the service to deliver the results of a bulk job',
		activationMessage:
			'Signed deliveries to the Production URL of the trigger now start this workflow.',
		triggerPanel: {
			header: 'Receive the results of a bulk job',
			executionsHelp: {
				inactive:
					'While you build this workflow, listen here and let the service deliver to the <b>Test URL</b>. Once it is published, signed deliveries to the <b>Production URL</b> start it, and show up in the executions list.',
				active:
					'Signed deliveries to the <b>Production URL</b> start this workflow, and show up in the executions list. To try something out, listen here and let the service deliver to the <b>Test URL</b>.',
			},
			activationHint:
				'Publish the workflow to have it started by signed deliveries to the Production URL.',
		},
		defaults: { name: 'Wallet Screening Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'walletScreeningApi', required: true }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				responseData: accepted,
				path: 'webhook',
			},
		],
		properties,
	};

	/** The service has no call that registers a URL (section 6), so there is nothing to create or delete there. */
	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return false;
			},
			async create(this: IHookFunctions): Promise<boolean> {
				const scheme = this.getNodeParameter('signedContent') as SignatureScheme;
				const credential = await this.getCredentials<Credential>(credentialType);
				const refusal = refusalOf(credential, scheme);
				if (refusal) throw new NodeOperationError(this.getNode(), refusal.message, refusal);
				const rules = rulesOf(this);
				if (rules instanceof ScreeningError) {
					throw new NodeOperationError(this.getNode(), rules.message, rules);
				}
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const bytes = this.getRequestObject().rawBody as Buffer | undefined;
		if (!bytes) return answer(this, 401, 'malformed');
		let secrets: string[];
		try {
			secrets = secretsOf(await this.getCredentials<Credential>(credentialType));
			const reason = rejectionReason(this, bytes, secrets);
			if (reason) return answer(this, 401, reason);
		} catch (error) {
			// n8n starts an execution for whatever leaves this method as an error, and nobody has signed this yet.
			return unavailable(this, 'verify', error as Error);
		}

		const options = this.getNodeParameter('options', {}) as Options;
		const delivery = {
			node: `${this.getWorkflow().id} ${this.getNode().id}`,
			digest: digestOf(bytes),
		};
		const storage = this.getWorkflowStaticData('node') as { deliveries?: AcceptedDeliveries };
		// While the workflow is tried out in the editor, the same delivery is welcome again and again.
		const remembers = (options.ignoreRepeats ?? true) && this.getMode() !== 'manual';
		if (remembers) {
			const claimed = claim(memory, delivery, storage.deliveries ?? {}, Date.now());
			if (claimed === 'repeat') return answer(this, 200, 'repeat');
			if (claimed === 'underway') return answer(this, 503, 'underway');
		}
		try {
			const completion = completionOf(this, bytes, secrets);
			if (typeof completion === 'string') return unreadable(this, completion);
			const items = await itemsOf(this, completion, options);
			if (items instanceof ScreeningError) {
				const unusable = items.known.parameter === 'Job ID';
				return unusable ? unreadable(this, items.message) : unavailable(this, 'complete', items);
			}
			if (remembers) {
				const deliveries = settle(memory, delivery, storage.deliveries ?? {}, Date.now());
				storage.deliveries = deliveries;
				forgetUnlessStarted(this, delivery);
				// n8n 2.41 stores the execution before it saves this, and makes a second workflow of the same static data
				// for that, whereby it forgets that they have changed. So they change again meanwhile.
				void sleep(0).then(() => (storage.deliveries = deliveries));
			}
			return items.length > 0 ? { workflowData: [items] } : answer(this, 200, accepted);
		} finally {
			if (remembers) release(memory, delivery);
		}
	}
}

/** The decision rules, or why they cannot be right. */
function rulesOf(context: IHookFunctions | IWebhookFunctions): Policy | ScreeningError | undefined {
	try {
		return readRules(webhookReader(context as IWebhookFunctions));
	} catch (error) {
		return own(error);
	}
}

/** Why the credential cannot verify any delivery, if so. */
function refusalOf({ webhookSecret, previousWebhookSecret }: Credential, scheme: SignatureScheme) {
	const fault = secretFault(webhookSecret, scheme);
	const previousFault = previousWebhookSecret?.trim()
		? secretFault(previousWebhookSecret, scheme)
		: null;
	if (fault === null && previousFault === null) return undefined;
	const finding =
		fault === null
			? `'Previous Webhook Secret' of the credential ${previousFault}`
			: `'Webhook Secret' of the credential ${fault}`;
	return {
		// n8n shows nothing but the message where a published workflow's trigger does not start.
		message: `${finding}. Open the credential of this node and enter the secret with which the service signs its webhooks`,
		description:
			'Without it no delivery can be told from a forgery, so the trigger does not start.',
	};
}

function secretsOf({ webhookSecret, previousWebhookSecret }: Credential): string[] {
	return [webhookSecret, previousWebhookSecret].flatMap((secret) => secret?.trim() || []);
}

/** The word for why a delivery is refused; undefined for one that the service signed. */
function rejectionReason(
	context: IWebhookFunctions,
	body: Buffer,
	secrets: string[],
): string | undefined {
	const verdict = verifySignature({
		body,
		headers: context.getHeaderData(),
		secrets,
		scheme: context.getNodeParameter('signedContent') as SignatureScheme,
		signatureHeader: context.getNodeParameter('signatureHeader', '') as string,
		timestampHeader: context.getNodeParameter('timestampHeader', '') as string,
		toleranceSeconds: context.getNodeParameter('tolerance', 300) as number,
		now: Date.now(),
	});
	return verdict.accepted ? undefined : verdict.reason;
}

/** Ends the request so that the delivery comes again, and tells the n8n log why. */
function unavailable(
	context: IWebhookFunctions,
	what: 'verify' | 'complete',
	{ message }: Error,
): IWebhookResponseData {
	context.logger.warn(`Could not ${what} a delivery to '${context.getNode().name}': ${message}`);
	return answer(context, 503, 'unavailable');
}

/** Ends the request of a delivery that cannot start the workflow however often it comes, and tells the n8n log why. */
function unreadable(context: IWebhookFunctions, why: string): IWebhookResponseData {
	context.logger.warn(`Refused a signed delivery to '${context.getNode().name}': ${why}`);
	return answer(context, 400, 'unreadable');
}

/** n8n stores the execution after `webhook`. Where it cannot, it answers 500, and the delivery is to count when it comes again. */
function forgetUnlessStarted(context: IWebhookFunctions, delivery: VerifiedDelivery): void {
	const response = context.getResponseObject();
	response.once('finish', () => {
		if (response.statusCode >= 500) forget(memory, delivery);
	});
}

/** Ends the request with one word and starts no execution. */
function answer(context: IWebhookFunctions, status: number, word: string): IWebhookResponseData {
	const response = context.getResponseObject();
	if (status === 503) response.setHeader('Retry-After', String(retryAfterSeconds));
	response.status(status).type('text/plain').send(word);
	return { noWebhookResponse: true };
}

function wantsBatch(context: IWebhookFunctions): boolean {
	return context.getNodeParameter('output') === 'batch';
}

/** What was delivered, or why it cannot start the workflow. A batch may be of any form that an item can have. */
function completionOf(
	context: IWebhookFunctions,
	bytes: Buffer,
	secrets: string[],
): Completion | string {
	const told = parseCompletion(bytes, secrets);
	const batch = wantsBatch(context);
	if (told && (batch || !isVoid(told))) return told;
	const body = jsonIn(bytes, secrets);
	if (body === undefined) return 'its body is not JSON';
	if (batch && typeof body === 'object' && body !== null) {
		return { job_id: undefined, state: 'running', entries: undefined, body };
	}
	return 'its body holds neither results nor a job ID in a known place';
}

function jsonIn(bytes: Buffer, secrets: string[]): unknown {
	try {
		return maskedJson(bytes, secrets);
	} catch {
		return undefined;
	}
}

/** Whether it tells of no result, of no job to get any from, and of no failure. */
function isVoid({ job_id, entries, state }: Completion): boolean {
	return job_id === undefined && !entries?.length && state !== 'failed';
}

/** The items of a completion, or what kept its results from being fetched. */
async function itemsOf(
	context: IWebhookFunctions,
	told: Completion,
	options: Options,
): Promise<INodeExecutionData[] | ScreeningError> {
	const rules = rulesOf(context);
	if (rules instanceof ScreeningError) return rules;
	const completion = await withResults(context, told, options);
	if (completion instanceof ScreeningError) return completion;
	const { job_id = '', state, entries, body } = completion;
	if (wantsBatch(context)) return [{ json: asFields(body) }];
	const failure = { job_id, state, entries, body: asFields(body) };
	const failures = state === 'failed' ? [toErrorItem(jobFailed(failure), 'trigger')] : [];
	if (entries?.length) return [...failures, ...itemsOfEntries(entries, job_id, options, rules)];
	if (failures.length > 0) return failures;
	const fetched = options.fetchResults ?? true;
	return [fetched ? toErrorItem(noResults(job_id), 'trigger') : { json: asFields(body) }];
}

function itemsOfEntries(
	entries: Entry[],
	job_id: string,
	options: Options,
	rules: Policy | undefined,
): INodeExecutionData[] {
	return entries
		.map((entry) => outcomeOf(entry, entry.address, job_id))
		.filter((outcome) => !(options.onlyNotGreen && isAllClear(outcome, rules)))
		.map((outcome) =>
			outcome instanceof ScreeningError
				? toErrorItem(outcome, 'trigger')
				: { json: reportJson(outcome, options, rules) },
		);
}

/**
 * The completion with the results of its job, where it names a job without any and the user wants them. A job of no
 * addresses cannot be submitted, so an empty list holds no results yet.
 */
async function withResults(
	context: IWebhookFunctions,
	told: Completion,
	{ fetchResults = true }: Options,
): Promise<Completion | ScreeningError> {
	const { job_id, entries, state } = told;
	if (entries?.length || job_id === undefined || state === 'failed' || !fetchResults) return told;
	try {
		const client = await connect(context, fetching);
		const job = await client.getBulk(cleanId(job_id, 'Job ID'));
		return job.state === 'running' ? jobTimeout(job, 'yet') : job;
	} catch (error) {
		return own(error);
	}
}

/** A green report that a rule stops is none. */
function isAllClear(outcome: Report | ScreeningError, rules: Policy | undefined): boolean {
	if (outcome instanceof ScreeningError || !isGreen(outcome.risk.level)) return false;
	return !rules || decide(outcome, rules, { at: new Date() }).outcome === 'allow';
}

function asFields(body: unknown): IDataObject {
	return (Array.isArray(body) ? { results: body } : body) as IDataObject;
}
