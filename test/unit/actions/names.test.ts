import type { IDataObject } from 'n8n-workflow';
import { privateKey } from '../../support/data/knownAddresses';
import { createContext } from '../../support/unit/context';
import { execute } from '../../support/unit/execute';
import { helperAnswer } from '../../support/unit/httpAnswers';

const screen = { resource: 'address', operation: 'screen' };
const decide = { resource: 'decision', operation: 'decide' };
const contextOf = async (parameters: IDataObject, item: IDataObject = {}) =>
	(await execute(createContext({ parameters, items: [item] }))).error?.context;

test.each<[string, IDataObject, IDataObject, object]>([
	[
		'the option Reference',
		{ ...screen, address: '', options: { reference: 'P-17' } },
		{},
		{ reference: 'P-17' },
	],
	[
		'the item in hand',
		decide,
		{ address: 'a1', reference: 'P-18' },
		{ address: 'a1', reference: 'P-18' },
	],
	['a number of the item in hand', decide, { reference: 4711 }, { reference: '4711' }],
])('an error names its matter by %s', async (_what, parameters, item, names) => {
	expect(await contextOf(parameters, item)).toMatchObject({
		errorClass: 'invalid_input',
		...names,
	});
});

test('an error that withholds a private key names nothing that may be one', async () => {
	const context = await contextOf({
		...screen,
		address: privateKey,
		options: { reference: privateKey },
	});
	expect(context).toMatchObject({ withheld: '(private key removed)' });
	expect(JSON.stringify(context)).not.toContain(privateKey);
});

test.each<[because: string, fileName: unknown, name: string]>([
	['an ID makes no path of it', undefined, 'a_b_c.pdf'],
	['an expression may give a number', 4711, '4711'],
	['an empty one is the default', ' ', 'a_b_c.pdf'],
])('the name of a file: %s', async (_because, fileName, name) => {
	const names: string[] = [];
	const download = { resource: 'report', operation: 'downloadPdf', reportId: 'a:b|c' };
	const parameters = { ...download, ...(fileName !== undefined && { fileName }) };
	const http = async () => await Promise.resolve(helperAnswer(200, Buffer.from('%PDF-1.7\n%%EOF')));
	const store = async (_data: Buffer, name: string) => await Promise.resolve(names.push(name));
	const { error } = await execute(createContext({ parameters, http, store }));
	expect([error, names]).toEqual([undefined, [name]]);
});
