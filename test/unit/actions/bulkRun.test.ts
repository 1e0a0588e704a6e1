import type {
	IDataObject,
	IHttpRequestOptions,
	INodeExecutionData,
	NodeExecutionHint,
} from 'n8n-workflow';

import { ethereum, sanctionedBitcoin } from '../../support/data/knownAddresses';
import { createContext } from '../../support/unit/context';
import { execute } from '../../support/unit/execute';
import { createStopButton } from '../../support/unit/stopButton';
import { unrefTimers } from '../../support/unit/timers';
import { numberedAddresses } from '../../support/data/addresses';
import { helperAnswer } from '../../support/unit/httpAnswers';
import { reportOf } from '../../support/unit/reports';

beforeEach(unrefTimers);
afterEach(() => jest.restoreAllMocks());

type Service = (list: string[], number: number) => ReturnType<typeof helperAnswer> | void;

/**
 * Runs a bulk operation, as a rule where it continues after failures. `service` sees each list
 * before it is answered: as a rule a job that is complete at once, `job_0` and so on.
 */
async function run(
	operation: 'submit' | 'screenAndWait',
	input: { addresses?: string[]; items?: IDataObject[] },
	{
		service = (() => {}) as Service,
		continueOnFail = true,
		parameters = {},
		options = {},
		logFailsAt = 'never',
		status = 'completed',
		signal = undefined as AbortSignal | undefined,
		/** The key of each input item; undefined: one for all. */
		keys = undefined as string[] | undefined,
	} = {},
) {
	const lists: string[][] = [];
	const notes = { log: [] as string[], hints: [] as NodeExecutionHint[] };
	const context = createContext({
		items: input.items ?? input.addresses!.map((address) => ({ address })),
		continueOnFail,
		...(signal && { signal }),
		parameters: { resource: 'bulkJob', operation, ...parameters },
		options: { maxRetries: 0, pollInterval: 0.01, ...options },
		http: async ({ method, url, body }: IHttpRequestOptions) => {
			await Promise.resolve();
			if (method === 'POST') {
				const { addresses } = body as { addresses: string[] };
				const number = lists.push(addresses) - 1;
				return service(addresses, number) ?? helperAnswer(200, { job_id: `job_${number}` });
			}
			const list = lists[Number(url.split('_').at(-1))]!;
			const results = list.map((address) => reportOf(address));
			return helperAnswer(200, { status, results });
		},
		...notes,
	});
	if (keys) {
		const credentialOf = (item = 0) => ({ ...credential, apiKey: keys[item] });
		const getCredentials = async (_type: string, item?: number) =>
			await Promise.resolve(credentialOf(item));
		Object.assign(context, { getCredentials });
	}
	context.logger.info = (line: string) => {
		if (line.endsWith(logFailsAt)) throw new TypeError('The log is gone');
		notes.log.push(line);
	};
	const executed = await execute(context);
	return { ...executed, ...notes, lists };
}

const credential = { baseUrl: 'https://api.example.com', plan: 'enterprise' };

/** Sends one list after the other. */
const inTurn = { options: { concurrency: 1 } };

const detailsOf = ({ json }: INodeExecutionData) => json['details'] as IDataObject;
const failuresIn = (items: INodeExecutionData[]) => items.filter(({ json }) => 'error' in json);

test('does not say at the deadline that nothing was sent if the service accepted no job', async () => {
	const service = () => helperAnswer(429, {}, { 'retry-after': '100' });
	const options = { maxRetries: 5, timeout: 0.001 };
	const settings = { service, options };
	const { items, lists } = await run('screenAndWait', { addresses: [ethereum] }, settings);
	expect(lists).toEqual([[ethereum]]);
	expect(items[0]!.json).toMatchObject({
		error: 'No bulk job took the address within 0.001 minutes',
		details: { errorClass: 'job_timeout' },
	});
});

