import { parseArgs } from 'node:util';
import { cleanAddress } from '../nodes/WalletScreening/service/input';

export const help = `Usage: npm run check-service -- [options]

Goes through the whole interface of the service that the environment names, and
says whether the nodes understand what it does.

  WALLET_SCREENING_API_KEY   the key; it needs write scope
  WALLET_SCREENING_BASE_URL  the address of the service

  --yes             do not ask before anything is paid
  --address <text>  address to screen in place of the first test address; give
                    it twice to replace both
  --wait <seconds>  how long the bulk job, or a delivery, may take (default 600)
  --json <file>     write a transcript without values, to be sent to the vendor
                    or to us

  --openapi <file>  read the vendor's OpenAPI file, JSON or YAML, and send nothing

  --webhook         take one delivery of the webhook and say how it is signed
                    with WALLET_SCREENING_WEBHOOK_SECRET
  --port <number>   port to listen on (default: any free one)
  --host <name>     address to listen on (default 127.0.0.1)

  --help            show this text
`;

export interface Options {
	yes: boolean;
	addresses: string[];
	/** Seconds. */
	wait: number;
	json: string | undefined;
	openapi: string | undefined;
	webhook: boolean;
	port: number;
	host: string;
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
			json: { type: 'string' },
			openapi: { type: 'string' },
			webhook: { type: 'boolean', default: false },
			port: { type: 'string', default: '0' },
			host: { type: 'string', default: '127.0.0.1' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return null;
	// It may be a key, so it is not repeated.
	if (positionals.length > 0) throw new Error('Give options only: see --help.');
	if (values.webhook && values.openapi !== undefined) {
		throw new Error('Give either --webhook or --openapi, not both.');
	}
	if (values.address.length > 2) throw new Error('Give --address at most twice.');
	return {
		yes: values.yes,
		addresses: values.address.map((address) => cleanAddress(address, '--address')),
		wait: numberOf('wait', values.wait, 1, 86_400),
		json: values.json,
		openapi: values.openapi,
		webhook: values.webhook,
		port: numberOf('port', values.port, 0, 65_535),
		host: values.host,
	};
}

function numberOf(option: string, text: string, lowest: number, highest: number): number {
	const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
	if (number >= lowest && number <= highest) return number;
	throw new Error(`--${option} must be a whole number from ${lowest} to ${highest}.`);
}
