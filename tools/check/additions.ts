import type { ServiceNames } from '../../nodes/WalletScreening/service/reader/names';

/** The keys whose lists replace the usual ones; the others add to theirs. */
const replacing = ['jobId', 'state', 'categories'];

/** The names with more of them, such as the reader proposes; null if that is nothing more. */
export function withMore(names: ServiceNames, more: ServiceNames = {}): ServiceNames | null {
	const joined = Object.entries(more).map(([key, added]) => {
		const known = replacing.includes(key) ? [] : (names[key as keyof ServiceNames] ?? []);
		return [key, [...new Set([...known, ...added])]];
	});
	const all = { ...names, ...(Object.fromEntries(joined) as ServiceNames) };
	return JSON.stringify(all) === JSON.stringify(names) ? null : all;
}

/** What to paste into the credential. */
export function advice(names: ServiceNames): string {
	return Object.keys(names).length === 0
		? "The usual names are enough: leave 'Service Names' of the credential empty."
		: `Paste this into 'Service Names' of the credential, if the words mean what they say:\n\n${JSON.stringify(names)}`;
}
