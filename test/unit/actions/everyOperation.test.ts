import type {
	IDataObject,
	IHttpRequestOptions,
	INode,
	INodeProperties,
	NodeExecutionHint,
} from 'n8n-workflow';

import { resources } from '../../../nodes/WalletScreening/actions';
import { itemOf } from '../../support/data/items';
import { createContext, node } from '../../support/unit/context';
import { execute } from '../../support/unit/execute';
import { unrefTimers } from '../../support/unit/timers';
import { helperAnswer } from '../../support/unit/httpAnswers';
import { reportBody } from '../../support/unit/reports';

beforeEach(unrefTimers);
afterEach(() => jest.restoreAllMocks());

const { categories } = reportBody().risk;
const current = reportBody({
	risk: { level: 'red', score: 0.9, categories: { ...categories, sanctions: 0.9 } },
});
const pdf = Buffer.from('%PDF-1.7 of the report\n%%EOF');
const job = { job_id: 'job_1', status: 'done', results: [current] };

const rule = { field: 'sanctions', operator: 'notEquals', value: 0, outcome: 'block' };

/** The fields of a report item, in the order of the public interface. */
const ofReport =
	'outcome sanctions summary level score address chain asked_chain reference report reasons change alert evidence verification'.split(
		' ',
	);

/** Parameters for every operation, with everything that adds a field. */
const parameters = {
	address: current.address,
	chain: 'BTC',
	includePdf: true,
	earlierField: 'previous',
	jobId: 'job_1',
	output: 'reports',
	reportId: 'rep_1',
	addressSource: 'list',
	addresses: current.address,
	addDecision: true,
	decisionOptions: { addEvidence: true },
	decisionRules: { rules: [rule] },
};

async function http({ url }: IHttpRequestOptions) {
	const { pathname } = new URL(url);
	const json = pathname.includes('/bulk') ? job : current;
	return await Promise.resolve(helperAnswer(200, pathname.endsWith('/pdf') ? pdf : json));
}

interface RunSettings {
	/** The input item. */
	item?: IDataObject;
	options?: IDataObject;
	/** Whether the service fails. */
	isDown?: boolean;
	/** Parameters that replace those above. */
	changes?: Record<string, unknown>;
	settings?: Partial<INode>;
	/** Receives the hints. */
	hints?: NodeExecutionHint[];
	/** Receives the URLs of the requests. */
	urls?: string[];
}

/** Returns the JSON of the one item that leaves an operation. */
async function run(
	operation: string,
	{
		item = {},
		options = {},
		isDown = false,
		changes = {},
		settings = {},
		hints = [],
		urls = [],
	}: RunSettings,
) {
	const [resource, name] = operation.split('.');
	const context = createContext({
		items: [item],
		continueOnFail: true,
		options,
		settings,
		hints,
		parameters: { resource, operation: name, ...parameters, ...changes },
		http: async (request) => {
			urls.push(request.url);
			return isDown ? helperAnswer(404) : await http(request);
		},
	});
	return (await execute(context)).items[0]!.json;
}

/** The operations, or those with this option, e.g. `address.screen`. */
const operationsWith = (wanted?: string) =>
	resources.flatMap((resource) =>
		resource.operations.flatMap(({ fields, value }) => {
			const names = fields.flatMap(({ options = [] }) => options.map(({ name }) => name));
			return !wanted || names.includes(wanted) ? [`${resource.value}.${value}`] : [];
		}),
	);
const operations = operationsWith();

/** Each option that an operation offers, with its label. */
const offeredOptions = resources.flatMap((resource) =>
	resource.operations.flatMap(({ fields, value }) => {
		const all = fields.flatMap(({ name, options = [] }) => (name === 'options' ? options : []));
		const labels = new Map(all.map((one) => [one.name, (one as INodeProperties).displayName]));
		return [...labels].map(([name, label]) => [`${resource.value}.${value}`, name, label] as const);
	}),
);

test.each(offeredOptions)(
	'%s reads its option %s before the first request',
	async (operation, name, label) => {
		const urls: string[] = [];
		const json = await run(operation, {
			item: { ...itemOf(current) },
			options: { [name]: { no: 'value' } },
			changes: { addDecision: false, decisionOptions: {} },
			urls,
		});
		expect(json.details).toMatchObject({ errorClass: 'invalid_input', parameter: label });
		expect(urls).toEqual([]);
	},
);

/** The operations whose items have at most one of the fields of a report item, so no order. */
const withoutOrder = ['alert.createDigest', 'bulkJob.submit', 'report.downloadPdf'];
const withOrder = operations.filter((operation) => !withoutOrder.includes(operation));

/** This tests their order. Which fields there are is tested in integration/schemas. */
test.each(withOrder)('%s has the fields of a report item in their order', async (operation) => {
	const json = await run(operation, { item: { ...itemOf(current) }, options: { alertText: true } });
	expect(json.error).toBeUndefined();
	const names = Object.keys(json).filter((name) => ofReport.includes(name));
	expect(names.length).toBeGreaterThan(1);
	expect(names).toEqual(ofReport.filter((name) => name in json));
});

