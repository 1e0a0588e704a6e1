import { BinaryDataService } from 'n8n-core';

import { bitcoin, ethereum, sanctionedMixer } from '../support/data/knownAddresses';
import { numberedAddresses, validAddresses } from '../support/data/addresses';
import { answerFault } from '../support/data/faults';
import { useService } from '../support/engine/sandboxService';
import { CONTINUE, itemsFor, SCREEN } from '../support/engine/workflows';

const service = useService();
afterEach(() => jest.restoreAllMocks());

it('gives the report of each address, paired with its input, also for the nodes behind it', async () => {
	const addresses = [ethereum, sanctionedMixer, ` ${bitcoin}\r\n`];
	const { items, json } = await service.run(SCREEN, { input: itemsFor(addresses) });
	expect(items).toEqual([
		addresses.map((address, item) => ({
			json: service.itemOf(address.trim()),
			pairedItem: { item },
		})),
	]);
	expect(json[1].level).toBe('red');
	expect(service.requestLines()).toEqual(Array(3).fill('POST /v1/screen'));

	const input = numberedAddresses(12).map((address, customer) => ({ address, customer }));
	const behind = "={{ $('Start').item.json.customer }}";
	const traced = await service.run(SCREEN, { input, behind });
	expect(traced.json.map(({ value }) => value)).toEqual(input.map(({ customer }) => customer));
});

it('sends each valid address of ninety chains as it is spelled', async () => {
	const addresses = validAddresses.map(({ address }) => address);
	await service.run(SCREEN, { input: itemsFor(addresses), onError: CONTINUE });
	const sent = service.postRequests().map(({ body }) => (body as { address: string }).address);
	// The limit of the key may send some a second time.
	expect(new Set(sent)).toEqual(new Set(addresses));
});

it('sends the chain if the user gives one, and says so if the report is of another one', async () => {
	const given = { ...SCREEN, chain: '={{ $json.chain }}' };
	const [bsc, none] = ['BSC', ''].map((chain) => ({ address: ethereum, chain }));
	const { json } = await service.run(given, { input: [bsc!, none!] });
	expect(json).toEqual([service.itemOf(ethereum, 'BSC'), service.itemOf(ethereum)]);
	const bodies = service.postRequests().map(({ body }) => body);
	expect(bodies).toEqual(expect.arrayContaining([bsc, { address: ethereum }]));

	const rewrite = (body: object) => ({ ...body, chain: 'ETH' });
	service.sandbox.addFault({ effect: { kind: 'rewrite', rewrite } });
	const other = await service.run(given, { input: [bsc!] });
	expect(other.json).toMatchObject([{ chain: 'ETH', asked_chain: 'BSC' }]);
});

it.each([
	['server', /^The report arrived, but its PDF did not/],
	['storage', /could not store the PDF/],
])('keeps what was paid for if the PDF fails: %s', async (errorClass, message) => {
	if (errorClass === 'storage') {
		const full = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
		jest.spyOn(BinaryDataService.prototype, 'store').mockRejectedValue(full);
	} else {
		service.sandbox.addFault({ when: ({ method }) => method === 'GET', effect: answerFault(500) });
	}
	const wanted = { ...SCREEN, includePdf: true, addDecision: true, options: { maxRetries: 0 } };
	const input = itemsFor([ethereum]);
	const report = service.reportOf(ethereum);
	const { report_id } = report;
	const { json } = await service.run(wanted, { input, onError: CONTINUE });
	const outcome = expect.any(String) as string;
	const known = { errorClass, ...service.itemOf(ethereum), report_id, outcome };
	expect(json[0].details).toMatchObject(known);
	expect(service.postRequests()).toHaveLength(1);

	const { error } = await service.run(wanted, { input });
	expect(error?.message).toMatch(message);
	expect(error?.description).toContain("'Report: Download PDF'");
	expect(error?.context).toMatchObject({ errorClass, report, report_ids: [report_id] });
});
