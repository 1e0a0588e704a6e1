import {
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { type CreatedResources, RunLedger } from '../../../nodes/WalletScreening/execution/ledger';
import {
	applyOnError,
	createDeliveryErrorItem,
	createErrorItem,
} from '../../../nodes/WalletScreening/execution/errorItems';
import { createNodeError } from '../../../nodes/WalletScreening/execution/nodeErrors';
import { throwFailureOfTool } from '../../../nodes/WalletScreening/execution/toolFailure';
import { type OnError, withHiddenError } from '../../../nodes/WalletScreening/transport/onError';
import { type ErrorClass, ScreeningError } from '../../../nodes/WalletScreening/shared/errors';
import { statusError } from '../../../nodes/WalletScreening/client/statusErrors';
import { privateKey } from '../../support/data/knownAddresses';
import { createContext, node } from '../../support/unit/context';

const context = createContext();
const { created } = new RunLedger();
const site = 'address.screen';
const known = { address: 'a', report_id: 'r', job_ids: ['j1', 'j2'] };
/** Too many lists in one another to be written as JSON. */
const nested: unknown = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
const reportItem = { outcome: 'block', report: { risk: {} } };

test.each<ErrorClass>(['invalid_input', 'server', 'missing_result'])(
	"an error of the class %s is thrown as one of n8n's or becomes an item, and keeps what is known",
	(errorClass) => {
		const extra = { httpCode: 418, details: { ...known, reference: 'P-17', reportItem } };
		const error = new ScreeningError(errorClass, 'What happened', 'What to do', extra);
		const thrown = createNodeError(node, error, site, 17);
		expect([NodeApiError, NodeOperationError].some((kind) => thrown instanceof kind)).toBe(true);
		expect(thrown.message).toContain('What happened');
		expect(thrown.message).not.toContain('17');
		expect(thrown.description).toMatch(/^What to do/);
		expect(thrown.context).toMatchObject({ errorClass, itemIndex: 17, ...known, ...reportItem });
		if (thrown instanceof NodeApiError) expect(thrown.httpCode).toBe('418');

		const description = expect.stringMatching(/^What to do/) as string;
		const about = { errorClass, httpCode: '418', itemIndex: 17, description };
		const details = { ...about, ...known, ...reportItem };
		expect(createErrorItem(context, error, site, { itemIndex: 17 })).toEqual({
			json: { error: 'What happened', address: 'a', reference: 'P-17', details },
			pairedItem: { item: 17 },
		});
	},
);

describe('a message that contains the code of a system error, for which n8n has a text of its own, stays', () => {
	const messages = [
		"The item has no field 'filePermission.x'",
		'The item has no report, but an error: connect ECONNREFUSED 127.0.0.1',
	];

	test.each([undefined, 400].flatMap((httpCode) => messages.map((text) => ({ httpCode, text }))))(
		'in the error of an item: $httpCode, $text',
		({ httpCode, text }) => {
			const failure = new ScreeningError('bad_request', text, 'What to do', { httpCode });
			expect(createNodeError(node, failure, site, 0).message).toBe(text);
		},
	);

	test.each(messages)('in the error of a tool, with each report and description: %s', (text) => {
		const failure = new ScreeningError('bad_request', text, 'What to do for ENOENT');
		const report = { json: { level: 'red', report: { report_id: 'rep_1' } } };
		const items = [report, createErrorItem(context, failure, site, { itemIndex: 1 })];
		expect(() => throwFailureOfTool(context, items, created)).toThrow(
			`${text} ${JSON.stringify(items.map(({ json }) => json))}`,
		);
	});
});

describe('the error of a tool with a long output', () => {
	const failure = statusError(500, undefined);
	const errorItem = createErrorItem(context, failure, site, { itemIndex: 100 });
	const thrownFor = (json: object, made: CreatedResources) => {
		const items = [...Array<object>(100).fill(json), errorItem.json].map((one) => ({ json: one }));
		try {
			throwFailureOfTool(context, items as INodeExecutionData[], made);
		} catch (error) {
			return error as NodeOperationError;
		}
		throw new Error('Nothing was thrown');
	};
	const idsFrom = (name: string, count: number) =>
		Array.from({ length: count }, (_, at) => `${name}_${at}`);

	test('shows the first failure, the counts, and what exists; its data names all of that', () => {
		const known = { report_ids: idsFrom('rep', 300), job_ids: idsFrom('job', 2) };
		const { message, context: data } = thrownFor(
			{ text: 'x'.repeat(500) },
			{ ...created, ...known },
		);
		expect(message).toContain(
			`${failure.message} 1 of 101 items failed. These reports exist: rep_0,`,
		);
		expect(message).toContain('rep_99 and 200 more.');
		expect(message).toContain('job_0, job_1.');
		expect(message).toContain(JSON.stringify(errorItem.json));
		expect(message).not.toContain('xxx');
		expect(data).toMatchObject(known);
	});

	test.each<[because: string, json: object]>([
		['it is nested too deeply to be written', [nested]],
		['a failure of its own may be long', { ...errorItem.json, text: 'x'.repeat(200_000) }],
	])('has a limit: %s', (_because, json) => {
		const { message } = thrownFor(json, created);
		expect(message).toContain(failure.message);
		expect(message.length).toBeLessThan(21_000);
	});
});

test('a refused text that is cut stands in the details only', () => {
	const error = new ScreeningError('invalid_input', 'm', 'd', {
		details: { addressExcerpt: 'two words an…' },
	});
	const { json } = createErrorItem(context, error, site);
	expect(json).toMatchObject({ details: { address: 'two words an…' } });
	expect(json).not.toHaveProperty('address');
});

test('what is nested too deeply to look for private keys in it is not shown', () => {
	let entry: unknown = privateKey;
	for (let depth = 0; depth < 20_000; depth++) entry = [entry];
	const error = new ScreeningError('invalid_response', 'm', 'd', { details: { entry } });
	const { json } = createDeliveryErrorItem(context, error);
	expect(json.details).toMatchObject({ entry: '(nested too deeply to be shown)' });
});

test('a link of the service is not alive in the panel, which shows descriptions as HTML', () => {
	const serviceMessage = 'Renew your key <a href="https://evil.example">here</a>';
	const { description } = createNodeError(node, statusError(401, serviceMessage), site, 0);
	expect(description).toContain('Renew your key');
	expect(description).not.toMatch(/[<>]/);
});

test('an item without an input is paired with none, and one without a status has null', () => {
	const item = createDeliveryErrorItem(context, new ScreeningError('network', 'a', 'b'));
	expect(item.json.details).toMatchObject({ httpCode: null });
	expect(item).not.toHaveProperty('pairedItem');
	expect(item.json.details).not.toHaveProperty('itemIndex');
});

test('an item for the error output has an error that n8n finds, and that no copy keeps', () => {
	const error = statusError(404, undefined);
	const value = createNodeError(node, error, site, 3);
	const plain = createErrorItem(context, error, site, { itemIndex: 3 });
	const item = withHiddenError({ ...plain }, value);
	expect(item.error).toBe(value);
	expect({ ...item }).toStrictEqual(plain);
	expect(JSON.stringify(item)).toBe(JSON.stringify(plain));
});

describe('a private key that was typed in the place of something else', () => {
	const input = { address: privateKey, note: privateKey };
	const failure = new ScreeningError(
		'invalid_input',
		`The item has no field '${privateKey}'`,
		`Enter ${privateKey}`,
		{
			serviceMessage: `There is no ${privateKey}`,
			details: {
				reference: privateKey,
				parameter: 'Address Field',
				reportItem: { reference: privateKey, evidence: { reference: privateKey } },
				entry: { id: 7, wallets: [{ address: privateKey }, { note: `Key:\n${privateKey}` }] },
				body: { [privateKey]: privateKey },
			},
		},
	);
	const leave = (onError: OnError) =>
		applyOnError(
			createContext() as unknown as IExecuteFunctions,
			failure,
			{ itemIndex: 0, input },
			{
				onError,
				keeps: 'whole',
				givesVerdict: true,
				alertText: true,
				node,
				site: undefined,
				created,
			},
		);

	test.each<OnError>(['continue', 'errorOutput'])(
		'is not in the item, with On Error: %s',
		(onError) => {
			const item = leave(onError);
			expect(JSON.stringify(item)).not.toContain(privateKey);
			expect(String(item.error?.stack)).not.toContain(privateKey);
			expect(item.json.error).toBe("The item has no field '(private key removed)'");
			expect(item.json.details).toMatchObject({
				entry: {
					id: 7,
					wallets: [{ address: '(private key removed)' }, { note: 'Key:\n(private key removed)' }],
				},
			});
		},
	);

	test('is not in the item of a failed delivery', () => {
		const item = createDeliveryErrorItem(context, failure, true);
		expect(JSON.stringify(item)).not.toContain(privateKey);
	});

	test('is not in the error, with On Error: Stop', () => {
		let thrown: unknown;
		try {
			leave('stop');
		} catch (error) {
			thrown = error;
		}
		const { message, description, stack } = thrown as NodeOperationError;
		expect(message).toContain('(private key removed)');
		for (const text of [message, description, stack, JSON.stringify(thrown)])
			expect(text).not.toContain(privateKey);
	});
});
