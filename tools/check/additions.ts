import type { Additions } from '../../nodes/WalletScreening/service/dialect/names';

/** The additions with more of them, such as the reader proposes; null if that is nothing more. */
export function withMore(additions: Additions, more: Additions = {}): Additions | null {
	const { words = {}, categories, ...names } = more;
	const all: Additions = {
		...joined(additions, names),
		...((additions.words ?? more.words) && { words: joined(additions.words ?? {}, words) }),
		...(categories && { categories }),
	};
	return JSON.stringify(all) === JSON.stringify(additions) ? null : all;
}

const joined = <Lists extends object>(lists: Lists, more: Lists): Lists => ({
	...lists,
	...Object.fromEntries(
		Object.entries(more as Record<string, string[]>).flatMap(([key, added]) => {
			const all = [...((lists as Record<string, string[]>)[key] ?? []), ...added];
			return all.length > 0 ? [[key, [...new Set(all)]]] : [];
		}),
	),
});

/** What to paste into the credential. */
export function advice(additions: Additions): string {
	return Object.keys(additions).length === 0
		? "The usual names are enough: leave 'Service Names' of the credential empty."
		: `Paste this into 'Service Names' of the credential, if the words mean what they say:\n\n${JSON.stringify(additions)}`;
}
