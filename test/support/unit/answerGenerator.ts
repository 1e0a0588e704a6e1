import fc from 'fast-check';
import { reportBody } from './answers';

/** The service's knowledge about one address of a job. */
type Truth = 'report' | 'failure' | 'pending';

/** A job as the service knows it. */
export interface Job {
	state: 'running' | 'complete' | 'failed';
	/** One for each address. */
	truths: Truth[];
	/** The number of results on a page. */
	sent: number;
}

export interface Generated extends Job {
	addresses: string[];
	/** For each address its report, or undefined if this answer does not contain it. */
	arrived: unknown[];
	/** Whether the answer says that an address has no report, or none in this answer. */
	namesMissing: boolean;
	/** The service's word for the state of the job. */
	word: string;
	body: unknown;
}

/** The names and words from which a style takes its own. */
export interface Names {
	state: string[];
	words: Record<Job['state'], string[]>;
}

export const usualNames: Names = {
	state: ['status', 'state', 'jobStatus', 'processing_status', 'Bulk-State'],
	words: {
		running: ['queued', 'pending', 'running', 'PROCESSING', 'in_progress', 'JOB_STATE_RUNNING'],
		complete: ['complete', 'completed', 'done', 'Succeeded', 'finished', 'JOB_STATE_SUCCEEDED'],
		failed: ['failed', 'FAILED', 'error', 'cancelled', 'JOB_STATE_FAILED'],
	},
};

/** Names and words that are in no list of known ones. */
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
		state: fc.constantFrom<Array<string | null>>(...state),
		words: fc.record({
			running: fc.constantFrom(...words.running),
			complete: fc.constantFrom(...words.complete),
			failed: fc.constantFrom(...words.failed),
		}),
		results: fc.constantFrom('results', 'reports', 'data', 'items', 'Screenings', 'verdicts', 'x'),
		shape: fc.constantFrom('list', 'map', 'page', 'parts'),
		entry: fc.constantFrom('report', 'wrapped', 'named', 'typed'),
		failures: fc.constantFrom('inline', 'list', 'map', 'silent'),
		failureName: fc.constantFrom('errors', 'failed', 'failures', 'Failed_Items', 'rejected'),
		envelope: fc.constantFrom('none', 'data', 'job beside', 'list of one'),
		around: fc.constantFrom('nothing', 'times', 'counters', 'noise', 'history'),
		history: fc.constantFrom('earlier', 'previous_reports', 'History'),
		inReport: fc.constantFrom('nothing', 'state', 'empty error', 'history'),
	});
type Style = ReturnType<typeof styles> extends fc.Arbitrary<infer S> ? S : never;

const ofKinds = (state: Job['state'], ...kinds: Truth[]): fc.Arbitrary<Job> =>
	fc.record({
		state: fc.constant(state),
		truths: fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 4 }),
		sent: fc.nat(4),
	});

const running = ofKinds('running', 'report', 'failure', 'pending');
export const jobs = fc.oneof(
	running,
	ofKinds('failed', 'failure', 'failure', 'report'),
	ofKinds('complete', 'report', 'report', 'failure'),
);
/** Jobs that are still running, also those that already contain every report. */
export const unfinished = fc.oneof(running, ofKinds('running', 'report'));

const address = (index: number) => `0x${(index + 1).toString(16).padStart(40, 'a')}`;

function reportOf(index: number, { inReport, words }: Style): Record<string, unknown> {
	const report = reportBody({
		report_id: `rep_${index}`,
		address: address(index),
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

function entryOf(index: number, truth: Truth, style: Style): unknown {
	const { entry, words } = style;
	const report = reportOf(index, style);
	const name = { address: address(index) };
	if (truth === 'pending') return { ...name, status: words.running, risk: null };
	if (truth === 'failure')
		return { ...name, status: words.failed, error: { code: 7, message: 'no data' } };
	switch (entry) {
		case 'report':
			return report;
		case 'wrapped':
			return { report };
		case 'named':
			return { ...name, result: report };
		case 'typed':
			return { custom_id: address(index), result: { type: 'succeeded', report } };
	}
}

function containerOf(entries: Array<[string, unknown]>, all: number, { shape }: Style): unknown {
	const list = entries.map(([, entry]) => entry);
	switch (shape) {
		case 'list':
			return list;
		case 'map':
			return Object.fromEntries(entries);
		case 'page':
			return { count: all, next: list.length < all ? '/v1/bulk/job?page=2' : null, results: list };
		case 'parts':
			return [
				{ part: 1, items: list.slice(0, 2) },
				{ part: 2, items: list.slice(2) },
			];
	}
}

export function write(job: Job, style: Style): Generated {
	const { state, truths, sent } = job;
	const { words, results, shape, failures, failureName, around } = style;
	const isSeparate = (truth: Truth) => truth === 'failure' && failures !== 'inline';
	const entries = truths.flatMap((truth, index): Array<[string, unknown]> =>
		isSeparate(truth) ? [] : [[address(index), entryOf(index, truth, style)]],
	);
	const separateFailures = truths.flatMap((truth, index) =>
		isSeparate(truth)
			? [[address(index), { address: address(index), message: 'no data' }] as const]
			: [],
	);
	const entriesOnPage = shape === 'page' ? entries.slice(0, sent) : entries;
	const isOnPage = (index: number) => entriesOnPage.some(([one]) => one === address(index));
	const jobFields = {
		job_id: 'job_1',
		...nested(style.state, words[state]),
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
		addresses: truths.map((_, index) => address(index)),
		arrived: truths.map((truth, index) =>
			truth === 'report' && isOnPage(index) ? reportOf(index, style) : undefined,
		),
		namesMissing:
			entriesOnPage.length < entries.length ||
			(truths.includes('failure') && (failures !== 'silent' || around === 'counters')),
	};
}

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

/** Reports of all addresses, from another day. */
const historyOf = ({ truths }: Job, style: Style) =>
	truths.map((_, index) => ({ ...reportOf(index, style), report_id: `old_${index}` }));

/** A field whose name is a dot path. */
function nested(path: string | null, value: string): object {
	const [last, ...outer] = (path ?? '').split('.').reverse();
	if (path === null) return {};
	return outer.reduce<object>((inner, name) => ({ [name]: inner }), { [last!]: value });
}
