import type { ServiceNames } from '../answers/standardNames';

/** What a name or a word has to mean, so that the user may add it under a key. */
const nameMeanings: Record<keyof ServiceNames, string> = {
	jobId: 'is the ID of the job',
	state: 'shows the progress of the job',
	reports: 'are all lists of the results of a job',
	complete: 'means that all is done',
	failed: 'means that it failed',
	running: 'means that it is still in progress',
	categories: 'are all categories of a report',
};

/**
 * Describes what the user may add to the names of the service. An error proposes names under one key:
 * for several, no sentence could explain which of them fits.
 */
export function describeProposedNames(proposedNames: ServiceNames): string {
	const entries = Object.entries(proposedNames) as Array<[keyof ServiceNames, string[]]>;
	const [first] = entries;
	if (!first || entries.length > 1) return '';
	const [key, names] = first;
	const named = names.map((name) => JSON.stringify(name)).join(', ');
	const addition = `If ${named} ${nameMeanings[key]}, add ${JSON.stringify(proposedNames)} to 'Service Names' of the credential.`;
	if (key !== 'complete') return addition;
	return `${addition} If it ${nameMeanings.failed}, add ${JSON.stringify({ failed: names })}.`;
}
