import type { PlanJob } from '../../../sandbox/bulk';
import { type Sandbox, startSandbox } from '../../../sandbox/server';
import type { Credential } from '../../../tools/host/workflow';
import { type MailServer, startMail } from '../../../tools/trial/mail';
import { resourceLocator } from '../../../tools/trial/wiring';
import { type Internet, startInternet } from '../servers/internet';
import { secrets } from '../n8n/triggers';
import { serviceCredential } from '../n8n/workflows';
import { etherscanKey } from '../servers/explorers';
import { type Model, startModel } from '../servers/model';
import { signingText } from '../servers/statusReceiver';
import { createSheets, type Sheets } from '../servers/sheets';
import { createSlack, type Slack } from '../servers/slack';
import { startTeamSystem, type TeamSystem } from '../servers/teamSystem';

/** The token that workflows send to the systems of the team. */
export const outgoingToken = 'token-of-the-systems-of-the-team';
/** The header that lets a caller in to the webhooks of templates. */
export const callerHeader = { 'X-Caller-Key': 'caller-key-of-the-test' };
/** The login that lets a reader in to the pages. */
export const pageReader = { user: 'reader', password: 'password-of-the-pages' };

/** Stand-ins for all services that the templates talk to. They run on this machine. */
export interface StandIns {
	readonly sandbox: Sandbox;
	readonly slack: Slack;
	readonly sheets: Sheets;
	readonly mail: MailServer;
	readonly model: Model;
	/** The systems of the team, which take requests with the token of the outgoing credential. */
	readonly team: TeamSystem;
	/**
	 * The stand-ins of Slack and Google Sheets: all that n8n reaches beyond the loopback interface.
	 */
	readonly internet: Internet;
}

/** How long a bulk job takes in the sandbox, unless `jobs` says otherwise. */
export const quickJobMs = 200;

export async function startStandIns(jobs?: PlanJob): Promise<StandIns> {
	const slack = createSlack();
	const sheets = createSheets();
	const [internet, mail, model, team, sandbox] = await Promise.all([
		startInternet({ 'slack.com': slack.site, ...sheets.sites }),
		startMail(),
		startModel(),
		startTeamSystem(`Bearer ${outgoingToken}`),
		startSandbox({ limit: null, jobDurationMs: quickJobMs, ...(jobs && { jobs }) }),
	]);
	return { sandbox, slack, sheets, mail, model, team, internet };
}

/**
 * Empties the lists of requests and messages, and ends all faults. What the systems of the team have
 * carried out, the cells of the sheet and the script of the model stay.
 */
export function clearStandIns({ sandbox, slack, sheets, mail, model, team }: StandIns): void {
	sandbox.clearFaults();
	sandbox.requests.length = 0;
	Object.assign(slack, { onNextRequest: undefined, messages: [], refused: [] });
	Object.assign(team, { requests: [], answer: null, onRequest: () => {} });
	team.mend();
	Object.assign(sheets, { onRequest: () => {}, writes: [] });
	mail.letters = [];
	model.requests = [];
	for (const channel of [slack, mail]) channel.isDown = false;
}

export async function closeStandIns(standIns: StandIns): Promise<void> {
	const { sandbox, internet, mail, model, team } = standIns;
	await Promise.all([sandbox, internet, mail, model, team].map(async (one) => await one.close()));
}

/**
 * The credentials with which n8n reaches the stand-ins and lets callers in. The first one is that
 * of the service.
 */
export function credentialsFor({ sandbox, slack, sheets, mail, model }: StandIns): Credential[] {
	const service = serviceCredential(sandbox.keys.readWrite, sandbox.baseUrl);
	const [[headerName, headerValue]] = Object.entries(callerHeader) as [[string, string]];
	const credentialOf = (type: string, data: Credential['data']) => ({ name: type, type, data });
	return [
		{
			...service,
			name: 'Wallet Screening account',
			data: { ...service.data, webhookSecret: secrets.body },
		},
		credentialOf('slackApi', { accessToken: slack.token, signatureSecret: slack.signingSecret }),
		credentialOf('httpHeaderAuth', { name: headerName, value: headerValue }),
		credentialOf('httpBearerAuth', { token: outgoingToken }),
		credentialOf('httpBasicAuth', pageReader),
		credentialOf('crypto', { hmacSecret: signingText }),
		credentialOf('httpQueryAuth', { name: 'apikey', value: etherscanKey }),
		mail.credential,
		model.credential,
		sheets.credential,
	];
}

/**
 * The values that the templates ask their user for.
 *
 * @param filesFolder the folder that n8n may write files to
 */
export const fieldValues = ({ sheets }: StandIns, filesFolder: string) => ({
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
});
