import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import type { Fault, FaultEffect } from './faults';
import type { SandboxOptions } from './server';
import { errorBody } from './service';
import { lastDay } from './timeline';
import type { WebhookScheme, WebhookTarget } from './webhook';

export const help = `Usage: npm run sandbox -- [options]

Starts a stand-in for the wallet risk screening service on this machine.
Its test addresses and its timeline: docs/sandbox.md

  --port <number>            port to listen on (default 4010)
  --host <address>           address to listen on (default 127.0.0.1: only this machine);
                             0.0.0.0 lets containers reach it, and your network too
  --day <number>             day of the timeline on which test addresses change (default 0)
  --latency <ms>             pause before each answer (default 0)
  --no-limit                 no rate limit (default: that of the Pro plan)
  --rate-limit-headers       say in each answer what is left of the rate limit
  --job-duration <ms>        time that a bulk job takes (default 1500)

  --webhook-url <url>        where to report each completed bulk job
  --webhook-secret <secret>  key of the signature
  --webhook-scheme <name>    body (default), timestampAndBody, stripe or standardWebhooks

  --fault-status <status>    answer with this error status
  --fault-delay <ms>         wait before going on
  --fault-reset              reset the connection in place of the answer
  --fault-truncate           send half of the answer
  --fault-share <0 to 1>     share of the requests that each fault hits (default 1)

  --help                     show this text
`;

const schemes: readonly string[] = [
	'body',
	'timestampAndBody',
	'stripe',
	'standardWebhooks',
] satisfies WebhookScheme[];

function numberOf(option: string, text: string, lowest: number, highest: number): number {
	const number = text.trim() === '' ? NaN : Number(text);
	if (!(number >= lowest && number <= highest)) {
		throw new Error(`--${option} must be a number from ${lowest} to ${highest}, not "${text}"`);
	}
	return number;
}

function wholeNumberOf(option: string, text: string, highest: number): number {
	const number = numberOf(option, text, 0, highest);
	if (!Number.isInteger(number)) {
		throw new Error(`--${option} must be a whole number, not "${text}"`);
	}
	return number;
}

function hostOf(text: string): string {
	if (isIP(text) > 0) return text;
	throw new Error(`--host must be an IP address, e.g. 0.0.0.0, not "${text}"`);
}

function errorAnswer(status: number): FaultEffect {
	const body = errorBody(status === 429 ? 429 : 500, 'A fault that the sandbox was asked to make');
	return {
		kind: 'answer',
		status,
		headers: {
			'content-type': 'application/json; charset=utf-8',
			...(status === 429 && { 'retry-after': '1' }),
		},
		body: JSON.stringify(body),
	};
}

/**
 * Reads the arguments of the command line.
 *
 * @returns `null` when help is asked for
 * @throws an Error that names the invalid option
 */
export function readCommandLine(
	args: string[],
): { options: SandboxOptions; faults: Fault[] } | null {
	const { values } = parseArgs({
		args,
		options: {
			port: { type: 'string', default: '4010' },
			host: { type: 'string' },
			day: { type: 'string', default: '0' },
			latency: { type: 'string', default: '0' },
			'no-limit': { type: 'boolean', default: false },
			'rate-limit-headers': { type: 'boolean', default: false },
			'job-duration': { type: 'string', default: '1500' },
			'webhook-url': { type: 'string' },
			'webhook-secret': { type: 'string' },
			'webhook-scheme': { type: 'string', default: 'body' },
			'fault-status': { type: 'string' },
			'fault-delay': { type: 'string' },
			'fault-reset': { type: 'boolean', default: false },
			'fault-truncate': { type: 'boolean', default: false },
			'fault-share': { type: 'string', default: '1' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return null;

	const effects: FaultEffect[] = [];
	if (values['fault-delay'] !== undefined) {
		effects.push({
			kind: 'delay',
			ms: numberOf('fault-delay', values['fault-delay'], 0, 3_600_000),
		});
	}
	if (values['fault-reset']) effects.push({ kind: 'reset', at: 'beforeAnswer' });
	if (values['fault-truncate']) effects.push({ kind: 'truncate' });
	if (values['fault-status'] !== undefined) {
		effects.push(errorAnswer(numberOf('fault-status', values['fault-status'], 400, 599)));
	}
	const share = numberOf('fault-share', values['fault-share'], 0, 1);

	return {
		options: {
			port: numberOf('port', values.port, 0, 65_535),
			...(values.host !== undefined && { host: hostOf(values.host) }),
			day: wholeNumberOf('day', values.day, lastDay),
			latencyMs: numberOf('latency', values.latency, 0, 3_600_000),
			jobDurationMs: numberOf('job-duration', values['job-duration'], 0, 86_400_000),
			...(values['no-limit'] && { limit: null }),
			...(values['rate-limit-headers'] && { rateLimitHeaders: true }),
			...(values['webhook-url'] !== undefined && {
				webhook: webhookTarget(
					values['webhook-url'],
					values['webhook-secret'],
					values['webhook-scheme'],
				),
			}),
		},
		faults: effects.map((effect) => ({ effect, share })),
	};
}

function webhookTarget(url: string, secret: string | undefined, scheme: string): WebhookTarget {
	if (!URL.canParse(url)) throw new Error(`--webhook-url must be a URL, not "${url}"`);
	if (!secret) throw new Error('--webhook-url needs --webhook-secret');
	if (!schemes.includes(scheme)) {
		throw new Error(`--webhook-scheme must be one of ${schemes.join(', ')}, not "${scheme}"`);
	}
	return { url, secret, scheme: scheme as WebhookScheme };
}
