import type { Report } from '../answers/report';
import type { Client } from '../client/client';
import type { ReportForm } from '../description/reportForm';
import type { ItemSettings } from '../description/reportSettings';
import type { Settled } from '../shared/errors';
import { createReportJson, nameReport, type ReceivedReport, type ReportJson } from './reportItem';
import type { OutputItem, Run } from './run';

/** The request that a result of a bulk job answers, its settings, and when the result came. */
interface ResultRequest extends Omit<ReceivedReport, 'report'> {
	client: Client;
	settings: ItemSettings;
}

/** What the user chose for all results. */
export interface ResultOptions {
	form: ReportForm;
	onlyNotGreen: boolean;
}

/**
 * Makes the items of the results of one bulk job or list. No two of them share a report, because a
 * later node may change it in one.
 */
export class ResultItems {
	private readonly used = new Set<Report>();

	constructor(
		private readonly run: Run,
		private readonly options: ResultOptions,
	) {}

	/**
	 * Makes the item of a result, or the error in its place. An all-clear gives none if the user
	 * chose Only Not Green.
	 */
	createItems(result: Settled<Report>, request: ResultRequest): Array<Settled<OutputItem>> {
		const { address } = request;
		if (result.error) return [{ error: result.error.withDetails({ address }) }];
		try {
			const { json, isAllClear } = this.createJson(result.value, request);
			if (!isAllClear || !this.options.onlyNotGreen) return [{ value: { json } }];
			this.run.ledger.noteAllClearLeftOut();
			return [];
		} catch (error) {
			return [{ error: nameReport(error, result.value, address) }];
		}
	}

	private createJson(result: Report, { client, settings, ...request }: ResultRequest): ReportJson {
		const { serviceNames } = client;
		const received = { ...request, report: this.copyIfUsed(result), serviceNames };
		return createReportJson(this.run.context, received, settings, this.options.form);
	}

	/** @throws {RangeError} for a report that is nested too deeply to be copied */
	private copyIfUsed(report: Report): Report {
		if (this.used.has(report)) return structuredClone(report);
		this.used.add(report);
		return report;
	}
}
