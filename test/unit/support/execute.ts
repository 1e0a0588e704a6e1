import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { WalletScreening } from '../../../nodes/WalletScreening/WalletScreening.node';

/** What becomes of an execution of the action node: its items, or the error that ends it. */
export const execute = async (context: IExecuteFunctions) =>
	await new WalletScreening().execute.call(context).then(
		([items]) => ({ items: items as INodeExecutionData[], error: undefined }),
		(error: Error & { context: IDataObject }) => ({ items: [], error }),
	);
