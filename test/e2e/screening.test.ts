import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import {
	type Credential,
	type Execution,
	itemsOf,
	type N8n,
	type Saved,
	startFreshInstance,
} from '../../host/instance';
import { sanctionedAddresses } from '../../sandbox/sanctions';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { patience, screeningNode, screeningWorkflow, serviceCredential } from './workflow';

const screen = {
	resource: 'address',
	operation: 'screen',
	address: '={{ $json.address }}',
	options: {},
};

const badAddresses = [
	'',
	' \t ',
	'1A1zP1eP5QGefi2DMPTfTL5 SLmv7DivfNa',
	'1A1zP1eP5QGefi2D\u0000MPTfTL5SLmv7DivfNa',
	'1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa\n34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo',
	'1'.repeat(257),
];
const isBad = (index: number) => index % 7 < 3;
/** 1,000 addresses, good and bad ones in turn. */
const addresses = Array.from({ length: 1000 }, (_, index) =>
	isBad(index)
		? badAddresses[index % badAddresses.length]
		: sanctionedAddresses[index % sanctionedAddresses.length]?.address,
);
const indexes = addresses.map((_, index) => index);

const report = (address: unknown) => ({
	report_id: expect.stringMatching(/\S/),
	address,
	chain: expect.any(String),
	risk: { level: 'red', score: expect.any(Number) },
});
const refusal = {
	error: expect.stringMatching(/\S/),
	details: { errorClass: 'invalid_input', description: expect.stringMatching(/\S/) },
};

function expectOutcomes(items: INodeExecutionData[], expected: Array<[number, object]>): void {
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(expected.map(([item]) => ({ item })));
	expect(items.map(({ json }) => json)).toMatchObject(expected.map(([, json]) => json));
}

describe('screening in a real n8n', () => {
	let n8n: N8n;
	let sandbox: Sandbox;
	let credential: Saved<Credential>;

	beforeAll(async () => {
		sandbox = await startSandbox({ limit: null });
		n8n = await startFreshInstance('e2e-screening');
		credential = await n8n.saveCredential(
			serviceCredential(sandbox.keys.readWrite, sandbox.baseUrl),
		);
	}, patience);

	afterAll(async () => {
		await n8n?.stop();
		await sandbox?.close();
	});

	async function execute(
		input: IDataObject[],
		parameters: INode['parameters'],
		onError?: INode['onError'],
	): Promise<Execution> {
		const workflow = screeningWorkflow(input, parameters, credential, onError);
		return n8n.runWorkflow(await n8n.saveWorkflow(workflow));
	}

	test('keeps the PDF of a report in the binary data of n8n', async () => {
		const [address] = addresses.slice(3);
		const execution = await execute([{ address }], { ...screen, includePdf: true });

		const [item] = itemsOf(execution, screeningNode);
		const property = item?.binary?.data;
		expect(property).toMatchObject({
			data: 'filesystem-v2',
			mimeType: 'application/pdf',
			fileName: `${String(item?.json.report_id)}.pdf`,
		});
		const pdf = await n8n.binary(property!);
		expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
		expect(pdf.length).toBe(property?.bytes);
	}, 60_000);

	describe('of 1,000 good and bad addresses', () => {
		const input = addresses.map((address) => ({ address }));

		test('gives each its outcome, in order, with "Continue"', async () => {
			const execution = await execute(input, screen, 'continueRegularOutput');

			expect(execution.status).toBe('success');
			expectOutcomes(
				itemsOf(execution, screeningNode),
				indexes.map((index) => [index, isBad(index) ? refusal : report(addresses[index])]),
			);
		}, 180_000);

		test('parts reports and refusals, each in order, with the error output', async () => {
			const execution = await execute(input, screen, 'continueErrorOutput');

			expect(execution.status).toBe('success');
			expectOutcomes(
				itemsOf(execution, screeningNode, 0),
				indexes.filter((index) => !isBad(index)).map((index) => [index, report(addresses[index])]),
			);
			expectOutcomes(
				itemsOf(execution, screeningNode, 1),
				indexes.filter(isBad).map((index) => [index, { ...refusal, address: addresses[index] }]),
			);
		}, 180_000);
	});
});
