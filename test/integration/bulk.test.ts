import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { JobPlan, PlanJob } from '../../sandbox/bulk';
import { bitcoin, ethereum, sanctionedMixer } from '../support/data/knownAddresses';
import { numberedAddresses } from '../support/data/addresses';
import { answerFault } from '../support/data/faults';
import { useService } from '../support/engine/sandboxService';
import { CONTINUE, GET_JOB, itemsFor, SUBMIT, SCREEN_AND_WAIT } from '../support/engine/workflows';

const REPORTS: INodeParameters = { ...GET_JOB, output: 'reports' };
const onlyNotGreen = { ...SCREEN_AND_WAIT, options: { pollInterval: 0.01, onlyNotGreen: true } };

/**
 * Returns for each item its address and the requested chain, or the address and the class of its
 * error.
 */
const outcomesOf = (json: IDataObject[]) =>
	json.map(({ address, asked_chain, details }: any) =>
		details ? [details.address, details.errorClass] : [address, asked_chain],
	);

let plan: PlanJob;
const service = useService({ sandbox: { planJob: (job) => plan(job) } });
beforeEach(() => (plan = () => ({})));

const jobIds = () => service.postRequests().map(({ job_id }) => job_id);
const sent = () => service.postRequests().map(({ body }) => (body as IDataObject)['addresses']);

describe('screen and wait', () => {
	it('gives items with equal addresses a report each, which a later node may change', async () => {
		const { json } = await service.run(SCREEN_AND_WAIT, {
			input: itemsFor([bitcoin, ethereum, bitcoin]),
		});
		const [first, , last] = json;
		first.report.risk.categories.scam = 'changed';
		expect(last).toEqual(service.itemOf(bitcoin));
	});

	it.each([
		['of each item, of an expression', '={{ $json.list }}', [0, 0, 1, 2]],
		['once, of a text', `${ethereum},${bitcoin}`, [0, 0]],
	])('reads a list %s', async (_what, addresses, from) => {
		const list = { ...SCREEN_AND_WAIT, addressSource: 'list', addresses };
		const input = [{ list: [ethereum, bitcoin] }, {}, { list: [ethereum] }];
		const { items } = await service.run(list, { input, onError: CONTINUE });
		expect(items[0]!.map(({ pairedItem }) => pairedItem)).toEqual(from.map((item) => ({ item })));
		expect(sent()).toEqual([[ethereum, bitcoin]]);
	});

	it('holds each report against the chain that its item meant, and sends equal addresses once', async () => {
		const chains = ['ARB', 'eth', 'BSC', ''];
		const input = chains.map((chain, at) => ({
			address: at === 2 ? ethereum.toLowerCase() : ethereum,
			coin: { chain },
		}));
		const meant = { chainField: 'coin.chain' };
		const { json } = await service.run(
			{ ...SCREEN_AND_WAIT, ...meant, addDecision: true },
			{ input },
		);
		expect(json.map(({ asked_chain, outcome }) => [asked_chain, outcome])).toEqual([
			['ARB', 'review'],
			[undefined, 'allow'],
			['BSC', 'review'],
			[undefined, 'allow'],
		]);
		expect(sent()).toEqual([[ethereum]]);
		const left = await service.run({ ...onlyNotGreen, ...meant }, { input });
		expect(left.json.map(({ asked_chain }) => asked_chain)).toEqual(['ARB', 'BSC']);
	});

	it('counts the green reports that Only Not Green leaves out, and loses no other item', async () => {
		const input = itemsFor([ethereum, sanctionedMixer, '', ethereum]);
		const { items, json, hints } = await service.run(onlyNotGreen, { input, onError: CONTINUE });
		expect(outcomesOf(json)).toEqual([
			[sanctionedMixer, undefined],
			[undefined, 'invalid_input'],
		]);
		expect(items[0]!.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, { item: 2 }]);
		expect(hints[0]!.message).toContain('2 green reports left out');
	});
});

it('submit gives an item per job, paired with all its items, and an error item per address in none', async () => {
	const [refused, ...addresses] = numberedAddresses(1001) as [string, ...string[]];
	service.sandbox.addFault({
		when: ({ body }) => JSON.stringify(body).includes(refused),
		effect: answerFault(409),
	});
	const input = itemsFor(['', ...addresses, bitcoin, addresses[0], refused, bitcoin]);
	const { items } = await service.run(SUBMIT, { input, onError: CONTINUE });
	const failed = (errorClass: string, item: number) => ({
		json: { details: { errorClass } },
		pairedItem: { item },
	});
	const paired = [...addresses.map((_, at) => at + 1), 1002].map((item) => ({ item }));
	const json = { completed: false, failed: false, address_count: 1000, job: { status: 'queued' } };
	expect(items[0]).toMatchObject([
		failed('invalid_input', 0),
		{ json: { ...json, job_id: jobIds()[0], addresses }, pairedItem: paired },
		...[1001, 1003, 1004].map((item) => failed('bad_request', item)),
	]);
	expect(service.requestLines()).toEqual(Array(2).fill('POST /v1/bulk'));
});

