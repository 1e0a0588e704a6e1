import type { IDataObject } from 'n8n-workflow';
import type { Sandbox } from '../../../sandbox/server';
import type { Person } from './person';

/** A row of the table *Screening List*. */
export interface ListRow extends IDataObject {
	id: number;
	address: string;
	state: string | null;
	batch: string | null;
	job_id: string | null;
	claimed_at: string | null;
	outcome: string | null;
	summary: string | null;
	report_id: string | null;
}

/** The form in which a person answers for rows in doubt. */
export const formPath = 'rows-in-doubt';

/** The bulk jobs that the service accepted, with their addresses. */
export const jobsOf = ({ requests }: Sandbox) =>
	requests.flatMap(({ job_id, body }) =>
		job_id ? [{ job_id, addresses: (body as { addresses: string[] }).addresses }] : [],
	);

/**
 * Answers for a batch in doubt: with the job that the vendor has, or with nothing. Gives the number
 * of rows that go on.
 */
export async function letGoOn(person: Person, batch: string, job: string): Promise<number> {
	const { words } = await (await person.open(formPath)).send({ Batch: batch, 'Job ID': job });
	const [, count] = /Rows that continue: (\d+)/.exec(words) ?? [];
	if (!count) expect(words).toContain('No row in doubt has this batch');
	return Number(count ?? 0);
}