test.each(operationsWith('simplify'))('%s simplifies a report to ten fields', async (operation) => {
	const ten =
		'outcome sanctions summary level score address chain highest_category highest_score report_id report_url'.split(
			' ',
		);
	const simplified = await run(operation, { options: { simplify: true } });
	const names = Object.keys(simplified);
	expect(names.filter((name) => ten.includes(name))).toEqual(ten);
	// The evidence, for which the user asked, and a warning about the report stay beside them.
	expect(names.filter((name) => !ten.includes(name) && name !== 'asked_chain')).toEqual([
		'evidence',
	]);
	expect(simplified.evidence).toMatchObject({ report: current });
});

/** The parameters of each operation but for its collections of options, each with the operation. */
const parameterNames = resources.flatMap((resource) =>
	resource.operations.flatMap(({ value, fields }) => {
		// An expression gives a value of a field in these collections, not a collection.
		const names = fields
			.map(({ name }) => name)
			.filter((name) => name !== 'options' && name !== 'decisionOptions');
		return [...new Set(names)].map((name) => ({ operation: `${resource.value}.${value}`, name }));
	}),
);

describe('an expression that gives null', () => {
	let item: IDataObject;
	beforeAll(async () => (item = await run('decision.decide', { item: itemOf(current) })));
	// Evidence and digests hold the time.
	beforeEach(() => {
		const others = [
			'setTimeout',
			'setImmediate',
			'performance',
			'nextTick',
			'queueMicrotask',
		] as const;
		jest.useFakeTimers({ doNotFake: [...others] });
	});
	afterEach(() => jest.useRealTimers());

	/** The other choices without which the operation does not read a parameter. */
	const shownFor: Record<string, Record<string, string>> = {
		rulesJson: { rulesSource: 'json' },
		addressField: { addressSource: 'inputItems' },
		chainField: { addressSource: 'inputItems', addressField: 'address' },
		outputFields: { output: 'selected' },
	};
	/** The node as the tool of an AI agent. */
	const tool = { type: `${node.type}Tool` };
	const ofTools = ['output', 'outputFields'];

	test.each(parameterNames)('is an empty field: $operation, $name', async ({ operation, name }) => {
		const read = jest.fn((value: unknown) => value);
		const given = async (value: unknown) =>
			await run(operation, {
				item,
				changes: { ...shownFor[name], [name]: () => read(value) },
				settings: ofTools.includes(name) ? tool : {},
			});
		const [ofNull, ofEmpty] = [await given(null), await given('')];
		expect(read).toHaveBeenCalledWith(null);
		expect(read).toHaveBeenCalledWith('');
		const isRefused = (json: IDataObject) =>
			(json.details as IDataObject | undefined)?.errorClass === 'invalid_input';
		if (isRefused(ofEmpty)) expect(isRefused(ofNull)).toBe(true);
		else expect(ofNull).toEqual(ofEmpty);
	});
});

test.each([0, false])(
	'%j names no PDF to verify, so it is refused, not held against the item',
	async (value) => {
		const { error, details } = await run('decision.verify', {
			item: itemOf(current),
			changes: { binaryPropertyName: () => value },
		});
		expect(error).toContain("'Input Binary Field' takes the name of a field");
		expect(details).toMatchObject({ errorClass: 'invalid_input' });
	},
);

describe('a new report or job', () => {
	/** The methods of the requests that an operation sends. */
	async function methodsOf(operation: string, retryOnFail: boolean) {
		const [resource, name] = operation.split('.');
		const methods: Array<string | undefined> = [];
		const context = createContext({
			items: [{ ...itemOf(current) }],
			settings: { retryOnFail },
			parameters: { resource, operation: name, ...parameters },
			http: async (request) => {
				methods.push(request.method);
				return await http(request);
			},
		});
		await execute(context);
		return methods;
	}
	const making = ['address.screen', 'bulkJob.screenAndWait', 'bulkJob.submit'];

	test.each(making)('comes of %s, but not if n8n repeats the whole node', async (operation) => {
		expect(await methodsOf(operation, false)).toContain('POST');
		expect(await methodsOf(operation, true)).not.toContain('POST');
	});

	const others = operations.filter((operation) => !making.includes(operation));
	test.each(others)('never comes of %s', async (operation) => {
		expect(await methodsOf(operation, false)).not.toContain('POST');
	});
});

const old = { is: 'old' };
const input = {
	...Object.fromEntries(
		[...ofReport, 'job', 'completed', 'error', 'details'].map((name) => [name, old]),
	),
	customer: 'C-1',
};

