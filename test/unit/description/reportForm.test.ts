import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { createContext, node } from '../../support/unit/context';
import { execute } from '../../support/unit/execute';
import { helperAnswer } from '../../support/unit/httpAnswers';
import { reportBody } from '../../support/unit/reports';

const report = reportBody();
const job = { job_id: 'job_1', status: 'done', results: [report] };

/** Returns the items that an agent receives for a report, with the user's settings. */
async function itemsAsTool(operation: string, parameters: IDataObject): Promise<IDataObject[]> {
	const [resource, name] = operation.split('.');
	const context = createContext({
		continueOnFail: true,
		// The option may be left over from the time before the node became a tool.
		options: { simplify: true },
		parameters: {
			resource,
			operation: name,
			address: report.address,
			reportId: 'rep_1',
			jobId: 'job_1',
			addressSource: 'list',
			addresses: report.address,
			...parameters,
		},
		http: async ({ url }) =>
			await Promise.resolve(helperAnswer(200, url.includes('/bulk') ? job : report)),
	});
	const tool = { ...node, type: `${node.type}Tool` };
	const asked: IExecuteFunctions = { ...context, getNode: () => tool };
	return (await execute(asked)).items.map(({ json }) => json);
}

/** Returns the one item that an agent receives. */
const asTool = async (operation: string, parameters: IDataObject): Promise<IDataObject> =>
	(await itemsAsTool(operation, parameters))[0]!;

const simplified =
	'level score address chain highest_category highest_score report_id report_url'.split(' ');
const raw = ['level', 'score', 'address', 'chain', 'report'];
const preselected = ['level', 'score', 'address', 'report_id'];

describe.each(['address.screen', 'report.get', 'bulkJob.screenAndWait', 'bulkJob.get'])(
	'%s as a tool',
	(operation) => {
		type Row = [
			because: string,
			output: string,
			outputFields: string[] | undefined,
			names: string[],
		];
		const withUrl = ['level', 'report_id', 'report_url'];
		test.each<Row>([
			['a model reads few fields', 'simplified', undefined, simplified],
			['the user wants all', 'raw', undefined, raw],
			['some are selected at first', 'selected', undefined, preselected],
			['the ID leads to the rest', 'selected', ['report_url', 'level'], withUrl],
			['the ID leads to the rest', 'selected', [], ['report_id']],
		])('%s: Output %s with the fields %j gives %j', async (...row) => {
			const [, output, outputFields, names] = row;
			const json = await asTool(operation, { output, ...(outputFields && { outputFields }) });
			expect(Object.keys(json)).toEqual(names);
		});
	},
);

test('a tool simplifies by default, and gives a job as it is', async () => {
	expect(Object.keys(await asTool('address.screen', {}))).toEqual(simplified);
	expect(await asTool('bulkJob.get', {})).toMatchObject({ job_id: 'job_1', job });
});

test.each(['bulkJob.screenAndWait', 'bulkJob.get'])(
	'%s leaves out an all-clear, also if the fields of an agent do not show it',
	async (operation) => {
		const selected = { output: 'selected', outputFields: ['score'] };
		expect(await itemsAsTool(operation, selected)).toHaveLength(1);
		const options = { onlyNotGreen: true };
		expect(await itemsAsTool(operation, { ...selected, options })).toEqual([]);
	},
);

test('an agent whose fields lack the address learns which report has no PDF', async () => {
	const parameters = { output: 'selected', outputFields: ['level'], includePdf: true };
	// The service answers with the report where the PDF is asked for.
	const { address, details } = await asTool('address.screen', parameters);
	expect(address).toBe(report.address);
	expect(details).toMatchObject({ address: report.address, report_id: 'rep_1', level: 'green' });
});

test.each([
	[{ output: 'all' }, 'no operation has such an output', 'Output'],
	[{ output: 'job' }, 'only Bulk Job: Get has it', 'Output'],
	[{ output: 'selected', outputFields: ['levle'] }, 'it is mistyped', 'Output Fields'],
])('an agent gets nothing by the name in %j, because %s', async (...row) => {
	const [parameters, _because, parameter] = row;
	const { details } = await asTool('address.screen', parameters);
	expect(details).toMatchObject({ errorClass: 'invalid_input', parameter });
});
