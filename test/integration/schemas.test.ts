/*
 * What each operation outputs, against the schemas that n8n's editor shows before anything was
 * screened.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Ajv from 'ajv';
import type { IDataObject } from 'n8n-workflow';
import { type JsonSchema, schemaFolder } from '../../tools/schemas/schemas';
import { ethereum, sanctionedMixer } from '../support/data/knownAddresses';
import { operations, screenWithAll } from '../support/engine/operations';
import { useService } from '../support/engine/sandboxService';
import { itemsFor, SUBMIT } from '../support/engine/workflows';

const service = useService();

/**
 * The schema, and all in it, as strict as an interface: a field that it does not name is a fault.
 */
function closed({ properties, items, ...rest }: JsonSchema): object {
	const fields = Object.entries(properties ?? {}).map(([name, schema]) => [name, closed(schema)]);
	return {
		...(properties && { additionalProperties: false }),
		...rest,
		...(properties && { properties: Object.fromEntries(fields) as object }),
		...(items && { items: closed(items) }),
	};
}

/** Returns the differences between an item and the schema of its operation. */
async function faultsIn(operation: string, item: IDataObject): Promise<string[]> {
	const file = join(schemaFolder, `${operation.replace('.', '/')}.json`);
	const schema = JSON.parse(await readFile(file, 'utf8')) as JsonSchema;
	const isValid = new Ajv({ allErrors: true, strict: false }).compile(closed(schema));
	isValid(item);
	return (isValid.errors ?? []).map(
		({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
	);
}

const addresses = itemsFor([ethereum, sanctionedMixer]).map((item) => ({
	...item,
	amount: 5,
	chain: 'ETH',
}));
const inputs: Record<'addresses' | 'reports' | 'jobs', () => Promise<IDataObject[]>> = {
	addresses: async () => await Promise.resolve(addresses),
	reports: async () => (await service.run(screenWithAll, { input: addresses })).json,
	jobs: async () => (await service.run(SUBMIT, { input: addresses })).json,
};

it.each(Object.entries(operations))(
	'%s outputs what its schema says',
	async (name, { outputs }) => {
		for (const { parameters, input = 'addresses' } of outputs) {
			const { json, error } = await service.run(parameters, { input: await inputs[input]() });
			expect(error).toBeUndefined();
			expect(json.length).toBeGreaterThan(0);
			for (const item of json as IDataObject[]) expect(await faultsIn(name, item)).toEqual([]);
		}
	},
);

it('finds a field that is missing, of another type, or unknown', async () => {
	const [{ level, ...item }] = (await inputs.reports()) as [IDataObject];
	const other = { ...item, score: String(item.score), risk: level };
	expect(await faultsIn('address.screen', other)).toEqual([
		expect.stringContaining("must have required property 'level'"),
		expect.stringContaining('must NOT have additional properties {"additionalProperty":"risk"}'),
		expect.stringContaining('/score must be number'),
	]);
});
