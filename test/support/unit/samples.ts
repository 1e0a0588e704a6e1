import type { Job } from '../../../nodes/WalletScreening/answers/jobAnswer';
import { Reader } from '../../../nodes/WalletScreening/answers/reader';
import type { Report } from '../../../nodes/WalletScreening/answers/report';
import { reportBody } from './answers';

/** Returns a report with all fields of section 2.1. */
export const reportOf = (address: string, more: Record<string, unknown> = {}) =>
	reportBody({ address, report_id: `rep_${address}`, ...more }) as unknown as Report;

/** Reads the job `j1` from a body. */
export const jobIn = (body: unknown): Job => new Reader().readJob({ body, status: 200 }, 'j1');
