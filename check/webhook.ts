import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signedContents } from '../nodes/WalletScreening/trigger/fields';
import {
	allowanceOfMinute,
	type Settings,
	settingsThatFit,
} from '../nodes/WalletScreening/trigger/fit';
import { lacksResults, readBody } from '../nodes/WalletScreening/trigger/reading';
import {
	anyTime,
	headerText,
	mayHoldSignature,
	verifySignature,
} from '../nodes/WalletScreening/trigger/signature';
import { own } from '../nodes/WalletScreening/service/errors';
import { maskedJson } from '../nodes/WalletScreening/service/json';
import { outcomesOf } from '../nodes/WalletScreening/service/results';
import { ScreeningError } from '../nodes/WalletScreening/service/errors';
import type { Exchange } from './exchange';
import type { Findings } from './findings';
import { shownName } from './shape';

/** A request as it arrived. */
export interface Received {
	headers: Record<string, string | string[] | undefined>;
	body: Buffer;
}

/** n8n takes 16 MB. */
const longestBody = 16 * 2 ** 20;
/** Seconds: the nodes' own default. */
const toleranceSeconds = 300;

export interface Listening {
	port: number;
	host: string;
	/** Milliseconds. */
	timeout: number;
	onListening: (url: string) => void;
	/** Looks at the delivery and gives the status to answer with. */
	judge: (received: Received) => number;
}

/**
 * Takes one POST and answers it with the status that `judge` gives; everything else is refused. Throws when the port is
 * taken or no delivery comes in time.
 */
export async function takeDelivery(listening: Listening): Promise<void> {
	const { port, host, timeout, onListening, judge } = listening;
	const server = createServer();
	let timer: NodeJS.Timeout | undefined;
	try {
		await new Promise<void>((resolve, reject) => {
			let isTaken = false;
			server.on('error', (error: NodeJS.ErrnoException) =>
				reject(new Error(`The port ${port} of ${host} cannot be listened on (${error.code}).`)),
			);
			server.on('request', (request, response) => {
				if (request.method !== 'POST') return refuse(request, response, 405);
				void bodyOf(request).then(
					(body) => {
						if (body === undefined) return refuse(request, response, 413);
						if (isTaken) return refuse(request, response, 503);
						isTaken = true;
						response.on('close', resolve);
						response
							.writeHead(judge({ headers: request.headers, body }), { connection: 'close' })
							.end();
					},
					() => request.destroy(),
				);
			});
			server.listen(port, host, () => {
				const { port: open } = server.address() as AddressInfo;
				const name = host.includes(':') ? `[${host}]` : host;
				onListening(`http://${name}:${open}/`);
			});
			timer = setTimeout(
				() => reject(new Error(`No delivery came within ${timeout / 1000} seconds.`)),
				timeout,
			);
		});
	} finally {
		clearTimeout(timer);
		server.close();
		server.closeAllConnections();
	}
}

function refuse(request: IncomingMessage, response: ServerResponse, status: number): void {
	request.resume();
	response.writeHead(status, { connection: 'close' }).end();
}

/** Undefined for a body that is too long. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		length += chunk.length;
		if (length <= longestBody) chunks.push(chunk);
	}
	return length > longestBody ? undefined : Buffer.concat(chunks);
}

/** Notes how a delivery is signed and what its body holds. Gives the status that the trigger would answer with. */
export function lookAtDelivery(
	{ headers, body }: Received,
	{ secret, now, findings }: { secret: string; now: number; findings: Findings },
): number {
	const exchange: Exchange = {
		step: 'The delivery',
		method: 'POST',
		path: 'webhook',
		status: undefined,
		headers,
		body: jsonIn(body, secret),
		bytes: body.length,
	};
	const sent = { body, headers, secrets: [secret], toleranceSeconds, now };
	const settings = secret === '' ? undefined : settingsThatFit(sent, { ...allowanceOfMinute });
	if (!settings) {
		findings.no('signed', unsigned(headers, secret), exchange);
		return 401;
	}
	findings.yes('signed', `Set ${settingsText(settings)}.`);
	findings.yes('digest', 'The nodes read it.');
	const isFresh = verifySignature({
		...sent,
		scheme: settings.signedContent,
		signatureHeader: settings.signatureHeader,
		timestampHeader: settings.timestampHeader ?? '',
	}).accepted;
	if (!isFresh) {
		findings.no(
			'time',
			`More than ${toleranceSeconds} seconds from this machine's clock.`,
			exchange,
		);
	} else if (settings.signedContent === 'body') findings.yes('time', 'No time is signed.');
	else findings.yes('time', timeText(headers, settings));
	return lookAtBody(body, [secret], findings, exchange) && isFresh ? 200 : isFresh ? 400 : 401;
}

/** Notes what the body of a webhook holds. Gives whether the trigger can start with it. */
export function lookAtBody(
	body: Buffer,
	secrets: string[],
	findings: Findings,
	exchange?: Exchange,
): boolean {
	try {
		const told = readBody(body, secrets, false);
		const { job_id, state, entries = [] } = told;
		const outcomes = outcomesOf(entries, job_id ?? '');
		const bad = outcomes.filter(
			({ outcome, reportId }) => outcome instanceof ScreeningError && reportId === undefined,
		);
		const parts = [
			job_id === undefined ? 'no job ID' : 'a job ID',
			`the state '${state}'`,
			lacksResults(told) ? 'no results: the nodes fetch them' : `${outcomes.length} results`,
		];
		if (bad.length > 0) {
			findings.no('webhookBody', `It holds ${bad.length} results that are no reports.`, exchange);
			return true;
		}
		findings.yes('webhookBody', `It holds ${parts.join(', ')}.`);
		return true;
	} catch (error) {
		findings.no('webhookBody', `The nodes refuse it: ${own(error).message}.`, exchange);
		return false;
	}
}

function settingsText({ signedContent, signatureHeader, timestampHeader }: Settings): string {
	const fields = [
		['Signature Scheme', signedContents[signedContent]],
		...(signedContent === 'standardWebhooks'
			? []
			: [['Signature Header', shownName(signatureHeader)]]),
		...(timestampHeader === undefined ? [] : [['Timestamp Header', shownName(timestampHeader)]]),
	];
	return fields.map(([label, value]) => `'${label}' to '${value}'`).join(', ');
}

function timeText(headers: Received['headers'], { timestampHeader }: Settings): string {
	const text = timestampHeader === undefined ? '' : headerText(headers, timestampHeader);
	if (text === '' || /^\d+$/.test(text)) return 'In Unix time.';
	return Number.isNaN(anyTime(text)) ? 'The nodes read it.' : 'As decimal seconds or ISO 8601.';
}

function unsigned(headers: Received['headers'], secret: string): string {
	const likely = Object.entries(headers)
		.filter(([, value]) => mayHoldSignature([value ?? []].flat().join(', ')))
		.map(([name]) => shownName(name));
	const where =
		likely.length > 0
			? `A signature may be in: ${likely.join(', ')}.`
			: 'No header looks like a signature.';
	if (secret === '')
		return `${where} Set WALLET_SCREENING_WEBHOOK_SECRET, so that it can be tried.`;
	return `${where} No setting of the nodes fits it with this secret.`;
}

function jsonIn(body: Buffer, secret: string): unknown {
	try {
		return maskedJson(body, [secret]);
	} catch {
		return undefined;
	}
}
