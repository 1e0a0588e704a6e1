import type { Report } from '../answers/report';
import type { Client } from '../client/client';
import type { ItemSettings } from '../description/reportSettings';
import type { Settled } from '../shared/errors';
import { createReportJson, nameReport, type ReceivedReport, type ReportJson } from './reportItem';
import type { OutputItem, Run } from './run';

/** The request that a result of a bulk job answers, its settings, and when the result came. */
interface ResultRequest extends Omit<ReceivedReport, 'report'> {
	client: Client;
	settings: ItemSettings;
}

/**
 * Makes the items of the results of one bulk job or list. No two of them share a report, because a
 * later node may change it in one.
 */
export class ResultItems {
	private readonly used = new Set<Report>();

	constructor(private readonly run: Run) {}

	/**
	 * Makes the item of a result, or the error in its place. An all-clear gives none if the user
	 * chose Only Not Green.
	 */
	createItems(result: Settled<Report>, request: ResultRequest): Array<Settled<OutputItem>> {
		const { address } = request;
		if (result.error) return [{ error: result.error.withDetails({ address }) }];
		const { account, options } = this.run;
		try {
			const { json, allClear } = this.createJson(result.value, request);
			if (!allClear || !options.onlyNotGreen) return [{ value: { json } }];
			account.noteAllClearLeftOut();
			return [];
		} catch (error) {
			return [{ error: nameReport(error, result.value, address) }];
		}
	}

	private createJson(result: Report, { client, settings, ...received }: ResultRequest): ReportJson {
		const { context, options } = this.run;
		const report = this.copyIfUsed(result);
		const { serviceNames } = client;
		return createReportJson(context, { ...received, report, serviceNames }, settings, options);
	}

	/** @throws {RangeError} for a report that is nested too deeply to be copied */
	private copyIfUsed(report: Report): Report {
		if (this.used.has(report)) return structuredClone(report);
		this.used.add(report);
		return report;
	}
}
