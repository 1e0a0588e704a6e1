import { NodeOperationError } from 'n8n-workflow';
import { WalletScreening } from '../../../nodes/WalletScreening/WalletScreening.node';
import { createContext } from '../support/context';

test.each([
	['address', 'screnn'],
	['wallet', 'screen'],
	['toString', 'constructor'],
])(
	'an operation that a later version may have is refused by its name: %s, %s',
	async (...names) => {
		const [resource, operation] = names;
		const parameters: Record<string, string> = { resource, operation };
		const context = Object.assign(createContext(), {
			getNodeParameter: (name: string) => parameters[name],
		});
		const running = new WalletScreening().execute.call(context);
		await expect(running).rejects.toThrow(NodeOperationError);
		await expect(running).rejects.toThrow(
			`The operation '${operation}' of '${resource}' is not known`,
		);
	},
);
