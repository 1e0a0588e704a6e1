import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import { dialectOf } from './dialects';
import type { Fault } from './faults';
import type { SandboxOptions } from './server';
import { errorBody } from './service';
import { type WebhookTarget, webhookSchemes } from './webhook';

export const help = `Usage: npm run sandbox -- [options]

Starts a stand-in for the wallet risk screening service on this machine.
Its test addresses and its timeline: docs/sandbox.md

  --port <number>            port to listen on (default 4010)
  --host <address>           address to listen on (default 127.0.0.1: only this machine);
                             0.0.0.0 lets containers reach it, and your network too
  --day <number>             day of the timeline on which test addresses change (default 0)
  --latency <ms>             pause before each answer (default 0)
  --no-limit                 no rate limit (default: that of the Pro plan)
  --job-duration <ms>        time that a bulk job takes (default 1500)
  --dialect <name>           how the sandbox writes jobs: standard (default), celery, grpc or keyed,
                             or foreign, which the nodes have to be taught

  --webhook-url <url>        where to report each completed bulk job
  --webhook-secret <secret>  key of the signature
  --webhook-scheme <name>    body (default), timestampAndBody, stripe or standardWebhooks

  --fault-status <status>    answer with this error status
  --fault-share <0 to 1>     share of the requests that the error hits (default 1)

  --help                     show this text
`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const options = {
	port: { ...text, default: '4010' },
	host: { ...text, default: '127.0.0.1' },
	day: { ...text, default: '0' },
	latency: { ...text, default: '0' },
	'no-limit': flag,
	'job-duration': { ...text, default: '1500' },
	dialect: { ...text, default: 'standard' },
	'webhook-url': text,
	'webhook-secret': { ...text, default: '' },
	'webhook-scheme': { ...text, default: 'body' },
	'fault-status': text,
	'fault-share': { ...text, default: '1' },
	help: flag,
} as const;

function check(option: keyof typeof options, given: string, isValid: boolean, wanted: string) {
	if (!isValid) throw new Error(`--${option} must be ${wanted}, not "${given}"`);
}

function numberOf(option: keyof typeof options, given: string, lowest: number, highest: number) {
	const number = given.trim() === '' ? NaN : Number(given);
	const isInRange = number >= lowest && number <= highest;
	check(option, given, isInRange, `a number from ${lowest} to ${highest}`);
	return number;
}

function faultOf(status: number, share: number): Fault {
	const body = errorBody(status === 429 ? 429 : 500, 'A fault that the sandbox was asked to make');
	const headers = {
		'content-type': 'application/json; charset=utf-8',
		...(status === 429 && { 'retry-after': '1' }),
	};
	return { effect: { kind: 'answer', status, headers, body: JSON.stringify(body) }, share };
}

function webhookTo(url: string, secret: string, name: string): WebhookTarget {
	check('webhook-url', url, URL.canParse(url), 'a URL');
	if (!secret) throw new Error('--webhook-url needs --webhook-secret');
	const scheme = webhookSchemes.find((known) => known === name);
	check('webhook-scheme', name, scheme !== undefined, `one of ${webhookSchemes.join(', ')}`);
	return { url, secret, scheme: scheme! };
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
	const { values } = parseArgs({ args, options });
	if (values.help) return null;
	const { host, 'webhook-url': url, 'fault-status': status } = values;
	check('host', host, isIP(host) > 0, 'an IP address, e.g. 0.0.0.0');
	const day = Number(values.day || NaN);
	check('day', values.day, Number.isSafeInteger(day) && day >= 0, 'a whole number from 0');
	const share = numberOf('fault-share', values['fault-share'], 0, 1);
	return {
		options: {
			...{ host, day },
			port: numberOf('port', values.port, 0, 65_535),
			latencyMs: numberOf('latency', values.latency, 0, 3_600_000),
			jobDurationMs: numberOf('job-duration', values['job-duration'], 0, 86_400_000),
			dialect: dialectOf(values.dialect),
			...(values['no-limit'] && { limit: null }),
			...(url !== undefined && {
				webhook: webhookTo(url, values['webhook-secret'], values['webhook-scheme']),
			}),
		},
		faults:
			status === undefined ? [] : [faultOf(numberOf('fault-status', status, 400, 599), share)],
	};
}
