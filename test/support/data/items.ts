import type { IDataObject } from 'n8n-workflow';

/** Returns the item that the node outputs for a report without a decision. */
export function itemOf(report: object): IDataObject {
	const { risk, address, chain } = report as Record<string, any>;
	return { level: risk.level, score: risk.score, address, chain, report } as IDataObject;
}
