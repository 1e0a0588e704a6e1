/* What each operation outputs, against the schemas that n8n's editor shows before anything was screened. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Ajv from 'ajv';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { resources } from '../../nodes/WalletScreening/actions';
import { type JsonSchema, schemaFolder } from '../../tools/schemas/schemas';
import { useService } from './engine/service';
import {
	GET_JOB,
	GET_REPORT,
	GREEN,
	itemsFor,
	SANCTIONED,
	SCREEN,
	SUBMIT,
	VERIFY,
	WAIT,
} from './engine/workflows';

const service = useService();

/** The schema, and all in it, as strict as an interface: a field that it does not name is a fault. */
function closed({ properties, items, ...rest }: JsonSchema): object {
	const fields = Object.entries(properties ?? {}).map(([name, one]) => [name, closed(one)]);
	return {
		...(properties && { additionalProperties: false }),
		...rest,
		...(properties && { properties: Object.fromEntries(fields) as object }),
		...(items && { items: closed(items) }),
	};
}

/** How an item differs from the schema of the operation that gave it. */
async function faultsIn(operation: string, item: IDataObject): Promise<string[]> {
	const file = join(schemaFolder, `${operation.replace('.', '/')}.json`);
	const schema = JSON.parse(await readFile(file, 'utf8')) as JsonSchema;
	const isValid = new Ajv({ allErrors: true, strict: false }).compile(closed(schema));
	isValid(item);
	return (isValid.errors ?? []).map(
		({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
	);
}

const blocking = [
	{ field: 'sanctions', operator: 'gte', value: 0.5, outcome: 'block' },
	{ field: 'score', operator: 'gte', value: 0.5, outcome: 'block', mayBeWaived: true },
	{ all: [{ field: 'score', operator: 'gte', value: 0 }], outcome: 'review' },
	{ field: { input: 'amount' }, operator: 'gte', value: 1, outcome: 'review' },
];
const exception = {
	address: SANCTIONED,
	until: '2099-12-31',
	reason: 'Ticket 4711',
	approvedBy: 'Head of Compliance',
};
const list = { name: 'Own', outcome: 'review', addresses: [GREEN] };
const policy = { name: 'Payouts', version: '1', rules: blocking, lists: [list] };
/** Everything that adds a field. */
const deciding: INodeParameters = {
	addDecision: true,
	decisionOptions: { addEvidence: true, reference: 'Payment 17' },
	rulesSource: 'json',
	rulesJson: JSON.stringify({ ...policy, exceptions: [exception] }),
};
const alertText = { options: { alertText: true } };
const input = itemsFor([GREEN, SANCTIONED]).map((item) => ({ ...item, amount: 5, chain: 'ETH' }));

/** An item of a report with all that a screening can add, for the operations on reports in hand. */
const screened = async () => {
	const { json } = await service.run({ ...SCREEN, ...deciding, ...alertText }, { input });
	return json as IDataObject[];
};
const submitted = async () => (await service.run(SUBMIT, { input })).json as IDataObject[];

type Row = [parameters: INodeParameters, input?: () => Promise<IDataObject[]>];
const rows: Record<string, Row[]> = {
	'address.check': [[{ resource: 'address', operation: 'check', address: '={{ $json.address }}' }]],
	'address.screen': [[SCREEN], [{ ...SCREEN, ...deciding, ...alertText, chain: 'BTC' }]],
	'alert.createDigest': [[{ resource: 'alert', operation: 'createDigest' }, screened]],
	'bulkJob.get': [
		[GET_JOB, submitted],
		[{ ...GET_JOB, output: 'reports', ...deciding, ...alertText }, submitted],
	],
	'bulkJob.screenAndWait': [[WAIT], [{ ...WAIT, ...deciding, ...alertText }]],
	'bulkJob.submit': [[SUBMIT], [{ ...SUBMIT, chainField: 'chain' }]],
	'decision.decide': [[{ resource: 'decision', operation: 'decide', ...deciding }, screened]],
	'decision.verify': [[VERIFY, screened]],
	'report.compare': [
		[{ resource: 'report', operation: 'compare', earlierField: 'report' }, screened],
		[{ resource: 'report', operation: 'compare', earlierField: 'nothing' }, screened],
	],
	'report.downloadPdf': [[{ ...GET_REPORT, operation: 'downloadPdf' }, screened]],
	'report.get': [
		[GET_REPORT, screened],
		[{ ...GET_REPORT, ...deciding, includePdf: true }, screened],
	],
};

it.each(Object.keys(rows))('%s outputs what its schema says', async (operation) => {
	for (const [parameters, inputOf = async () => await Promise.resolve(input)] of rows[operation]!) {
		const { json, error } = await service.run(parameters, { input: await inputOf() });
		expect(error).toBeUndefined();
		expect(json.length).toBeGreaterThan(0);
		for (const item of json as IDataObject[]) expect(await faultsIn(operation, item)).toEqual([]);
	}
});

it('no operation is left out', () => {
	const operations = resources.flatMap(({ value: resource, operations }) =>
		operations.map(({ value }) => `${resource}.${value}`),
	);
	expect(Object.keys(rows).sort()).toEqual(operations.sort());
});

it('finds a field that is missing, of another type, or unknown', async () => {
	const [{ level, ...item }] = (await screened()) as [IDataObject];
	const other = { ...item, score: String(item.score), risk: level };
	expect(await faultsIn('address.screen', other)).toEqual([
		expect.stringContaining("must have required property 'level'"),
		expect.stringContaining('must NOT have additional properties {"additionalProperty":"risk"}'),
		expect.stringContaining('/score must be number'),
	]);
});
