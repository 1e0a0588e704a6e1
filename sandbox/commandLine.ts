import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import { parseUrl } from '../nodes/WalletScreening/shared/http';
import { dialects } from './dialects';
import type { Fault } from './faults';
import { maxDay } from './scenarios';
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
  --dialect <name>           how the sandbox writes jobs: standard (default), or foreign, which the
                             nodes have to be taught

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
	'webhook-secret': text,
	'webhook-scheme': text,
	'fault-status': text,
	'fault-share': text,
	help: flag,
} as const;

type Option = keyof typeof options;
type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

function rejectOption(option: Option, given: string, wanted: string): never {
	throw new Error(`--${option} must be ${wanted}, not "${given}"`);
}

function shareOf(option: Option, given: string): number {
	const number = given.trim() === '' ? NaN : Number(given);
	if (number >= 0 && number <= 1) return number;
	return rejectOption(option, given, 'a number from 0 to 1');
}

function wholeNumberOf(option: Option, given: string, lowest: number, highest: number): number {
	const number = given.trim() === '' ? NaN : Number(given);
	if (Number.isInteger(number) && number >= lowest && number <= highest) return number;
	return rejectOption(option, given, `a whole number from ${lowest} to ${highest}`);
}

function choiceOf<T extends string>(option: Option, given: string, choices: readonly T[]): T {
	const known = choices.find((choice) => choice === given);
	return known ?? rejectOption(option, given, `one of ${choices.join(', ')}`);
}

function faultOf(status: number, share: number): Fault {
	const body = errorBody(status, 'A fault that the sandbox was asked to make');
	const headers = {
		'content-type': 'application/json; charset=utf-8',
		...(status === 429 && { 'retry-after': '1' }),
	};
	return { effect: { kind: 'answer', status, headers, body: JSON.stringify(body) }, share };
}

/**
 * Whether a secret of Standard Webhooks is base64, with its padding. A receiver takes any other one
 * for a text, and makes another key of it. The rule is that of `deriveKeys` in the room `webhook`. The
 * sandbox has its own, so that a mistake there is not made here, too, and a test of both shows it.
 */
function isBase64Secret(secret: string): boolean {
	const base64 = secret.replace(/^whsec_/, '');
	return base64 !== '' && Buffer.from(base64, 'base64').toString('base64') === base64;
}

function webhookOf(values: Values): WebhookTarget | undefined {
	const { 'webhook-url': url, 'webhook-secret': secret, 'webhook-scheme': given } = values;
	if (url === undefined) {
		requireAbsent(values, ['webhook-secret', 'webhook-scheme'], 'webhook-url');
		return undefined;
	}
	// `localhost:5678` is a URL, too, with the scheme `localhost:`.
	if (!/^https?:$/.test(parseUrl(url)?.protocol ?? ''))
		rejectOption('webhook-url', url, 'a URL that begins with http:// or https://');
	if (!secret) throw new Error('--webhook-url needs --webhook-secret');
	const scheme = choiceOf('webhook-scheme', given ?? 'body', webhookSchemes);
	if (scheme === 'standardWebhooks' && !isBase64Secret(secret))
		throw new Error(
			'--webhook-secret must be base64 with its padding for the scheme standardWebhooks',
		);
	return { url, secret, scheme };
}

function faultsOf(values: Values): Fault[] {
	const { 'fault-status': status, 'fault-share': share = '1' } = values;
	if (status === undefined) {
		requireAbsent(values, ['fault-share'], 'fault-status');
		return [];
	}
	return [faultOf(wholeNumberOf('fault-status', status, 400, 599), shareOf('fault-share', share))];
}

/** @throws an Error if one of these options is given: each means nothing without `needed` */
function requireAbsent(values: Values, dependent: readonly Option[], needed: Option): void {
	const useless = dependent.find((option) => values[option] !== undefined);
	if (useless) throw new Error(`--${useless} needs --${needed}`);
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
	const { host } = values;
	if (!isIP(host)) rejectOption('host', host, 'an IP address, e.g. 0.0.0.0');
	const names = Object.keys(dialects) as Array<keyof typeof dialects>;
	const webhook = webhookOf(values);
	return {
		options: {
			host,
			day: wholeNumberOf('day', values.day, 0, maxDay),
			port: wholeNumberOf('port', values.port, 0, 65_535),
			latencyMs: wholeNumberOf('latency', values.latency, 0, 3_600_000),
			jobDurationMs: wholeNumberOf('job-duration', values['job-duration'], 0, 86_400_000),
			dialect: dialects[choiceOf('dialect', values.dialect, names)],
			...(values['no-limit'] && { limit: null }),
			...(webhook && { webhook }),
		},
		faults: faultsOf(values),
	};
}