describe('get', () => {
	/** An ended job, as Submit gives it. */
	const submit = async (addresses: string[], jobPlan: JobPlan = {}): Promise<IDataObject> => {
		plan = () => jobPlan;
		const { json } = await service.run(SUBMIT, { input: itemsFor(addresses) });
		service.reset();
		return { job_id: json[0].job_id, addresses };
	};
	const reportsOf = async (
		job: IDataObject,
		addresses = '={{ $json.addresses }}',
		options = {},
	) => {
		const given = { ...REPORTS, addresses, options };
		return (await service.run(given, { input: [job], onError: CONTINUE })).json;
	};

	it('gives the job as the service sent it, and what can be said of it', async () => {
		const { job_id } = await submit([ethereum, bitcoin]);
		const { items } = await service.run(GET_JOB, { input: [{ job_id: job_id! }] });
		const results = [ethereum, bitcoin].map((address) => service.reportOf(address));
		const known = { completed: true, failed: false, address_count: 2 };
		expect(items).toEqual([
			[
				{
					json: { job_id, ...known, job: { job_id, status: 'completed', results } },
					pairedItem: { item: 0 },
				},
			],
		]);
	});

	it('gives an item for each report, other result, and address that Submit named', async () => {
		const entry = { address: bitcoin, error: 'x' };
		const addresses = [ethereum, bitcoin, sanctionedMixer];
		const results: JobPlan['results'] = ([green, , sanctioned]) => [sanctioned, entry, green];
		const { job_id } = await submit(addresses, { results });
		const named = await submit(addresses, { results: ([green]) => [null, green] });
		const { items } = await service.run(
			{ ...REPORTS, addresses: '={{ $json.addresses ?? "" }}' },
			{ input: [{ job_id: job_id! }, named], onError: CONTINUE },
		);
		const details = { errorClass: 'invalid_response', job_id, address: bitcoin, entry };
		const lost = { errorClass: 'missing_result', job_id: named['job_id'] };
		expect(items[0]).toMatchObject([
			{ json: service.itemOf(sanctionedMixer), pairedItem: { item: 0 } },
			{ json: { details }, pairedItem: { item: 0 } },
			{ json: service.itemOf(ethereum), pairedItem: { item: 0 } },
			{ json: service.itemOf(ethereum), pairedItem: { item: 1 } },
			{ json: { details: { ...lost, address: bitcoin } }, pairedItem: { item: 1 } },
			{ json: { details: { ...lost, address: sanctionedMixer } }, pairedItem: { item: 1 } },
		]);
	});

	it.each<[string, JobPlan, object, string]>([
		['failed', { fails: true }, { failed: true }, 'job_failed'],
		['has no results', { results: () => [] }, { completed: true }, 'missing_result'],
	])('says so of a job that %s, for each address too', async (_, jobPlan, state, errorClass) => {
		const input = [await submit([ethereum, bitcoin], jobPlan)];
		const job_id = input[0]!['job_id'] as string;
		const known = { completed: false, failed: false, job_id, ...state };
		expect((await service.run(GET_JOB, { input })).json).toMatchObject([known]);
		const { error } = await service.run(REPORTS, { input });
		expect(error?.context).toMatchObject({ errorClass, job_id, itemIndex: 0 });
		expect(error?.message).toContain(job_id);
		const expected = [ethereum, bitcoin].map((address) => [address, errorClass]);
		expect(outcomesOf(await reportsOf(input[0]!))).toEqual(expected);
	});

	it('gives no report of a job that still runs: what it holds is not final', async () => {
		const job = await submit([ethereum, bitcoin]);
		const rewrite = (body: object) => ({ ...body, status: 'processing' });
		service.sandbox.addFault({ effect: { kind: 'rewrite', rewrite } });
		const known = { job_id: job['job_id'], completed: false, failed: false };
		expect((await service.run(GET_JOB, { input: [job] })).json).toMatchObject([known]);
		for (const addresses of ['', undefined])
			expect(outcomesOf(await reportsOf(job, addresses))).toEqual([[undefined, 'job_timeout']]);
	});

	it('marks a report of another chain than the one that Submit was given', async () => {
		const input = ['BSC', 'ETH', ''].map((chain) => ({ address: ethereum, chain }));
		const [job] = (await service.run({ ...SUBMIT, chainField: 'chain' }, { input })).json;
		expect(job.addresses).toEqual([...input.slice(0, 2), ethereum]);
		const json = await reportsOf(job, undefined, { onlyNotGreen: true });
		expect(outcomesOf(json)).toEqual([[ethereum, 'BSC']]);
	});
});
