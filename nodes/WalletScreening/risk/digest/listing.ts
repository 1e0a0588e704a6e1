import type { Entry } from './message';

/** As many of the first entries as fit into `longest`, measured as what is written of them. */
export function fitting(
	entries: readonly Entry[],
	longest: number,
	sizeOf: (entry: Entry) => number,
): Entry[] {
	let size = 0;
	const end = entries.findIndex((entry) => (size += sizeOf(entry)) > longest);
	return entries.slice(0, end < 0 ? undefined : end);
}

/** Entries under their headings, in their order. */
export function grouped(entries: readonly Entry[]): Array<{ heading: string; entries: Entry[] }> {
	const groups = new Map<string, Entry[]>();
	for (const entry of entries) {
		const group = groups.get(entry.heading);
		if (group) group.push(entry);
		else groups.set(entry.heading, [entry]);
	}
	return [...groups].map(([heading, some]) => ({ heading, entries: some }));
}

/** The line that says how many items are not listed; none if all are. */
export function unlisted(count: number): string[] {
	if (count === 0) return [];
	return [`… and ${count} more ${count === 1 ? 'item that is' : 'items that are'} not listed`];
}
