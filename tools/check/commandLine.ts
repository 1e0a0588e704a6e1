import { parseArgs } from 'node:util';
import { cleanAddress } from '../../nodes/WalletScreening/service/input';

export const help = `Usage: npm run check-service -- [options]

Asks the service that the environment names, says whether the nodes understand
what it answers, and prints what to paste into 'Service Names' of the credential.

  WALLET_SCREENING_API_KEY   the key; it needs write scope
  WALLET_SCREENING_BASE_URL  the address of the service

  --yes             do not ask before anything that may be billed
  --address <text>  address to screen in place of a test address; at most twice
  --wait <seconds>  how long the bulk job may take (default 600)
  --openapi <file>  read the vendor's OpenAPI file, JSON or YAML, and send nothing
  --help            show this text
`;

export interface Options {
	yes: boolean;
	addresses: string[];
	/** Seconds. */
	wait: number;
	openapi: string | undefined;
}

/**
 * Reads the arguments of the command line; null when help is asked for.
 *
 * @throws an Error that names the invalid option
 */
export function readCommandLine(args: string[]): Options | null {
	const { values, positionals } = parseArgs({
		args,
		allowPositionals: true,
		options: {
			yes: { type: 'boolean', default: false },
			address: { type: 'string', multiple: true, default: [] },
			wait: { type: 'string', default: '600' },
			openapi: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return null;
	// It may be a key, so it is not repeated.
	if (positionals.length > 0) throw new Error('Give options only: see --help.');
	if (values.address.length > 2) throw new Error('Give --address at most twice.');
	const wait = /^\d{1,5}$/.test(values.wait) ? Number(values.wait) : 0;
	if (wait === 0) throw new Error('--wait must be a whole number of seconds from 1 to 99999.');
	const addresses = values.address.map((address) => cleanAddress(address, '--address'));
	return { yes: values.yes, addresses, wait, openapi: values.openapi };
}
