import { createHmac } from 'node:crypto';
import { reportBody } from './reports';

/** The webhook secret of the service. */
export const SECRET = 'hook-secret-2026';

export const greenReport = reportBody();
export const redReport = reportBody({
	report_id: 'rep_2',
	address: 'TMuA6YqfCeX8EhbfYEg5y7S4DqzSJireY9',
	risk: { level: 'red', score: 0.9 },
});

/** Returns the body of a delivery with these results. */
export const bodyOf = (...results: unknown[]) => JSON.stringify({ job_id: 'job_1', results });

/**
 * Returns the header with the signature of a body. Its name is in lower case, as n8n gives all
 * names to the nodes.
 */
export function signatureHeadersOf(body: string, secret = SECRET): Record<string, string> {
	return { 'x-signature': createHmac('sha256', secret).update(body).digest('hex') };
}
