import { match, outcomesOf } from '../../../../nodes/WalletScreening/service/results';
import { ScreeningError } from '../../../../nodes/WalletScreening/service/errors';
import { createReader } from '../../../../nodes/WalletScreening/service/dialect/reader';
import { jsonIn } from '../../../../nodes/WalletScreening/service/json';
import * as answers from './answers';

const { A, B } = answers;
const reader = createReader();
const cases = (all: Record<string, unknown>) => Object.entries(all);

/** The addresses that have a report. */
function reported(body: unknown): string[] {
	const job = reader.job(body, 200, 'job_1', {});
	const { outcomes } = match([A, B], job);
	return [...outcomes].flatMap(([address, one]) => (one instanceof ScreeningError ? [] : address));
}
/** The same for those who do not know what was sent. */
function given(body: unknown): string[] {
	const { entries } = reader.job(body, 200, 'job_1', {});
	return outcomesOf(entries ?? [], 'job_1').flatMap(({ outcome }) =>
		outcome instanceof ScreeningError ? [] : outcome.address,
	);
}
const delivered = (body: unknown) =>
	outcomesOf(reader.delivery(body)?.entries ?? [], 'job_1').flatMap(({ outcome }) =>
		outcome instanceof ScreeningError ? [] : outcome.address,
	);

test.each(cases(answers.healthyReports))('a report is read: %s', (_, body) => {
	expect(reader.report(body, 200)).toBeTruthy();
});
test.each(cases(answers.handles))('a handle is read: %s', (_, body) => {
	expect(reader.handle(body, 202).job_id).toBe('job_1');
});
test.each(cases(answers.healthyJobs))('a complete job is read: %s', (_, body) => {
	expect(reader.job(body, 200, 'job_1', {}).state).toBe('complete');
	expect(reported(body)).toEqual([A, B]);
	expect(
		outcomesOf(reader.job(body, 200, 'job_1', {}).entries!, 'job_1').every(
			(one) => !(one.outcome instanceof ScreeningError),
		),
	).toBe(true);
});
test.each(cases(answers.partlyHealthyJobs))(
	'a complete job with a failure is read: %s',
	(_, body) => {
		expect(reported(body)).toEqual([A]);
	},
);
test.each(cases(answers.harmfulReports))('no report: %s', (_, body) => {
	expect(() => reader.report(body, 200)).toThrow(ScreeningError);
});
test.each(cases(answers.runningJobs))('a job runs: %s', (_, body) => {
	expect(reader.job(body, 200, 'job_1', {}).state).toBe('running');
	expect(given(body)).toEqual([]);
});
test.each(cases(answers.harmfulEntries))('no report for the second address: %s', (_, body) => {
	expect(reported(body)).not.toContain(B);
	expect(given(body)).not.toContain(B);
});
test.each(cases(answers.harmfulJobs))('no report leaves: %s', (_, body) => {
	const names = (() => {
		try {
			return given(body);
		} catch (error) {
			if (error instanceof ScreeningError) return [];
			throw error;
		}
	})();
	expect(names).toEqual([]);
});
test.each(cases(answers.healthyDeliveries))('a delivery is read: %s', (_, body) => {
	expect(delivered(body).map((one) => one.toLowerCase())).toEqual(
		[A, B].map((one) => one.toLowerCase()),
	);
});
test.each(cases(answers.harmfulDeliveries))('no report is delivered: %s', (_, body) => {
	expect(delivered(body)).toEqual([]);
});
test.each(cases(answers.doubled))('twice: %s', (_, text) => {
	expect(() => jsonIn(Buffer.from(text as string))).toThrow(/twice/);
});
