import type { IDataObject } from 'n8n-workflow';
import type { Sandbox } from '../../../sandbox/server';
import { type Person } from '../browser/person';

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

/** The path of the form in which a person decides about the rows in doubt. */
export const doubtFormPath = 'rows-in-doubt';

/** Lists the bulk jobs that the service accepted, with the addresses of each. */
export const jobsOf = ({ requests }: Sandbox) =>
	requests.flatMap(({ job_id, body }) =>
		job_id ? [{ job_id, addresses: (body as { addresses: string[] }).addresses }] : [],
	);

/**
 * Answers for a batch in doubt: with the ID of its job at the vendor, or with an empty text.
 *
 * @returns the number of rows that continue
 */
export async function answerForBatch(person: Person, batch: string, job: string): Promise<number> {
	const form = await person.open(doubtFormPath);
	const { words } = await form.send({ Batch: batch, 'Job ID': job });
	const [, count] = /Rows that continue: (\d+)/.exec(words) ?? [];
	if (!count) expect(words).toContain('No row in doubt has this batch');
	return Number(count ?? 0);
}
