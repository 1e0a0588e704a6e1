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

test('for an AI agent a failure is an answer, which an error would not be', async () => {
	const parameters = { resource: 'address', operation: 'screen', address: 'a1' };
	const http = async () => await Promise.resolve(response(400, {}));
	const context = createContext({ parameters, http });
	Object.assign(context, { getNode: () => ({ ...node, type: `${node.type}Tool` }) });
	const [items] = await new WalletScreening().execute.call(context);
	const json = { error: expect.any(String), details: { errorClass: 'bad_request' } };
	expect(items).toMatchObject([{ json }]);
});
