import { type Headers, partialContent } from '../../pace/answer';
import { invalidResponse } from '../errors';
import { excerpt, type Fields, isFields } from '../json';
import type { AnyReport, Report } from '../report';
import { jobIdIn, type Told, toldIn } from './job';
import { flawIn, flawOfRisk, look, reportIdIn } from './look';
import { type Additions, usual } from './names';
import { isOfResult, type Placed, placedIn } from './placed';
import { isId } from './values';
import { createVocabulary } from './vocabulary';

/** A job's handle or status (sections 4.3 and 4.4), and the body as the service sent it. */
export type Job = Told & { job_id: string; body: Fields };
/** What a delivery tells (section 6), and its body as the service sent it. */
export type Completion = Told & { job_id: string | undefined; body: unknown };
/** Reads what a service answers and delivers. */
export type Reader = ReturnType<typeof createReader>;

/** RFC 9110, section 15.3.3: what was asked for is not done. */
const accepted = 202;

export function createReader(additions: Additions = {}) {
	const v = createVocabulary([additions, usual]);

	/** A list of one object holds the job, if that names the job or no address. */
	function bodyIn(given: unknown): unknown {
		const [only, ...others] = [given].flat();
		if (others.length > 0 || !isFields(only) || 'address' in only || 'risk' in only) return given;
		const isJob = jobIdIn(placedIn(v, only), true) !== undefined;
		return isJob || !v.fieldsOf(only).some(({ address }) => address) ? only : given;
	}

	/** A body that is a list, or a report, is one of results. */
	function fieldsIn(given: unknown): Placed[] {
		const body = bodyIn(given);
		if (Array.isArray(body) || isOfResult(body)) return placedIn(v, { results: [body].flat() });
		return isFields(body) ? placedIn(v, body) : [];
	}

	return {
		/** The report in a body (section 2.1). Throws `invalid_response`, which names the ID of the report: it may be paid. */
		report(body: unknown, httpCode: number): Report {
			const { report, flaw, add } = look(v, body);
			if (report && httpCode !== partialContent) return report;
			const report_id = reportIdIn(v, body);
			const known = { ...(report_id !== undefined && { report_id }), body: excerpt(body) };
			const what = report ? 'a part of a report' : flaw ? `no final report: ${flaw}` : 'no report';
			const unknown = v.fieldsOf(body).find((field) => field.isUnknown && isFields(field.value));
			const wrapper = report || flaw || !unknown ? add : { wrappers: [unknown.name] };
			throw invalidResponse(what, httpCode, known, wrapper);
		},

		/** The job that a submit made. `located`, the ID in a header, is surer than a bare `id`. Throws `invalid_response`. */
		handle(body: unknown, httpCode: number, located?: string): Job {
			const fields = fieldsIn(body);
			const job_id = jobIdIn(fields, true) ?? located ?? jobIdIn(fields);
			const told = toldIn(v, fields, undefined);
			if (job_id !== undefined) return { ...told, job_id, body: isFields(body) ? body : {} };
			const unknown = fields.find((field) => field.isUnknown && isId(field.value));
			const add = unknown && { jobId: [unknown.name] };
			throw invalidResponse('no ID of a bulk job', httpCode, { body: excerpt(body) }, add);
		},

		/** The job that was asked for. Throws `invalid_response`. */
		job(body: unknown, httpCode: number, job_id: string, headers: Headers): Job {
			const refused = (what: string) => invalidResponse(what, httpCode, { body: excerpt(body) });
			if (typeof body !== 'object' || body === null) throw refused('a body that is no bulk job');
			const fields = fieldsIn(body);
			const named = jobIdIn(fields, true) ?? job_id;
			if (named.toLowerCase() !== job_id.toLowerCase()) throw refused('a bulk job of another ID');
			// A list has no place for a state.
			const isList = Array.isArray(bodyIn(body)) && httpCode !== accepted;
			const unstated = isList ? 'complete' : 'running';
			const told = toldIn(v, fields, unstated, { ...headers, more: httpCode === partialContent });
			return { ...told, job_id, body: isFields(body) ? body : { results: body } };
		},

		/** Without a state a delivery is of a complete job. */
		delivery(body: unknown): Completion {
			const fields = fieldsIn(body);
			return { ...toldIn(v, fields, 'complete'), job_id: jobIdIn(fields), body };
		},

		/** Why fields, of a report or of a job around it, are not final: only a known word speaks against them. */
		unfinished: (fields: Fields) => flawIn(v, v.fieldsOf(fields), () => true)?.flaw,

		/** What in the risk of a report speaks against it. */
		flawOfRisk: (report: AnyReport) => flawOfRisk(v, report),

		/** Whether an object of this name holds a job, its results or a report. */
		wraps: (name: string) => v.fieldsOf({ [name]: 1 })[0]!.wrappers !== undefined,

		/** The job that a refusal names: it exists, although the service refused something. */
		refusedJobId: (body: unknown) =>
			isFields(body) ? jobIdIn([...fieldsIn(body), ...fieldsIn(body.error)], true) : undefined,
	};
}
