import type { IDataObject } from 'n8n-workflow';
import type { Report } from '../../../sandbox/reports';

/** Returns the item that the node outputs for a report without a decision. */
export function itemOf(report: object): IDataObject {
	const { risk, address, chain } = report as Pick<Report, 'risk' | 'address' | 'chain'>;
	return { level: risk.level, score: risk.score, address, chain, report } as IDataObject;
}