test.each(operationsWith('alertText'))(
	'%s gives a failure an alert only if asked',
	async (operation) => {
		// This item is empty, so that the operations on reports fail too.
		const failed = async (alertText: boolean) =>
			await run(operation, { options: { alertText }, isDown: true });
		const verdict = operation === 'decision.decide' ? 'Not decided' : 'Not screened';
		expect(await failed(true)).toMatchObject({
			error: expect.any(String) as string,
			alert: { title: expect.stringMatching(`^${verdict}: `) as string },
		});
		expect(await failed(false)).not.toHaveProperty('alert');
	},
);

it('does not say of a report in hand that it is not screened if only the decision failed', async () => {
	const changes = { decisionRules: { rules: [{ ...rule, field: 'mixr' }] } };
	const options = { alertText: true };
	const { alert, report } = await run('decision.decide', {
		item: itemOf(current),
		options,
		changes,
	});
	expect(report).toEqual(current);
	expect(JSON.stringify(alert)).toContain(
		'Not decided: wallet 0xd8dA6B…A96045: Rule 1 has a wrong',
	);
	expect(JSON.stringify(alert)).not.toContain('Not screened');
});

test.each(operationsWith('alertText'))(
	'%s shows the zone of n8n in an alert',
	async (operation) => {
		for (const item of [itemOf(current), {}]) {
			const isDown = !('report' in item);
			const { alert } = await run(operation, { item, options: { alertText: true }, isDown });
			expect(alert).toMatchObject({ text: expect.stringContaining('America/New York') as string });
		}
	},
);

const withInput = operationsWith('includeInputFields').flatMap((operation) => [
	{ operation, isDown: false },
	{ operation, isDown: true },
]);

test.each(withInput)(
	'$operation takes no field of the input for one of the node; failed: $isDown',
	async ({ operation, isDown }) => {
		const options = { includeInputFields: true };
		const json = await run(operation, { item: input, options, isDown });
		expect(Object.keys(json).at(-1)).toBe('customer');
		expect(['error' in json, 'details' in json]).toEqual([isDown, isDown]);
		// These fields of the user may stand beside an error; beside a PDF, all may.
		const mayBeKept = isDown ? ['address', 'chain', 'reference'] : [];
		const kept = ofReport.filter((name) => json[name] === old && !mayBeKept.includes(name));
		expect(kept).toEqual(operation === 'report.downloadPdf' && !isDown ? ofReport : []);
	},
);

test.each(operationsWith('simplify'))(
	'%s takes no verdict of the input for that of a report of which an agent gets other fields',
	async (operation) => {
		const json = await run(operation, {
			item: input,
			options: { includeInputFields: true },
			changes: { output: 'selected', outputFields: ['address', 'reference'] },
			settings: { type: `${node.type}Tool` },
		});
		expect(json).toMatchObject({ outcome: 'block', customer: 'C-1' });
		expect(ofReport.filter((name) => json[name] === old)).toEqual([]);
	},
);

test.each([
	['job_1', true],
	['job_2', false],
])('an error of a result of job_1 stands beside the fields of %s: %s', async (job_id, isKept) => {
	const item = { job_id, completed: true, customer: 'C-1' };
	const changes = { addresses: 'two words' };
	const options = { includeInputFields: true };
	const json = await run('bulkJob.get', { item, changes, options });
	expect(json).toMatchObject({ details: { job_id: 'job_1' }, customer: 'C-1' });
	expect(['job_id' in json, 'completed' in json]).toEqual([isKept, isKept]);
});

test.each<[operation: string, changes: IDataObject]>([
	['address.check', {}],
	['report.downloadPdf', {}],
	['bulkJob.get', { output: 'job' }],
])('the hint of %s counts no level of the user', async (operation, changes) => {
	const hints: NodeExecutionHint[] = [];
	const item = { level: 'gold', outcome: 'block' };
	await run(operation, { item, changes, options: { includeInputFields: true }, hints });
	expect(hints).toEqual([]);
});

test('a PDF stands beside the report item that it was got for', async () => {
	const item = { outcome: 'block', ...itemOf(current), alert: { text: 'x' } };
	const options = { includeInputFields: true };
	const json = await run('report.downloadPdf', { item, options });
	expect(json).toEqual({ report_id: 'rep_1', ...item });
});

test('a digest that fails is an error for each of its items', async () => {
	const digest = { resource: 'alert', operation: 'createDigest', title: { no: 'text' } };
	const { items } = await execute(
		createContext({ parameters: digest, items: 2, continueOnFail: true }),
	);
	expect(items).toMatchObject([0, 1].map((item) => ({ pairedItem: { item } })));
});

test('an operation without a request keeps its input item if its options cannot be read', async () => {
	const input = { id: 7, report: current };
	const operation = { resource: 'decision', operation: 'decide' };
	const given = { ...operation, reportField: 'report', addDecision: true };
	const context = createContext({
		parameters: given,
		options: { alertText: 'perhaps' },
		items: [input],
		continueOnFail: true,
	});
	const { items } = await execute(context);
	const details = { errorClass: 'invalid_input', parameter: 'Alert Text' };
	expect(items[0]!.json).toMatchObject({ id: 7, details });
});
