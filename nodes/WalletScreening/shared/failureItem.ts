import { objectIn } from './json';

/*
 * The one rule for which items stand for a failure. Such an item has no report of its own at the top
 * level: what is there is from an earlier step.
 */

/**
 * Whether an item stands for a failure: its field `error` is filled. This package fills it, and so
 * do n8n's own nodes at their error outputs. A table may add an empty one to any item.
 */
export const isFailureItem = ({ error }: { error?: unknown }): boolean => Boolean(error);

/** The JSON of an error item: only the fields that the node reads. */
interface ErrorItem {
	error: string;
	details: { errorClass: string; description?: string };
}

/** Whether this package made the item for a failure: then `details` has the class of the error. */
export const isErrorItem = (json: { error?: unknown; details?: unknown }): json is ErrorItem =>
	isFailureItem(json) && objectIn(json.details)?.errorClass !== undefined;
