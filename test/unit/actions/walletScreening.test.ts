import { WalletScreening } from '../../../nodes/WalletScreening/WalletScreening.node';
import { createContext, node } from '../../support/unit/context';
import { helperAnswer } from '../../support/unit/httpAnswers';

test.each([
	['address', 'screnn', 'it is mistyped'],
	['toString', 'constructor', 'only the names of all objects are such'],
])('the operation %s, %s is refused by name, because %s', async (resource, operation) => {
	const context = createContext({ parameters: { resource, operation } });
	await expect(new WalletScreening().execute.call(context)).rejects.toMatchObject({
		name: 'NodeOperationError',
		message: `The operation '${operation}' of '${resource}' is not known`,
	});
});

describe('a failure of a tool', () => {
	const failed = async (more: object = {}) => {
		const parameters = { resource: 'address', operation: 'screen', address: 'a1' };
		const http = async () => await Promise.resolve(helperAnswer(400, {}));
		const context = createContext({ parameters, http });
		Object.assign(context, { getNode: () => ({ ...node, type: `${node.type}Tool` }) }, more);
		return await new WalletScreening().execute.call(context);
	};

	test('is an answer for an AI agent, whose run an error would end', async () => {
		const json = { error: expect.any(String), details: { errorClass: 'bad_request' } };
		expect(await failed()).toMatchObject([[{ json }]]);
	});

	test('is thrown, with all that is known, if its caller knows no other failure', async () => {
		const message = expect.stringContaining('"errorClass":"bad_request"') as string;
		await expect(failed({ isToolExecution: () => true })).rejects.toMatchObject({ message });
	});
});
