jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	NodeConnectionTypes: undefined,
}));

import { WalletScreening } from '../../../nodes/WalletScreening/WalletScreening.node';
import { WalletScreeningTrigger } from '../../../nodes/WalletScreening/WalletScreeningTrigger.node';

it.each([WalletScreening, WalletScreeningTrigger])('%p says that n8n is too old', (Node) => {
	expect(() => new Node()).toThrow(/^This n8n is too old .+ Update n8n to version 2\.41 or later/);
});
