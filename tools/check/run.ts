import { maskOf } from '../../nodes/WalletScreening/service/mask';
import { systemClock } from '../../nodes/WalletScreening/n8n/time';
import { addressKey } from '../../nodes/WalletScreening/address/key';
import { normalizeBaseUrl } from '../../nodes/WalletScreening/service/baseUrl';
import { scenarios } from '../../sandbox/scenarios';
import { advice } from './additions';
import { help, type Options, readCommandLine } from './commandLine';
import { connect } from './connection';
import { checkFile } from './openapi';
import { checkService } from './service';

export interface Terminal {
	print: (text: string) => void;
	/** Undefined if nobody can answer. */
	ask: ((question: string) => Promise<boolean>) | undefined;
}

/** Runs the command. Throws an Error for people. */
export async function run(
	args: string[],
	environment: NodeJS.ProcessEnv,
	terminal: Terminal,
): Promise<void> {
	const options = readCommandLine(args);
	if (!options) return terminal.print(help);
	const additions =
		options.openapi === undefined
			? await askService(options, environment, terminal)
			: await checkFile(options.openapi, terminal.print);
	if (additions) terminal.print(`\n${advice(additions)}`);
}

async function askService(
	{ yes, addresses: given, wait }: Options,
	environment: NodeJS.ProcessEnv,
	{ print, ask }: Terminal,
) {
	const { apiKey, baseUrl } = serviceIn(environment);
	const addresses = pairOf(given);
	print(`This check calls the service at ${new URL(baseUrl).host} with your key.
It screens ${addresses[0]} and submits a bulk job of it and ${addresses[1]}.
The service may bill three addresses. Nothing that may be billed is sent twice.\n`);
	if (!yes && !ask)
		throw new Error('There is no terminal to ask on. Add --yes to agree beforehand.');
	if (!yes && !(await ask!('Go on? (yes/no) '))) return print('Nothing was sent.');
	const mask = maskOf([apiKey]);
	return await checkService({
		...{ baseUrl, addresses, wait },
		send: connect({ apiKey, baseUrl }),
		clock: systemClock(),
		say: (finding) => print(mask(finding)),
	});
}

/** The given addresses, filled up with two green test addresses of the sandbox. */
function pairOf(given: string[]): [string, string] {
	const tests = ['06', '14'].map(
		(end) => scenarios.find(({ address }) => address.endsWith(end))!.address,
	);
	const [first = tests[0]!, second = tests[1]!] = given;
	if (addressKey(first) !== addressKey(second)) return [first, second];
	throw new Error('Give two different addresses.');
}

function serviceIn(environment: NodeJS.ProcessEnv): { apiKey: string; baseUrl: string } {
	const names = ['WALLET_SCREENING_API_KEY', 'WALLET_SCREENING_BASE_URL'] as const;
	const missing = names.filter((name) => !environment[name]?.trim());
	if (missing.length > 0) {
		throw new Error(
			`Set ${missing.join(' and ')}. Without a key, --openapi reads the vendor's file.`,
		);
	}
	const [apiKey, url] = names.map((name) => environment[name]!.trim()) as [string, string];
	return { apiKey, baseUrl: normalizeBaseUrl(url, 'WALLET_SCREENING_BASE_URL') };
}
