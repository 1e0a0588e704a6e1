import { WalletScreening } from '../../../nodes/WalletScreening/WalletScreening.node';
import { response } from '../support/answers';
import { createContext, node } from '../support/context';

test.each([
	['address', 'screnn'],
	['toString', 'constructor'],
])('the unknown operation %s, %s is refused by name', async (...names) => {
	const [resource, operation] = names;
	const context = createContext({ parameters: { resource, operation } });
	await expect(new WalletScreening().execute.call(context)).rejects.toMatchObject({
		name: 'NodeOperationError',
		message: `The operation '${operation}' of '${resource}' is not known`,
	});
});

test.each([
	[{ resource: 'address', operation: 'screen', address: 'a1' }, 'Not screened: The service'],
	[{ resource: 'report', operation: 'get', reportId: 'r' }, 'No result: The service'],
	[{ resource: 'decision', operation: 'decide', rulesSource: 'json' }, 'No result: '],
])(
	'for an AI agent a failure of %j is an answer that says what it means',
	async (parameters, said) => {
		const http = async () => await Promise.resolve(response(400, {}));
		const context = createContext({ parameters, http });
		Object.assign(context, { getNode: () => ({ ...node, type: `${node.type}Tool` }) });
		const [items] = await new WalletScreening().execute.call(context);
		expect(items).toHaveLength(1);
		const { error, details } = items![0]!.json;
		expect(error).toMatch(new RegExp(`^${said}`));
		expect(details).toMatchObject({
			errorClass: expect.stringMatching(/^(bad_request|invalid_input)$/),
		});
	},
);
