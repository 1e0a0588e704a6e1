import type { OperationChoice } from './operation';

/* The places where a request can fail. The advice on an error depends on its place. */

export const atScreen = ['address.screen'] as const;
export const atScreenAndWait = ['bulkJob.screenAndWait'] as const;
export const atAnySubmit = ['bulkJob.submit', ...atScreenAndWait] as const;
export const atAnyPost = [...atScreen, ...atAnySubmit] as const;
export const atGetJob = ['bulkJob.get'] as const;
export const atReport = ['report.get', 'report.downloadPdf'] as const;
export const atAnyOperation = [...atAnyPost, ...atGetJob, ...atReport] as const;
export const atTrigger = ['trigger'] as const;

/** Every place: an operation, as `resource.operation`, or the trigger. */
export const errorSites = [...atAnyOperation, ...atTrigger] as const;
export type ErrorSite = (typeof errorSites)[number];

/** The place of the operation that the node runs; undefined for one that sends no request. */
export function errorSiteOf({ resource, value }: OperationChoice): ErrorSite | undefined {
	return errorSites.find((site) => site === `${resource}.${value}`);
}
