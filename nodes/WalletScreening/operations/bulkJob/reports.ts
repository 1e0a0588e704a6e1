import type { Deciding } from '../../n8n/decision';
import type { Outcome } from '../../n8n/items';
import { originOf, type Received, reportOutcome } from '../../n8n/reportItem';
import type { Run } from '../../n8n/run';
import type { Client } from '../../service/client';
import { ScreeningError } from '../../service/errors';
import type { Report } from '../../service/report';
import type { Asked } from './addresses';

/** A report, and when it was made or fetched. */
export type Timed = Pick<Received, 'report' | 'screenedAt' | 'retrievedAt'>;

/**
 * Makes the outcomes of addresses: the item of the report of each, or its error; undefined if it is left out
 * (`onlyNotGreen`).
 */
export function createReportItems({ context, options }: Run) {
	const used = new Set<Report>();
	return (
		{ address, chain, client }: Asked & { client: Client },
		outcome: Timed | ScreeningError,
		deciding: Deciding,
	): Outcome | undefined => {
		// Another spelling of the address may have been sent.
		if (outcome instanceof ScreeningError) return outcome.with({ address });
		// Items must not share objects: a later node may change one of them.
		const report = used.has(outcome.report) ? structuredClone(outcome.report) : outcome.report;
		used.add(report);
		const origin = originOf(context, client.serviceNames);
		return reportOutcome({ ...outcome, report, chain }, deciding, options, origin);
	};
}
