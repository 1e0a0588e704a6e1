import type { IDataObject } from 'n8n-workflow';

import { sanctionedAddresses } from '../../../sandbox/sanctions';
import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { type Credential, itemsOf, type Saved } from '../../../tools/host/instance';
import { numbersFrom, seed } from '../../support/random';
import { checksummed, mistyped } from '../../support/wallets';
import { screeningNode, serviceCredential } from '../../support/workflows';
import { n8n, runScreening } from './n8n';

const sanctioned = [...new Set(sanctionedAddresses.map(({ address }) => address))];
/** Those with a checksum: of Ethereum as its wallets write them, and without those of Monero. */
const withChecksum = sanctioned
	.filter((address) => address.length !== 95)
	.map((address) => (address.startsWith('0x') ? checksummed(address) : address));

const screen = { resource: 'address', operation: 'screen', address: '={{ $json.address }}' };

export function addressTests(): void {
	let sandbox: Sandbox;
	let credential: Saved<Credential>;

	beforeAll(async () => {
		sandbox = await startSandbox({ jobDurationMs: 0 });
		credential = await n8n.saveCredential(
			serviceCredential(sandbox.keys.readWrite, sandbox.baseUrl),
		);
	});

	afterAll(() => sandbox?.close());

	beforeEach(() => sandbox.requests.splice(0));

	/** The JSON of the items that leave the node. */
	const run = async (addresses: string[], parameters: object): Promise<IDataObject[]> =>
		itemsOf(await runScreening(addresses, parameters, credential), screeningNode).map(
			({ json }) => json,
		);

	test('of 10,000 mistyped ones, at most one in 1,000 is sent', async () => {
		const next = numbersFrom(seed);
		const wrong = Array.from({ length: 10_000 }, () =>
			mistyped(withChecksum[Math.floor(next() * withChecksum.length)]!, next),
		);
		const items = await run(wrong, screen);
		const refused = items.filter(
			({ details }) => (details as IDataObject | undefined)?.checksum === 'invalid',
		);
		expect(items).toHaveLength(10_000);
		expect(refused.length).toBeGreaterThanOrEqual(9_990);
		expect(sandbox.requests).toHaveLength(10_000 - refused.length);
		process.stderr.write(`${refused.length} of 10,000 mistyped addresses were refused\n`);
	});
}
