/** The parameters that saved workflows refer to: when each is shown, and what it is where nobody has touched it. */
import {
	type IDisplayOptions,
	type INodeParameters,
	type INodeProperties,
	NodeHelpers,
} from 'n8n-workflow';
import { policyOfFields } from '../../../nodes/WalletScreening/risk/policy';
import { action, choices, credential, groups, isShown, trigger } from './walk';

const policy = [
	...['rulesSource', 'decisionRules', 'rulesJson', 'otherwise', 'policyName', 'policyVersion'],
	'exceptions',
];
const record = ['addEvidence', 'reference'];
const decision = ['addDecision', ...policy, ...record];
const pdf = ['includePdf', 'binaryPropertyName', 'fileName'];
const everyRequest = ['concurrency', 'maxRetries', 'requestTimeout'];
const everyReport = ['alertText', 'includeInputFields', 'markExecution', 'simplify'];

const parameters: Record<string, { fields: string[]; options: string[] }> = {
	'address check': {
		fields: ['address', 'knownAddresses'],
		options: [],
	},
	'address screen': {
		fields: ['address', 'chain', ...pdf, ...decision],
		options: [...everyRequest, ...everyReport, 'checkAddresses'],
	},
	'alert createDigest': {
		fields: ['title'],
		options: ['mostListed'],
	},
	'bulkJob get': {
		fields: ['jobId', 'output', 'addresses', ...decision],
		options: [...everyRequest, ...everyReport, 'onlyNotGreen'],
	},
	'bulkJob screenAndWait': {
		fields: ['addressSource', 'addressField', 'chainField', 'addresses', ...decision],
		options: [
			...[...everyRequest, ...everyReport, 'checkAddresses'],
			...['onlyNotGreen', 'pollInterval', 'timeout'],
		],
	},
	'bulkJob submit': {
		fields: ['addressSource', 'addressField', 'chainField', 'addresses'],
		options: [...everyRequest, 'checkAddresses'],
	},
	'decision decide': {
		fields: ['reportField', ...policy, ...record],
		options: ['alertText', 'markExecution'],
	},
	'decision verify': {
		fields: ['reportField', 'binaryPropertyName'],
		options: [],
	},
	'report compare': {
		fields: ['reportField', 'earlierField', 'scoreChange'],
		options: ['onlyChanges'],
	},
	'report downloadPdf': {
		fields: ['reportId', 'binaryPropertyName', 'fileName'],
		options: [...everyRequest, 'includeInputFields'],
	},
	'report get': {
		fields: ['reportId', ...pdf, ...decision],
		options: [...everyRequest, ...everyReport],
	},
};

/** What else has to hold so that a field is shown. */
function needsOf(operation: string, field: string): Record<string, unknown> {
	const fetchesReport = fieldsOf(operation).some(({ name }) => name === 'includePdf');
	const mayDecide = fieldsOf(operation).some(({ name }) => name === 'addDecision');
	return {
		...(['binaryPropertyName', 'fileName'].includes(field) &&
			fetchesReport && { includePdf: true }),
		...(['addressField', 'chainField'].includes(field) && { addressSource: 'inputItems' }),
		...(field === 'addresses' &&
			(operation === 'bulkJob get' ? { output: 'reports' } : { addressSource: 'list' })),
		...(policy.includes(field) && mayDecide && { addDecision: true }),
		...(field === 'decisionRules' && { rulesSource: 'fields' }),
		...(field === 'rulesJson' && { rulesSource: 'json' }),
	};
}

/** With what gives most fields where some depend on an output. */
function fieldsOf(operation: string, output = 'reports'): INodeProperties[] {
	const [resource, name] = operation.split(' ');
	return action.properties.filter(
		({ displayOptions: { show } = {} }) =>
			show?.operation?.includes(name as string) &&
			show.resource?.includes(resource as string) &&
			(show.output?.includes(output) ?? true),
	);
}

function names(fields: readonly { name: string }[]): string[] {
	return fields.map(({ name }) => name).sort();
}

function optionsOf(fields: INodeProperties[]): INodeProperties[] {
	const field = fields.find(({ name }) => name === 'options');
	return (field?.options ?? []) as INodeProperties[];
}

