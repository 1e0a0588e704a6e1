import { addressKey } from '../address/key';
import type { Headers } from '../pace/answer';
import { invalidResponse } from '../service/errors';
import { excerpt, type Fields, isFields } from '../service/json';
import { contentOfReport, type Report } from './report';
import { isPast, outerOf, type Result, resultOf, resultsIn, walk } from './places';
import { jobIdIn, levelOfJob, type Progress, progressIn, proposedId, remainderIn } from './job';
import type { ServiceNames } from './contract';
import { isId, switchIn } from './values';
import { createVocabulary } from './fields';

/** What an answer says of a job. Its results are there only if it is complete: nothing else is final. */
export interface JobReading extends Progress {
	results: Result[];
	/** The field that promises more than came. */
	remainder?: Fields | undefined;
}

/** A job's handle or status (sections 4.3 and 4.4), and the body as the service sent it. */
export type Job = JobReading & { job_id: string; body: Fields };
/** What a delivery says (section 6), and its body as the service sent it. */
export type Delivery = JobReading & { job_id: string | undefined; body: unknown };
/** Reads what a service answers and delivers. */
export type Reader = ReturnType<typeof createReader>;

/** RFC 9110, section 15.3.3: what was asked for is not done. */
const accepted = 202;

/** `names` are what this service uses beside the usual names. */
export function createReader(names: ServiceNames = {}) {
	const v = createVocabulary(names);

	/** An answer about a job, taken apart. `located` is the ID in a header. */
	function parse(body: unknown, located?: string) {
		const nodes = walk(v, body);
		const outer = outerOf(nodes);
		return { nodes, outer, said: outer.flatMap(v.statementsIn), id: jobIdIn(v, outer, located) };
	}

	function read(
		{ nodes, outer, said, id }: ReturnType<typeof parse>,
		{ isDelivery = false, isList = false, addresses = [] as string[], headers = {} as Fields } = {},
	): JobReading {
		const results = resultsIn(v, nodes);
		const known = results.filter(({ by }) => by === 'place');
		const isAnyPending = known.some(({ isPending }) => isPending);
		const keysOf = (some: Result[]) => new Set(some.map(({ address = '' }) => addressKey(address)));
		const ended = keysOf(known.filter(({ isPending }) => !isPending));
		const hasAll = addresses.length > 0 && addresses.every((one) => ended.has(addressKey(one)));
		const left = outer
			.flatMap(({ value }) => Object.entries(value as Fields))
			.filter(([name, value]) =>
				typeof value === 'number'
					? v.meaningOf(name).isRunning
					: switchIn(value) !== undefined && v.meaningOf(name).switched === 'running',
			);
		const isDrained =
			left.length > 0 && left.every(([, value]) => !value || switchIn(value) === false);
		const isSuccess = hasAll && (isDrained || said.some(({ kind }) => kind === 'success'));
		const isComplete = isDelivery || isSuccess || (isList && !isAnyPending);
		const unstated = isComplete ? 'complete' : 'running';
		const progress = progressIn(outer, said, id, { isDelivery, unstated });
		if (progress.state !== 'complete') return { ...progress, results: [] };
		const failures = known.filter(({ report }) => !report).length;
		const { partly } = progress;
		const all = [...outer.map(({ value }) => value as Fields), headers];
		const remainder =
			partly && failures === 0
				? { [partly.name]: partly.value }
				: remainderIn(v, all, keysOf(known).size, failures);
		return { ...progress, results, remainder };
	}

	return {
		/** The one report (section 2.1) of the address or ID asked for. `invalid_response` names its ID: it may be paid. */
		report(body: unknown, httpCode: number, { address = '', report_id = '' } = {}): Report {
			const reports = walk(v, body).filter((one) => one.isReport && !isPast(one));
			const all = reports.map((one) => resultOf(v, one, true));
			const own = all.filter(({ address: given = '', value }) => {
				const isOther = address !== '' && addressKey(String(given)) !== addressKey(address);
				return !isOther && (report_id === '' || (value as Report).report_id === report_id);
			});
			const [first] = [...own.filter(({ report }) => !report), ...own, ...all];
			const { report_id: id } = (first?.value ?? body ?? {}) as Fields;
			const known = { ...(isId(id) && { report_id: String(id) }), body: excerpt(body) };
			const refused = (what: string) => invalidResponse(what, httpCode, known, first?.add);
			if (!first) throw refused('no report');
			if (!first.report) throw refused(`no final report: ${first.flaw}`);
			if (own.length === 0)
				throw refused(address ? 'the report of another address' : 'a report of another ID');
			const contents = new Set(own.map(({ report }) => contentOfReport(report!)));
			if (contents.size > 1) throw refused('several reports that differ');
			return first.report;
		},

		/** The job that a submit made; `located` is the ID in a header. Throws `invalid_response`. */
		handle(body: unknown, httpCode: number, located?: string): Job {
			const answer = parse(body, located);
			const { id, outer } = answer;
			if (id) return { ...read(answer), job_id: id.job_id, body: isFields(body) ? body : {} };
			throw invalidResponse(
				'no ID of a bulk job',
				httpCode,
				{ body: excerpt(body) },
				proposedId(outer),
			);
		},

		/** The job that was asked for; `addresses` are those submitted, if they are known. Throws `invalid_response`. */
		job(
			body: unknown,
			httpCode: number,
			job_id: string,
			headers: Headers = {},
			addresses?: string[],
		): Job {
			const refused = (what: string) => invalidResponse(what, httpCode, { body: excerpt(body) });
			if (typeof body !== 'object' || body === null) throw refused('a body that is no bulk job');
			const { id, ...answer } = parse(body);
			const isOther = id?.rank === 0 && id.job_id.toLowerCase() !== job_id.toLowerCase();
			if (isOther) throw refused('a bulk job of another ID');
			const level = levelOfJob(answer.outer, job_id) ?? id?.level;
			const isList = Array.isArray(body) && httpCode !== accepted && !level;
			const job = read({ ...answer, id: { job_id, level } }, { isList, addresses, headers });
			const isOfJob =
				level ??
				answer.said.some(
					({ by, kind }) => by !== 'error' && !(by === 'switch' && kind === 'failed'),
				);
			if (job.state === 'failed' && !isOfJob) throw refused('an error in the place of a bulk job');
			return { ...job, job_id, body: isFields(body) ? body : { results: body } };
		},

		/** A delivery of a complete job, unless it says something else. */
		delivery(body: unknown): Delivery {
			const answer = parse(body);
			return { ...read(answer, { isDelivery: true }), job_id: answer.id?.job_id, body };
		},
	};
}
