import { readFile } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { resources } from '../../../nodes/WalletScreening/actions';
import { filesIn } from '../../../tools/host/folder';
import { outputSchemas, schemaFolder } from '../../../tools/schemas/schemas';

const schemas = outputSchemas();

it('each operation says what it outputs', () => {
	const paths = resources.flatMap(({ value: resource, operations }) =>
		operations.map(({ value }) => `${resource}/${value}.json`),
	);
	expect([...schemas.keys()].sort()).toEqual(paths.sort());
});

it('the files are those that `npm run schemas` makes', async () => {
	const files = (await filesIn(schemaFolder)).sort();
	const found = files.map(async (file) => {
		const path = relative(schemaFolder, file).replaceAll(sep, '/');
		// They are compared as text, because the order of the fields matters: n8n's editor shows them
		// in it.
		return `${path} ${JSON.stringify(JSON.parse(await readFile(file, 'utf8')))}`;
	});
	const made = [...schemas].map(([path, schema]) => `${path} ${JSON.stringify(schema)}`);
	expect(await Promise.all(found)).toEqual(made.sort());
});

it('a schema has the form that n8n reads', () => {
	expect(schemas.get('report/downloadPdf.json')).toEqual({
		type: 'object',
		properties: { report_id: { type: 'string' } },
		required: ['report_id'],
		version: 1,
	});
});

it('a reason has the fields of all kinds of reasons, of which each has the outcome', () => {
	const { properties = {}, required } = schemas.get('report/get.json')!.properties!.reasons!.items!;
	const fields =
		'outcome problem waived_by field operator value actual all list sanctions otherwise';
	expect(Object.keys(properties)).toEqual(fields.split(' '));
	expect(required).toEqual(['outcome']);
	// A rule may ask for a block, and every other reason for a review.
	expect(properties.outcome).toEqual({ type: 'string', enum: ['block', 'review'] });
});
