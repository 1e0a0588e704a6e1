import { parseArgs } from 'node:util';
import { normalizeBaseUrl } from '../../nodes/WalletScreening/transport/baseUrl';
import { cleanAddress } from '../../nodes/WalletScreening/address/input';
import { createMask } from '../../nodes/WalletScreening/transport/mask';
import { scenarioAddress } from '../../sandbox/scenarios';
import { describeError } from './errors';
import { checkFile } from './openapi';
import { sendWith } from './send';
import { type CheckResult, checkService } from './service';

const help = `Usage: npm run check-service -- [options]

Asks the service at WALLET_SCREENING_BASE_URL with the key WALLET_SCREENING_API_KEY,
which needs write scope. Prints whether the nodes understand what it answers, and the
'Service Names' for the credential. Ends with status 1 unless they understand it as
it stands.

  --yes             do not ask before anything that may be billed
  --address <text>  address to screen in place of a test address; at most twice
  --wait <seconds>  how long the bulk job may take (default 600)
  --confirm <seconds>
                    how long a state must last before it counts as the end of the
                    job, if the nodes do not know its word (default 30)
  --openapi <file>  read the vendor's OpenAPI file, JSON or YAML, and send nothing`;
const seeHelp = 'See npm run check-service -- --help';

/** Test addresses of the sandbox. Both are green, also in a bulk job. */
const testAddresses = (['harmless', 'sanctionedFromDay1'] as const).map(scenarioAddress);
const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const optionTypes = {
	yes: flag,
	help: flag,
	openapi: text,
	address: { ...text, multiple: true },
	wait: text,
	confirm: text,
} as const;

/** The options that the user gave. */
type RunOptions = ReturnType<typeof parseArgs<{ options: typeof optionTypes }>>['values'];

/** Where the check writes and asks. */
export interface Terminal {
	print(text: string): void;
	/** @returns whether the user agrees */
	ask(question: string): Promise<boolean>;
}

/**
 * Runs `npm run check-service` with these arguments.
 *
 * @returns whether the command did what it was asked for: it printed its help, or the nodes
 * understand the service as it is
 * @throws an Error with a message for the user, without the key
 */
export async function runCheck(
	args: string[],
	environment: NodeJS.ProcessEnv,
	terminal: Terminal,
): Promise<boolean> {
	const options = readOptions(args);
	if (options.help) {
		terminal.print(help);
		return true;
	}
	// An empty name is one, too: a shell makes it of a variable that is not set.
	const result =
		options.openapi === undefined
			? await askService(options, environment, terminal)
			: await checkFile(options.openapi, terminal.print);
	return result !== undefined && printResult(result, terminal);
}

/** @throws an Error that names the invalid option, and the help */
function readOptions(args: string[]): RunOptions {
	try {
		return parseArgs({ args, options: optionTypes }).values;
	} catch (error) {
		throw new Error(`${(error as Error).message}\n${seeHelp}`);
	}
}

/** Prints what to do. @returns whether the nodes understand the service as it is */
function printResult({ names, isUnderstood }: CheckResult, { print }: Terminal): boolean {
	const isTaught = Object.keys(names).length > 0;
	if (!isUnderstood)
		print('\nThe nodes do not understand all of it. Ask the vendor about the lines above.');
	else if (!isTaught)
		print("\nThe nodes understand it. Leave 'Service Names' of the credential empty.");
	if (isTaught) {
		print("\nPaste this into 'Service Names' of the credential, if it means what it says:\n");
		print(JSON.stringify(names));
	}
	return isUnderstood && !isTaught;
}

/** Checks the service, if the user agrees. */
async function askService(
	options: RunOptions,
	environment: NodeJS.ProcessEnv,
	{ print, ask }: Terminal,
): Promise<CheckResult | undefined> {
	const { WALLET_SCREENING_API_KEY: apiKey, WALLET_SCREENING_BASE_URL: url } = environment;
	if (!apiKey || !url)
		throw new Error(`The service or its key is not set. Set both, and start the command again:

  export WALLET_SCREENING_BASE_URL=https://api.vendor.example
  export WALLET_SCREENING_API_KEY=...

${seeHelp}`);
	const baseUrl = normalizeBaseUrl(url, 'WALLET_SCREENING_BASE_URL');
	const maxSeconds = readSeconds(options.wait ?? '600', '--wait');
	const confirmSeconds = readSeconds(options.confirm ?? '30', '--confirm');
	const addresses = readAddresses(options.address ?? []);
	print(`This check calls the service at ${new URL(baseUrl).host} with your key.
It screens ${addresses[0]} and submits a bulk job of it and ${addresses[1]}.
The service may bill three screenings: the first address alone, and both in the job. Neither request is sent twice.\n`);
	if (!options.yes && !(await ask('Go on? (yes/no) '))) return undefined;
	const hideKey = createMask([apiKey]);
	const send = sendWith(apiKey, baseUrl, hideKey);
	return await checkService({
		baseUrl,
		addresses,
		maxSeconds,
		confirmSeconds,
		send,
		print: (sentence) => print(hideKey(sentence)),
	}).catch((error: Error) => {
		throw new Error(hideKey(describeError(error)));
	});
}

/** @throws an Error that names the option, if the text is no number above 0 */
function readSeconds(text: string, option: string): number {
	const seconds = Number(text);
	if (!(seconds > 0)) throw new Error(`${option} must be a number of seconds.`);
	return seconds;
}

/** The addresses of the user, and test addresses in place of those that are missing. */
function readAddresses(given: readonly string[]): [string, string] {
	if (given.length > 2) throw new Error('--address may be given at most twice.');
	const addresses = given.map((address) => cleanAddress(address, '--address'));
	return [...addresses, ...testAddresses].slice(0, 2) as [string, string];
}