function defaultsOf(fields: INodeProperties[]): Record<string, unknown> {
	return Object.fromEntries(fields.map(({ name, default: value }) => [name, value]));
}

it('offers the operations of the contract and no other', () => {
	const offered = action.properties
		.filter(({ name }) => name === 'operation')
		.flatMap((field) =>
			choices(field).map(({ value }) => `${field.displayOptions?.show?.resource} ${value}`),
		);
	expect(offered.sort()).toEqual(Object.keys(parameters).sort());
});

it('shows every parameter but the resource for a known operation', () => {
	const known = Object.keys(parameters).flatMap((operation) => [
		...fieldsOf(operation),
		...fieldsOf(operation, 'job'),
	]);
	const others = action.properties.filter((field) => !known.includes(field));
	expect([...new Set(names(others))]).toEqual(['operation', 'resource']);
});

describe.each(Object.entries(parameters))('%s', (operation, { fields, options }) => {
	const [resource, name] = operation.split(' ');

	it('has its parameters and no other', () => {
		const collection = options.length > 0 ? ['options'] : [];
		expect(names(fieldsOf(operation))).toEqual([...fields, ...collection].sort());
	});

	it('has its options and no other', () => {
		expect(names(optionsOf(fieldsOf(operation)))).toEqual([...options].sort());
	});

	it('is where its parameters are shown, and nowhere else', () => {
		for (const field of fieldsOf(operation)) {
			const needs = needsOf(operation, field.name);
			const values = {
				output: 'reports',
				addressSource: 'inputItems',
				...needs,
				resource,
				operation: name,
			};
			expect([field.name, isShown(field, values)]).toEqual([field.name, true]);
			expect([field.name, isShown(field, { ...values, operation: 'other' })]).toEqual([
				field.name,
				false,
			]);
			for (const [other, value] of Object.entries(needs)) {
				const untrue = typeof value === 'boolean' ? !value : 'other';
				expect([field.name, isShown(field, { ...values, [other]: untrue })]).toEqual([
					field.name,
					false,
				]);
			}
		}
	});
});

it('asks for no decision on a job, only on reports', () => {
	const values = { resource: 'bulkJob', operation: 'get', output: 'job', addDecision: true };
	const shown = action.properties.filter((field) => isShown(field, values));
	expect(names(shown)).toEqual(['jobId', 'operation', 'options', 'output', 'resource']);
	expect(names(optionsOf(shown))).toEqual(
		['concurrency', 'includeInputFields', 'maxRetries', 'requestTimeout'].sort(),
	);
});

it('prefills no concurrency: the node chooses another one for jobs than for requests', () => {
	for (const [operation, { options }] of Object.entries(parameters)) {
		if (!options.includes('concurrency')) continue;
		expect(defaultsOf(optionsOf(fieldsOf(operation)))).toMatchObject({ concurrency: '' });
	}
});

const policyDefaults = {
	rulesSource: 'fields',
	decisionRules: {
		rules: [
			{
				field: 'level',
				operator: 'notEquals',
				value: 'green',
				outcome: 'review',
				mayBeWaived: false,
			},
		],
	},
	rulesJson: '[]',
	otherwise: 'allowGreen',
	policyName: '',
	policyVersion: '',
	exceptions: {},
};

it('has the defaults of the contract', () => {
	const elsewhere = Object.keys(parameters).filter((operation) => operation !== 'decision verify');
	expect(defaultsOf(elsewhere.flatMap((operation) => fieldsOf(operation)))).toEqual({
		address: '',
		chain: '',
		includePdf: false,
		binaryPropertyName: 'data',
		addressSource: 'inputItems',
		addressField: 'address',
		chainField: '',
		addresses: '',
		knownAddresses: '',
		jobId: '',
		output: 'job',
		reportId: { mode: 'id', value: '' },
		fileName: '{report_id}.pdf',
		addDecision: false,
		...policyDefaults,
		addEvidence: false,
		reference: '',
		reportField: '',
		earlierField: 'previous',
		scoreChange: 0,
		title: expect.any(String),
		options: {},
	});
	// Here it is the field of a PDF that the item has: empty, none is looked at.
	expect(defaultsOf(fieldsOf('decision verify'))).toEqual({
		reportField: '',
		binaryPropertyName: '',
	});
	// A switch that the user adds is on; without it, it is off.
	expect(defaultsOf(optionsOf(fieldsOf('decision decide')))).toEqual({
		alertText: true,
		markExecution: true,
	});
	expect(defaultsOf(optionsOf(fieldsOf('report compare')))).toEqual({ onlyChanges: true });
	expect(defaultsOf(optionsOf(fieldsOf('alert createDigest')))).toEqual({ mostListed: 50 });
	expect(defaultsOf(optionsOf(fieldsOf('bulkJob screenAndWait')))).toEqual({
		alertText: true,
		checkAddresses: true,
		concurrency: '',
		includeInputFields: true,
		markExecution: true,
		maxRetries: 5,
		onlyNotGreen: true,
		pollInterval: 2,
		requestTimeout: 30,
		simplify: true,
		timeout: 30,
	});
});

