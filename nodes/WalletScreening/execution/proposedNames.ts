import type { ServiceNames } from '../answers/standardNames';

/** What has to be true of names or words, so that the user may add them under a key. */
const conditions: Record<keyof ServiceNames, (names: string) => string> = {
	jobId: (names) => `${names} is the ID of the job`,
	state: (names) => `${names} shows the progress of the job`,
	reports: (names) => `all results of a job are in ${names}`,
	complete: (names) => `${names} means that all is done`,
	failed: (names) => `${names} means that it failed`,
	running: (names) => `${names} means that it is still in progress`,
	categories: (names) => `a report has the categories ${names} and no others`,
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
	const addition = `If ${conditions[key](named)}, add ${JSON.stringify(proposedNames)} to 'Service Names' of the credential.`;
	if (key !== 'complete') return addition;
	return `${addition} If ${conditions.failed('it')}, add ${JSON.stringify({ failed: names })}.`;
}