describe.each(['submit', 'screenAndWait'] as const)('%s', (operation) => {
	test('names each job in the log as soon as it is accepted', async () => {
		const { log } = await run(operation, { addresses: numberedAddresses(1001) }, inTurn);
		expect(log).toEqual(
			[0, 1].map((at) => `Execution execution: the service accepted bulk job job_${at}`),
		);
	});

	test.each([
		[[ethereum, ethereum], '1 address in 1 bulk job, 1 duplicate not sent again'],
		[
			[ethereum, sanctionedBitcoin, ethereum, ethereum],
			'2 addresses in 1 bulk job, 2 duplicates not sent again',
		],
	])('of %j says what it sent, and what it did not send again', async (addresses, sent) => {
		const { hints } = await run(operation, { addresses });
		const message = operation === 'submit' ? sent : `${addresses.length} green. ${sent}`;
		expect(hints).toEqual([{ message, location: 'outputPane', type: 'info' }]);
	});

	test('sends no further list after a failure, unless the user chose to continue', async () => {
		const service: Service = (_list, number) => (number === 1 ? helperAnswer(403) : undefined);
		const input = { addresses: numberedAddresses(2500) };
		const stopped = await run(operation, input, { service, ...inTurn, continueOnFail: false });
		expect(stopped.lists).toHaveLength(2);
		const context = { errorClass: 'forbidden', itemIndex: 1000, job_ids: ['job_0'] };
		expect(stopped.error).toMatchObject({ context });
		const goesOn = await run(operation, input, { service, ...inTurn });
		expect(goesOn.lists).toHaveLength(3);
		expect(failuresIn(goesOn.items)).toHaveLength(1000);
	});

	test('takes as many addresses per job as the user chose', async () => {
		const input = { addresses: numberedAddresses(5) };
		const { lists } = await run(operation, input, { options: { addressesPerJob: 2 } });
		expect(lists.map(({ length }) => length)).toEqual([2, 2, 1]);
	});

	test('stopped while a list is on the wire, says in the log that the job may exist', async () => {
		const stop = createStopButton();
		const service: Service = () => stop.abort();
		const options = { service, signal: stop.signal, ...inTurn, continueOnFail: false };
		const { log, lists } = await run(operation, { addresses: numberedAddresses(1001) }, options);
		expect(lists).toHaveLength(1);
		expect(log).toEqual([expect.stringContaining('A bulk job of 1000 addresses may exist')]);
	});
});

test('Screen and Wait waits no longer than the time that the user chose', async () => {
	const given = { status: 'processing', options: { timeout: 0 } };
	const { items } = await run('screenAndWait', { addresses: [ethereum] }, given);
	expect(items.map(detailsOf)).toMatchObject([{ errorClass: 'job_timeout', job_id: 'job_0' }]);
});

test('a fault of the node at one job costs what this job made only, if the user chose to continue', async () => {
	const addresses = numberedAddresses(2500);
	const faults = { ...inTurn, logFailsAt: 'job_1' };
	const waited = await run('screenAndWait', { addresses }, faults);
	const details = { errorClass: 'invalid_response', job_id: 'job_1' };
	expect(waited.items).toMatchObject(
		addresses.map((address, item) => ({
			json: item < 1000 || item >= 2000 ? { address } : { details },
			pairedItem: { item },
		})),
	);
	const submitted = await run('submit', { addresses }, faults);
	expect(submitted.items.flatMap(({ json }) => json.job_id ?? [])).toEqual(['job_0', 'job_2']);
	expect(submitted.items).toHaveLength(2 + 1000);
});

test('of the errors of addresses that are in no job, the first names all jobs', async () => {
	const service: Service = (_list, number) => (number % 2 === 1 ? helperAnswer(500) : undefined);
	const options = { ...inTurn.options, addressesPerJob: 2 };
	const items = [...numberedAddresses(8), '', 'no address'].map((address) => ({ address }));
	const submitted = await run(
		'submit',
		{ items: [{ address: '' }, ...items] },
		{ service, options },
	);
	const failures = failuresIn(submitted.items).map(detailsOf);
	expect(failures.map(({ errorClass, job_ids }) => [errorClass, job_ids])).toEqual([
		['invalid_input', undefined],
		['server', ['job_0', 'job_2']],
		['server', undefined],
		['server', undefined],
		['server', undefined],
		['invalid_input', undefined],
		['invalid_input', undefined],
	]);
});