it('offers every category of the specification to a rule, which understands it', () => {
	const [field] = action.properties
		.filter(({ name }) => name === 'decisionRules')
		.flatMap(groups)
		.flatMap(({ values }) => values) as [INodeProperties];
	const offered = choices(field).map(({ value }) => value);
	expect([...offered].sort()).toEqual(
		[
			...['sanctions', 'darknet', 'mixer', 'scam', 'stolen', 'clean_exchange'],
			...['level', 'score', 'tx_count', 'other'],
		].sort(),
	);
	for (const chosen of offered) {
		const value = chosen === 'level' ? 'green' : '0.5';
		const rule = { field: chosen, operator: 'equals', value, outcome: 'block' };
		const { rules } = policyOfFields({ rules: [{ ...rule, categoryKey: 'gambling' }] });
		expect(rules).toMatchObject([
			{ conditions: [{ key: chosen === 'other' ? 'gambling' : chosen }] },
		]);
	}
});

describe('a rule', () => {
	const [decisionRules] = action.properties.filter(({ name }) => name === 'decisionRules');
	const whole = { outcome: 'review', mayBeWaived: false };

	/** The rule as n8n completes it for the node. */
	const completed = (rule: INodeParameters) =>
		NodeHelpers.getNodeParameters(
			[{ ...decisionRules!, displayOptions: {} }],
			{ decisionRules: { rules: [rule] } },
			true,
			false,
			{ typeVersion: 1 },
			action,
		)?.decisionRules;

	it.each<[INodeParameters, INodeParameters]>([
		[{}, { field: 'level', operator: 'notEquals', value: 'green' }],
		[{ field: 'level' }, { field: 'level', operator: 'notEquals', value: 'green' }],
		[{ field: 'score' }, { field: 'score', operator: 'gte', value: '' }],
		[{ field: '={{ 1 }}' }, { field: '={{ 1 }}', categoryKey: '', operator: 'gte', value: '' }],
		[{ operator: '={{ 1 }}' }, { field: 'level', operator: '={{ 1 }}', value: 'green' }],
		[
			{ field: 'other', categoryKey: 'gambling', value: '1' },
			{ field: 'other', categoryKey: 'gambling', operator: 'gte', value: '1' },
		],
	])('saved as %j means the same in every version', (saved, rule) =>
		expect(completed(saved)).toEqual({ rules: [{ ...rule, ...whole }] }),
	);

	it('that is new begins as a valid one', () => {
		const values = groups(decisionRules!).flatMap((group) => group.values);
		// What n8n's editor adds.
		const added = Object.fromEntries(values.map(({ name, default: given }) => [name, given]));
		expect(completed(added as INodeParameters)).toEqual({
			rules: [{ field: 'level', operator: 'notEquals', value: 'green', ...whole }],
		});
	});
});

