import type { Job } from '../../../nodes/WalletScreening/answers/jobAnswer';
import { Reader } from '../../../nodes/WalletScreening/answers/reader';
import type { Report } from '../../../nodes/WalletScreening/answers/report';
import { reportBody } from './answers';

/** One address of each kind, from the public list of sanctioned addresses. */
export const ETH = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96';
export const BTC = '149w62rY42aZBox8fGcmqNsXUzSStKeq8C';
export const SEGWIT = 'bc1qgdjqv0av3q56jvd82tkdjpy7gdp9ut8tlqmgrpmv24sq90ecnvqqjwvw97';

/** Returns a report with all fields of section 2.1. */
export const reportOf = (address: string, more: Record<string, unknown> = {}) =>
	reportBody({ address, report_id: `rep_${address}`, ...more }) as unknown as Report;

/** Reads the job `j1` from a body. */
export const jobIn = (body: unknown): Job => new Reader().readJob({ body, status: 200 }, 'j1');
