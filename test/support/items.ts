import type { IDataObject } from 'n8n-workflow';

/** The item of a report that nobody decided on, as the node gives it. */
export function itemOf(report: object): IDataObject {
	const { risk, address, chain } = report as Record<string, any>;
	return { level: risk.level, score: risk.score, address, chain, report } as IDataObject;
}
