import fc from 'fast-check';
import { numberedAddress } from '../data/addresses';
import { reportBody } from './reports';

/*
 * Generates jobs, and answers about them. An answer has a style: the names, the words and the shape
 * of one imaginary service.
 */

/** What the service has for an address of a job. */
type Truth = 'report' | 'failure' | 'pending';

interface GeneratedJob {
	state: 'running' | 'complete' | 'failed';
	/** What the service has for each address. */
	truths: Truth[];
	/** The number of results on a page, in a style that has pages. */
	pageSize: number;
}

/** A job with an answer about it, and what a reader should find in that answer. */
export interface GeneratedAnswer extends GeneratedJob {
	addresses: string[];
	/** For each address its report, or undefined if the answer does not contain it. */
	arrived: unknown[];
	/** Whether the answer states that it lacks a report. */
	statesMissing: boolean;
	/** The service's word for the state of the job. */
	word: string;
	/** The body of the answer. */
	body: unknown;
}

/** The names and words from which the generator picks those of a style. */
interface Names {
	/** Names of the field with the state. A dot leads into an object. */
	state: string[];
	words: Record<GeneratedJob['state'], string[]>;
}

export const usualNames: Names = {
	state: ['status', 'state', 'jobStatus', 'processing_status', 'Bulk-State'],
	words: {
		running: ['queued', 'pending', 'running', 'PROCESSING', 'in_progress', 'JOB_STATE_RUNNING'],
		complete: ['complete', 'completed', 'done', 'Succeeded', 'finished', 'JOB_STATE_SUCCEEDED'],
		failed: ['failed', 'FAILED', 'error', 'cancelled', 'JOB_STATE_FAILED'],
	},
};

/** Names and words that are not among the standard ones of the nodes. */
export const ownNames: Names = {
	state: ['lifecycle', 'review.outcome'],
	words: {
		running: ['simmering', 'warming', 'K2'],
		complete: ['scored', 'baked', 'K7'],
		failed: ['burnt', 'sunk', 'K9'],
	},
};

/**
 * Generates the ways in which a service may write its jobs. The specification leaves all of this
 * open (sections 4.3 and 4.4).
 */
export const styles = ({ state, words }: Names) =>
	fc.record({
		/** `null` for a service that states none. */
		state: fc.constantFrom<Array<string | null>>(...state),
		words: fc.record({
			running: fc.constantFrom(...words.running),
			complete: fc.constantFrom(...words.complete),
			failed: fc.constantFrom(...words.failed),
		}),
		/** The name of the field with the results. */
		results: fc.constantFrom('results', 'reports', 'data', 'items', 'Screenings', 'verdicts', 'x'),
		/** How the results stand there. */
		shape: fc.constantFrom('list', 'map', 'page', 'parts'),
		/** How a result holds its report. */
		entry: fc.constantFrom('report', 'wrapped', 'named', 'typed'),
		/** Where the addresses without a report stand: among the results, beside them, or nowhere. */
		failures: fc.constantFrom('inline', 'list', 'map', 'silent'),
		failureName: fc.constantFrom('errors', 'failed', 'failures', 'Failed_Items', 'rejected'),
		/** What the job stands in. */
		envelope: fc.constantFrom('none', 'data', 'job beside', 'list of one'),
		/** What stands beside the results. */
		around: fc.constantFrom('nothing', 'times', 'counters', 'noise', 'history'),
		/** The name of the field with earlier reports. */
		history: fc.constantFrom('earlier', 'previous_reports', 'History'),
		/** What a report has beside its own fields. */
		inReport: fc.constantFrom('nothing', 'state', 'empty error', 'history'),
	});
type Style = ReturnType<typeof styles> extends fc.Arbitrary<infer Value> ? Value : never;

/** Generates jobs in this state whose truths are of these kinds. */
const jobsIn = (state: GeneratedJob['state'], ...kinds: Truth[]): fc.Arbitrary<GeneratedJob> =>
	fc.record({
		state: fc.constant(state),
		truths: fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 4 }),
		pageSize: fc.nat(4),
	});

const running = jobsIn('running', 'report', 'failure', 'pending');
// A kind that is listed twice is twice as frequent.
export const jobs = fc.oneof(
	running,
	jobsIn('failed', 'failure', 'failure', 'report'),
	jobsIn('complete', 'report', 'report', 'failure'),
);
/** Jobs that are still running. Some of them already have every report. */
export const unfinishedJobs = fc.oneof(running, jobsIn('running', 'report'));

const addressAt = (index: number) => numberedAddress(index + 1);