describe('the trigger', () => {
	const fields = trigger.properties;

	it('has the parameters and defaults of the contract', () => {
		expect(defaultsOf(fields)).toEqual({
			webhookNotice: '',
			signedContent: 'body',
			signatureHeader: 'X-Signature',
			timestampHeader: 'X-Timestamp',
			tolerance: 300,
			output: 'reports',
			addDecision: false,
			...policyDefaults,
			addEvidence: false,
			reference: '',
			options: {},
		});
		expect(defaultsOf(optionsOf(fields))).toEqual({
			alertText: true,
			fetchResults: true,
			ignoreRepeats: true,
			onlyNotGreen: true,
			simplify: true,
		});
	});

	it.each([
		['body', ['signatureHeader']],
		['timestampAndBody', ['signatureHeader', 'timestampHeader', 'tolerance']],
		['stripe', ['signatureHeader', 'tolerance']],
		['standardWebhooks', ['tolerance']],
	])('asks for what verifying %s needs', (signedContent, needed) => {
		const shown = fields.filter((field) => isShown(field, { signedContent, output: 'reports' }));
		expect(names(shown).filter((name) => /[hH]eader|tolerance/.test(name))).toEqual(needed.sort());
	});

	it('offers the ways of signing and the outputs of the contract', () => {
		const values = (name: string) =>
			fields
				.filter((field) => field.name === name)
				.flatMap(choices)
				.map(({ value }) => value);
		expect(values('signedContent').sort()).toEqual([
			'body',
			'standardWebhooks',
			'stripe',
			'timestampAndBody',
		]);
		expect(values('output').sort()).toEqual(['batch', 'reports']);
	});

	it('asks for a decision on reports, not on a batch', () => {
		const shown = (output: string, rulesSource: string) =>
			names(
				fields.filter((field) =>
					isShown(field, { signedContent: 'body', output, addDecision: true, rulesSource }),
				),
			).filter((name) => decision.includes(name));
		const without = (name: string) => decision.filter((one) => one !== name).sort();
		expect(shown('reports', 'fields')).toEqual(without('rulesJson'));
		expect(shown('reports', 'json')).toEqual(without('decisionRules'));
		expect(shown('batch', 'fields')).toEqual([]);
		expect(shown('batch', 'json')).toEqual([]);
	});
});

describe('the credential', () => {
	const fields = credential.properties;

	it('has the fields and defaults of the contract', () => {
		expect(defaultsOf(fields.filter(({ type }) => !['notice', 'hidden'].includes(type)))).toEqual({
			apiKey: '',
			baseUrl: '',
			plan: 'pro',
			requestsPerSecond: 10,
			burst: 50,
			sharedBy: 0,
			serviceNames: '{}',
			webhookSecret: '',
			previousWebhookSecret: '',
		});
	});

	it('knows of each field that is always shown whether it may differ from item to item', () => {
		const isAsked = ({ type, displayOptions }: INodeProperties) =>
			!['notice', 'hidden'].includes(type) && !displayOptions;
		const { default: expression } = fields.find(({ name }) => name === 'isSameForAll')!;
		const [listed] = /\[("\w+"(, )?)+\]/.exec(String(expression)) ?? [];
		expect(JSON.parse(listed!)).toEqual(fields.filter(isAsked).map(({ name }) => name));
	});

	it('requires only the key and the address', () => {
		expect(names(fields.filter(({ required }) => required))).toEqual(['apiKey', 'baseUrl']);
	});

	it.each([
		['pro', []],
		['enterprise', []],
		['custom', ['burst', 'requestsPerSecond']],
	])('asks for the rate of the plan %s if it is not known', (plan, needed) => {
		const shown = fields.filter((field) => isShown(field, { plan }));
		expect(names(shown).filter((name) => /burst|requests/.test(name))).toEqual(needed);
	});
});

it('goes by the names of the contract', () => {
	expect([action.name, trigger.name, credential.name]).toEqual([
		'walletScreening',
		'walletScreeningTrigger',
		'walletScreeningApi',
	]);
	expect([action.version, trigger.version]).toEqual([1, 1]);
	expect(trigger.credentials).toEqual([{ name: 'walletScreeningApi', required: true }]);
	expect(action.credentials).toEqual([
		{ name: 'walletScreeningApi', required: true, displayOptions: expect.anything() },
	]);
});

it.each(Object.keys(parameters))('%s has a credential if it sends a request', (name) => {
	const [resource, operation] = name.split(' ');
	const [{ displayOptions }] = action.credentials as unknown as [
		{ displayOptions: IDisplayOptions },
	];
	const sendsNone = /^(decision|alert) |^(address check|report compare)$/.test(name);
	expect(isShown({ displayOptions }, { resource, operation })).toBe(!sendsNone);
});