describe('a service that rejects a list as a whole for a bad address in it', () => {
	/**
	 * Submits the addresses; the number of those in a job, those of the error items, and the lists.
	 */
	async function submitted(addresses: string[], bad: string[], options = {}) {
		const all = new Set(bad);
		const service: Service = (list) =>
			list.some((one) => all.has(one)) ? helperAnswer(400, { message: 'Rejected' }) : undefined;
		const { items, lists } = await run('submit', { addresses }, { service, options });
		const inJobs = items.map(({ json }) => (json.address_count as number | undefined) ?? 0);
		const errors = failuresIn(items).map((item) => detailsOf(item).address);
		expect(JSON.stringify(items)).not.toContain('On Error');
		return { inJobs: inJobs.reduce((sum, one) => sum + one, 0), errors, lists };
	}

	test('gets no other list if the node fails, which says what could help', async () => {
		const addresses = numberedAddresses(100);
		const service = () => helperAnswer(422, { message: 'Rejected' });
		const stopped = await run('submit', { addresses }, { service, continueOnFail: false });
		const description = expect.stringContaining("'On Error' set to Continue") as string;
		const error = { httpCode: '422', description };
		expect(stopped).toMatchObject({ error, lists: [addresses] });
	});

	// As in a table that is sorted by chain, the bad addresses reach from one list into the next.
	test('loses the bad ones only', async () => {
		const addresses = numberedAddresses(4000);
		const bad = [...addresses.slice(1000, 3100), ...addresses.slice(3900)];
		const expected = { inJobs: 4000 - bad.length, errors: bad };
		expect(await submitted(addresses, bad)).toMatchObject(expected);
	});

	test('and rejects all is asked as for one list, and a little more for each further one', async () => {
		const addresses = numberedAddresses(3000);
		const { inJobs, errors, lists } = await submitted(addresses, addresses, { concurrency: 1 });
		expect({ inJobs, errors }).toEqual({ inJobs: 0, errors: addresses });
		expect(lists.filter(({ length }) => length === 1)).toHaveLength(1032);
		expect(new Set(lists.map((list) => list.join())).size).toBe(lists.length);
	});
});

describe('a list that is the same for all items', () => {
	const [first, second] = [ethereum, sanctionedBitcoin];
	const invalid = 'two words';
	const noKey = 'The API key is empty';

	/** The address and the error of each item that leaves, with the index of its input item. */
	const screened = async (keys: string[], addresses: string) => {
		const input = { items: keys.map(() => ({})) };
		const parameters = { addressSource: 'list', addresses };
		const { items, lists } = await run('screenAndWait', input, { parameters, keys });
		const outcomes = items.map(({ json, pairedItem }) => [
			(pairedItem as { item: number }).item,
			json.error ?? 'screened',
			json.address,
		]);
		return { outcomes, lists };
	};

	test.each<[because: string, keys: string[], list: string, outcomes: unknown[][]]>([
		[
			'the first item has a key',
			['key', 'key'],
			`${first},${second}`,
			[
				[0, 'screened', first],
				[0, 'screened', second],
			],
		],
		[
			'the second item has one, and the error of the first one stays',
			['', 'key', ''],
			`${first},${second}`,
			[
				[0, noKey, undefined],
				[1, 'screened', first],
				[1, 'screened', second],
				[2, noKey, undefined],
			],
		],
		[
			'no item has one, and each address says so',
			['', ''],
			`${first},${invalid},${second}`,
			[
				[0, noKey, first],
				[0, expect.stringContaining('Addresses, entry 2'), invalid],
				[0, noKey, second],
				[1, noKey, undefined],
			],
		],
		[
			'it holds no address',
			['key', 'key'],
			'',
			[[0, expect.stringContaining('no address'), undefined]],
		],
	])('has one outcome for each of its addresses: %s', async (_because, keys, list, outcomes) => {
		const { outcomes: seen, lists } = await screened(keys, list);
		expect(seen).toEqual(outcomes);
		const isSent = outcomes.some(([, outcome]) => outcome === 'screened');
		expect(lists).toEqual(isSent ? [[first, second]] : []);
	});
});
