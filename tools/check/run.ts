import { parseArgs } from 'node:util';
import { normalizeBaseUrl } from '../../nodes/WalletScreening/shared/http';
import { cleanAddress } from '../../nodes/WalletScreening/address/input';
import { createMask } from '../../nodes/WalletScreening/transport/credential';
import { scenarioAddress } from '../../sandbox/scenarios';
import { checkFile } from './openapi';
import { sendWith } from './send';
import { checkService } from './service';

const help = `Usage: npm run check-service -- [options]

Asks the service at WALLET_SCREENING_BASE_URL with the key WALLET_SCREENING_API_KEY,
which needs write scope. Says whether the nodes understand what it answers, and
writes 'Service Names' of the credential. Ends with status 1 unless they understand
it as it stands.

  --yes             do not ask before anything that may be billed
  --address <text>  address to screen in place of a test address; at most twice
  --wait <seconds>  how long the bulk job may take (default 600)
  --openapi <file>  read the vendor's OpenAPI file, JSON or YAML, and send nothing`;

/** Test addresses of the sandbox: green, and in bulk jobs, too. */
const testAddresses = (['harmless', 'sanctionedFromDay1'] as const).map(scenarioAddress);
const [text, flag] = [{ type: 'string' }, { type: 'boolean' }] as const;
const address = { ...text, multiple: true } as const;
const options = { yes: flag, help: flag, openapi: text, address, wait: text };

/**
 * Runs `npm run check-service` with these arguments.
 *
 * @returns whether the nodes understand the service as it is; `undefined` if nothing was checked
 * @throws an Error for people
 */
export async function run(
	args: string[],
	environment: NodeJS.ProcessEnv,
	{ print, ask }: { print: (text: string) => void; ask: (question: string) => Promise<boolean> },
) {
	const { values } = parseArgs({ args, options });
	if (values.help) return print(help);
	const findings = values.openapi ? await checkFile(values.openapi, print) : await askService();
	if (!findings) return undefined;
	const { names, isUnderstood } = findings;
	const isTaught = Object.keys(names).length > 0;
	if (!isUnderstood)
		print('\nThe nodes do not understand all of it. Ask the vendor about the lines above.');
	else if (!isTaught)
		print("\nThe nodes understand it. Leave 'Service Names' of the credential empty.");
	if (isTaught)
		print("\nPaste this into 'Service Names' of the credential, if it means what it says:\n");
	if (isTaught) print(JSON.stringify(names));
	return isUnderstood && !isTaught;

	async function askService() {
		const { WALLET_SCREENING_API_KEY: apiKey, WALLET_SCREENING_BASE_URL: url } = environment;
		if (!apiKey || !url) throw new Error(`${help}\n\nThe key or the address is not set.`);
		const baseUrl = normalizeBaseUrl(url, 'WALLET_SCREENING_BASE_URL');
		const own = (values.address ?? []).map((text) => cleanAddress(text, '--address'));
		const addresses = [...own, ...testAddresses].slice(0, 2) as [string, string];
		print(`This check calls the service at ${new URL(baseUrl).host} with your key.
It screens ${addresses[0]} and submits a bulk job of it and ${addresses[1]}.
The service may bill three addresses. Nothing that may be billed is sent twice.\n`);
		if (!values.yes && !(await ask('Go on? (yes/no) '))) return undefined;
		const say = (finding: string) => print(createMask([apiKey])(finding));
		const wait = Number(values.wait ?? 600);
		if (!(wait > 0)) throw new Error('--wait must be a number of seconds.');
		return await checkService({ baseUrl, addresses, wait, send: sendWith(apiKey), say });
	}
}
