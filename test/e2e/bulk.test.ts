import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, INode } from 'n8n-workflow';
import {
	type Credential,
	type Execution,
	itemsOf,
	type N8n,
	type Saved,
	startFreshInstance,
	type Workflow,
} from '../../host/instance';
import { reportOn } from '../../sandbox/reports';
import { sanctionedAddresses } from '../../sandbox/sanctions';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import template from '../../templates/bulk-screen-a-list.json';
import { patience, screeningNode, screeningWorkflow, serviceCredential } from './workflow';

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const bech32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';

/** An address that looks like one of its chain, always the same for the same number. */
function unlisted(number: number): string {
	const digest = createHash('sha512').update(`address ${number}`).digest();
	const letters = (alphabet: string, length: number) =>
		[...digest.subarray(0, length)].map((byte) => alphabet[byte % alphabet.length]).join('');
	const kinds = [
		`0x${digest.toString('hex').slice(0, 40)}`,
		`1${letters(base58, 33)}`,
		`bc1q${letters(bech32, 38)}`,
		`T${letters(base58, 33)}`,
	];
	return kinds[number % kinds.length]!;
}

const listed = [...new Set(sanctionedAddresses.map(({ address }) => address))];
/** 2,500 addresses, no two equal; the listed ones in between the others. */
const addresses = [
	...listed,
	...Array.from({ length: 2500 - listed.length }, (_, index) => unlisted(index)),
].map((_, index, all) => all[(index * 1001) % all.length]!);

const screenAndWait: INode['parameters'] = {
	resource: 'bulkJob',
	operation: 'screenAndWait',
	addressSource: 'inputItems',
	addressField: 'customer.wallet',
};
const input = addresses.map((wallet, row) => ({ customer: { wallet }, row }));

describe('bulk jobs in a real n8n', () => {
	let n8n: N8n;
	let sandbox: Sandbox;
	let credential: Saved<Credential>;

	beforeAll(async () => {
		sandbox = await startSandbox({
			limit: null,
			jobDurationMs: 300,
			jobs: ({ addresses: [first] }) => ({
				fails: first === addresses[1000],
				...(first === 'never-ends' && { durationMs: 3_600_000 }),
			}),
		});
		n8n = await startFreshInstance('e2e-bulk');
		credential = await n8n.saveCredential(
			serviceCredential(sandbox.keys.readWrite, sandbox.baseUrl),
		);
	}, patience);

	afterAll(async () => {
		await n8n?.stop();
		await sandbox?.close();
	});

	beforeEach(() => {
		sandbox.requests.length = 0;
	});

	const submissions = () => sandbox.requests.filter(({ method }) => method === 'POST');
	const looks = () => sandbox.requests.filter(({ method }) => method === 'GET');
	const execute = async (workflow: Workflow): Promise<Execution> =>
		n8n.runWorkflow(await n8n.saveWorkflow(workflow));

	test('gives 2,500 items their reports, or the job that failed, in order', async () => {
		expect(new Set(addresses).size).toBe(2500);
		const options = { pollInterval: 0.2 };
		const execution = await execute(
			screeningWorkflow(input, { ...screenAndWait, options }, credential, 'continueRegularOutput'),
		);

		expect(execution.status).toBe('success');
		const failed = submissions().find(
			({ body }) => (body as { addresses: string[] }).addresses[0] === addresses[1000],
		)?.job_id;
		expect(failed).toMatch(/^job_/);
		const items = itemsOf(execution, screeningNode);
		const seen = items.map(({ json, pairedItem }) => {
			const { errorClass, address, job_id } = (json.details ?? {}) as IDataObject;
			return { pairedItem, errorClass, job_id, address: json.address ?? address };
		});
		const inFailedJob = (item: number) => item >= 1000 && item < 2000;
		expect(seen).toEqual(
			addresses.map((address, item) => ({
				pairedItem: { item },
				errorClass: inFailedJob(item) ? 'job_failed' : undefined,
				job_id: inFailedJob(item) ? failed : undefined,
				address,
			})),
		);
		const reports = items.filter((_, item) => !inFailedJob(item)).map(({ json }) => json);
		expect(reports).toEqual(
			reports.map(({ address }) => reportOn(String(address), undefined, sandbox.baseUrl)),
		);
		const sent = submissions().map(({ body }) => (body as { addresses: string[] }).addresses);
		expect(sent.map(({ length }) => length).sort()).toEqual([1000, 1000, 500]);
		expect(new Set(sent.flat())).toEqual(new Set(addresses));
		expect(execution.data.resultData.runData[screeningNode]?.[0]?.hints).toMatchObject([
			{ message: '2500 addresses in 3 bulk jobs, 1000 addresses without a report.' },
		]);
	}, 60_000);

	test('ends the wait within two seconds when it is stopped, and looks no more', async () => {
		const options = { pollInterval: 0.2 };
		const workflow = await n8n.saveWorkflow(
			screeningWorkflow(
				[{ customer: { wallet: 'never-ends' } }],
				{ ...screenAndWait, options },
				credential,
				'continueRegularOutput',
			),
		);
		const id = await n8n.startExecution(workflow);
		while (looks().length < 2) await sleep(20);

		const stoppedAt = Date.now();
		await n8n.stopExecution(id);
		const { status } = await n8n.finishedExecution(id);
		expect(Date.now() - stoppedAt).toBeLessThan(2000);
		expect(status).toBe('canceled');

		const requests = sandbox.requests.length;
		// Longer than any pause that could have begun by now.
		await sleep(3000);
		expect(sandbox.requests).toHaveLength(requests);
	}, 60_000);

	test('the template screens its list, and tells what to do with each customer', async () => {
		const type = 'n8n-nodes-wallet-screening.walletScreening';
		const nodes = (template.nodes as unknown as INode[]).map((node) =>
			node.type === type
				? {
						...node,
						credentials: { [credential.type]: { id: credential.id, name: credential.name } },
					}
				: node,
		);
		const execution = await execute({ ...(template as unknown as Workflow), nodes });

		expect(execution.data.resultData.error).toBeUndefined();
		expect(execution.status).toBe('success');
		const jsonOf = (node: string) => itemsOf(execution, node).map(({ json }) => json);
		const review = jsonOf('Review These Customers');
		expect(review).toEqual(
			expect.arrayContaining([
				expect.objectContaining({
					customer: 'Ronin Bridge Thief (Sanctioned)',
					address: '0x098B716B8Aaf21512996dC57EB0615e2383E2f96',
					risk_level: 'red',
					risk_score: expect.any(Number),
				}),
				expect.objectContaining({ customer: 'SamSam Ransomware (Sanctioned)' }),
			]),
		);
		const fine = jsonOf('No Action Needed');
		expect(fine.every(({ risk }) => (risk as IDataObject).level === 'green')).toBe(true);
		const failed = jsonOf('Could Not Be Screened');
		expect(failed).toMatchObject([
			{
				customer: 'Typing Slip',
				address: expect.stringContaining(' '),
				error: expect.stringMatching(/white space/),
				what_to_do: expect.stringMatching(/\w{3}/),
			},
		]);
		expect(review.length + fine.length + failed.length).toBe(
			jsonOf('One Item per Customer').length,
		);
		expect(JSON.stringify(template)).not.toContain('"credentials"');
	}, 60_000);
});