function reportOf(index: number, { inReport, words }: Style): Record<string, unknown> {
	const report = reportBody({
		report_id: `rep_${index}`,
		address: addressAt(index),
		risk: { level: index % 3 === 0 ? 'red' : 'green', score: index / 20 },
	});
	switch (inReport) {
		case 'nothing':
			return report;
		case 'state':
			return { ...report, status: words.complete };
		case 'empty error':
			return { ...report, error: null, error_message: '' };
		case 'history':
			return { ...report, previous: [{ ...report, report_id: `old_${index}` }] };
	}
}

/** Writes the result of an address. */
function entryOf(index: number, truth: Truth, style: Style): unknown {
	const { entry, words } = style;
	const report = reportOf(index, style);
	const address = addressAt(index);
	if (truth === 'pending') return { address, status: words.running, risk: null };
	if (truth === 'failure')
		return { address, status: words.failed, error: { code: 7, message: 'no data' } };
	switch (entry) {
		case 'report':
			return report;
		case 'wrapped':
			return { report };
		case 'named':
			return { address, result: report };
		case 'typed':
			return { custom_id: address, result: { type: 'succeeded', report } };
	}
}

/** Writes the results of a page. There are `total` on all pages. */
function containerOf(entries: Array<[string, unknown]>, total: number, { shape }: Style): unknown {
	const list = entries.map(([, entry]) => entry);
	switch (shape) {
		case 'list':
			return list;
		case 'map':
			return Object.fromEntries(entries);
		case 'page':
			return {
				count: total,
				next: list.length < total ? '/v1/bulk/job?page=2' : null,
				results: list,
			};
		case 'parts':
			return [
				{ part: 1, items: list.slice(0, 2) },
				{ part: 2, items: list.slice(2) },
			];
	}
}

/** Writes an answer about a job in a style. */
export function writeAnswer(job: GeneratedJob, style: Style): GeneratedAnswer {
	const { state, truths, pageSize } = job;
	const { words, results, shape, failures, failureName, around } = style;
	const isSeparate = (truth: Truth) => truth === 'failure' && failures !== 'inline';
	const entries = truths.flatMap((truth, index): Array<[string, unknown]> =>
		isSeparate(truth) ? [] : [[addressAt(index), entryOf(index, truth, style)]],
	);
	const separateFailures = truths.flatMap((truth, index) => {
		const address = addressAt(index);
		return isSeparate(truth) ? [[address, { address, message: 'no data' }] as const] : [];
	});
	const entriesOnPage = shape === 'page' ? entries.slice(0, pageSize) : entries;
	const isOnPage = (index: number) => entriesOnPage.some(([one]) => one === addressAt(index));
	const jobFields = {
		job_id: 'job_1',
		...nestedField(style.state, words[state]),
		...(around === 'times' && {
			created_at: '2026-03-11T09:14:05Z',
			completed_at: state === 'running' ? null : '2026-03-11T09:14:31Z',
		}),
		...(around === 'counters' && { total: truths.length, processed: entries.length }),
		...(around === 'history' && { [style.history]: historyOf(job, style) }),
		...(around === 'noise' && { region: 'eu-1', links: { self: '/v1/bulk/job_1' }, tags: [] }),
	};
	const content = {
		[results]: containerOf(entriesOnPage, entries.length, style),
		...(separateFailures.length > 0 &&
			failures !== 'silent' && {
				[failureName]:
					failures === 'map'
						? Object.fromEntries(separateFailures)
						: separateFailures.map(([, one]) => one),
			}),
	};
	return {
		...job,
		body: bodyOf(jobFields, content, style),
		word: words[state],
		addresses: truths.map((_, index) => addressAt(index)),
		arrived: truths.map((truth, index) =>
			truth === 'report' && isOnPage(index) ? reportOf(index, style) : undefined,
		),
		statesMissing:
			entriesOnPage.length < entries.length ||
			(truths.includes('failure') && (failures !== 'silent' || around === 'counters')),
	};
}

/** Puts the fields of a job and its results into an envelope. */
function bodyOf(jobFields: object, content: object, { envelope }: Style): unknown {
	const whole = { ...jobFields, ...content };
	switch (envelope) {
		case 'none':
			return whole;
		case 'data':
			return { code: 0, message: 'OK', data: whole };
		case 'job beside':
			return { job: jobFields, ...content };
		case 'list of one':
			return [whole];
	}
}

/** Writes reports of all addresses, from another day. */
const historyOf = ({ truths }: GeneratedJob, style: Style) =>
	truths.map((_, index) => ({ ...reportOf(index, style), report_id: `old_${index}` }));

/** Writes a field. A dot in `path` leads into an object. For `null` there is no field. */
function nestedField(path: string | null, value: string): object {
	if (path === null) return {};
	const [last, ...outer] = path.split('.').reverse();
	return outer.reduce<object>((inner, name) => ({ [name]: inner }), { [last!]: value });
}
