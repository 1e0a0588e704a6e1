import { match, outcomesOf } from '../../../../nodes/WalletScreening/service/results';
import { ScreeningError } from '../../../../nodes/WalletScreening/service/errors';
import { createReader, type Job } from '../../../../nodes/WalletScreening/service/dialect/reader';
import { type Fields, isFields } from '../../../../nodes/WalletScreening/service/json';
import data from './answers.json';

/*
 * Answers written from the specification and from the habits of public APIs (Stripe, OpenAI, Salesforce, AWS Batch, Google's
 * long-running operations, JSON:API, HAL, JSON-RPC, OData, the APIs of this trade), before the reader was. In the file "$a"
 * stands for the part of this name, and { "$": "$a", … } for its fields and more. "$missing" takes a field away.
 */
const { parts, states, ...answers } = data;
const partOf = (value: unknown) =>
	typeof value === 'string' && value.startsWith('$') ? (parts as Fields)[value.slice(1)] : value;

function whole(set: object): Fields {
	const text = JSON.stringify(set, (_, value: unknown) => {
		const part = partOf(value);
		if (!isFields(part)) return part;
		const { $, ...own } = part;
		const named = Object.entries(own).map(([name, one]) => [partOf(name), one] as const);
		return { ...(partOf($) as object), ...(Object.fromEntries(named) as object) };
	});
	return JSON.parse(text) as Fields;
}

const { A, B } = parts;
const reader = createReader();

/** The answers of a set, by name. */
function cases(set: keyof typeof answers): Array<[string, unknown]> {
	const words = (states as Record<string, string[]>)[set] ?? [];
	const $ = set === 'harmfulReports' ? '$a' : '$done';
	const withWord = words.map((status) => [`status ${status}`, { $, status }] as const);
	return Object.entries(whole({ ...answers[set], ...Object.fromEntries(withWord) }));
}

test('a list is complete, unless the status says that it is not', () => {
	const list = [{ wallet: 'alice.eth', error: 'unsupported' }];
	const stateOf = (status: number) => reader.job(list, status, 'job_1', {}).state;
	expect([200, 202].map(stateOf)).toEqual(['complete', 'running']);
});

const read = (body: unknown) => reader.job(body, 200, 'job_1', {});

/** The addresses that have a report, of those that were sent. */
function reported(body: unknown): string[] {
	const { outcomes } = match([A, B], read(body));
	return [...outcomes].flatMap(([address, one]) => (one instanceof ScreeningError ? [] : address));
}
/** The same for those who do not know what was sent. */
const given = ({ entries }: Pick<Job, 'entries'>) =>
	outcomesOf(entries ?? [], 'job_1').flatMap(({ outcome }) =>
		outcome instanceof ScreeningError ? [] : outcome.address,
	);

test.each(cases('healthyReports'))('a report is read: %s', (_, body) => {
	expect(reader.report(body, 200)).toBeTruthy();
});
test.each(cases('harmfulReports'))('no report: %s', (_, body) => {
	expect(() => reader.report(body, 200)).toThrow(ScreeningError);
});
test.each(cases('handles'))('a handle is read: %s', (_, body) => {
	expect(reader.handle(body, 202).job_id).toBe('job_1');
});
test.each(cases('healthyJobs'))('a complete job is read: %s', (_, body) => {
	const { state, entries } = read(body);
	expect(state).toBe('complete');
	expect(reported(body)).toEqual([A, B]);
	const outcomes = outcomesOf(entries!, 'job_1').map((one) => one.outcome);
	expect(outcomes.filter((one) => one instanceof ScreeningError)).toEqual([]);
});
test.each(cases('partlyHealthyJobs'))('a complete job with a failure is read: %s', (_, body) => {
	expect(reported(body)).toEqual([A]);
	expect(outcomesOf(read(body).entries!, 'job_1').map(({ address }) => address)).toEqual([A, B]);
});
test.each(cases('runningJobs'))('a job runs: %s', (_, body) => {
	expect(read(body)).toMatchObject({ state: 'running', entries: undefined });
});
test.each(cases('harmfulEntries'))('no report for the second address: %s', (_, body) => {
	expect([...reported(body), ...given(read(body))]).not.toContain(B);
});
test.each(cases('lackingJobs'))('a job has more results than came: %s', (_, body) => {
	expect(reported(body)).toEqual([A]);
	const outcomes = outcomesOf(read(body).entries!, 'job_1').map((one) => one.outcome);
	expect(outcomes.at(-1)).toMatchObject({ errorClass: 'missing_result' });
});
test.each(cases('harmfulJobs'))('no report leaves: %s', (_, body) => {
	const leaving = () => {
		try {
			return read(body).entries;
		} catch (error) {
			return expect(error).toBeInstanceOf(ScreeningError);
		}
	};
	expect(leaving()).toBeUndefined();
});
test.each(cases('healthyDeliveries'))('a delivery is read: %s', (_, body) => {
	expect(given(reader.delivery(body))).toEqual([A, B]);
});
test.each(cases('harmfulDeliveries'))('no report is delivered: %s', (_, body) => {
	expect(given(reader.delivery(body))).toEqual([]);
});
