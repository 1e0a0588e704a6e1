import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { WalletScreening } from '../../../nodes/WalletScreening/WalletScreening.node';

/** Executes the action node. @returns its items, or the error that ended it */
export const execute = async (context: IExecuteFunctions) =>
	await new WalletScreening().execute.call(context).then(
		([items]) => ({ items: items as INodeExecutionData[], error: undefined }),
		(error: Error & { context: IDataObject }) => ({ items: [], error }),
	);
