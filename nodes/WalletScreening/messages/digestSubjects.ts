import { chainKey } from '../address/chain';
import { addressKey, screeningKey, tagOfSpelling } from '../address/key';
import { hasValue, type JsonObject, objectIn } from '../shared/json';
import { formatValue } from '../shared/text';
import { type DigestEntry, isVerified } from './digestEntry';
import { isFailed } from './standing';

/*
 * Entries are about one subject if they have the same account and tag, reference and chain. They
 * form a group, which the digest lists as its worst entry. An earlier failure, after which a report
 * on its subject comes, is dropped. If the failure names no chain, a later report on any chain drops
 * it.
 *
 *     items in their order               what becomes of them
 *     1. a failure, 0xab…, no chain      dropped, because of item 2
 *     2. a report, 0xAB…, ETH            a group with item 3
 *     3. a report, 0xab…, ETH            a group with item 2
 *     4. a failure, 0xab…, ETH           kept: no report comes after it
 */

/**
 * The key of a subject. An address with a tag is another customer of the account. Without a chain,
 * addresses whose spellings name different chains are different subjects.
 */
function subjectKey({ address, reference }: JsonObject, chain: unknown): string {
	const text = formatValue(address, 300);
	return [
		hasValue(chain) ? addressKey(text) : screeningKey(text),
		tagOfSpelling(text) ?? '',
		formatValue(reference, 300),
		chainKey(formatValue(chain, 300)),
	].join('\n');
}

/** Drops the failures after which a report on the same subject comes. */
export function dropEarlierFailures(entries: readonly DigestEntry[]): DigestEntry[] {
	const numberOfLastReport = new Map<string, number>();
	for (const { item, number, report } of entries) {
		if (!report || !hasValue(item.address)) continue;
		// The failure may have named no chain. An item of a report may lack the chain that this names.
		for (const chain of ['', report.chain]) numberOfLastReport.set(subjectKey(item, chain), number);
	}
	return entries.filter(({ item, number, standing }) => {
		if (!isFailed(standing)) return true;
		const chain = item.chain ?? objectIn(item.details)?.chain;
		return number > (numberOfLastReport.get(subjectKey(item, chain)) ?? 0);
	});
}

/** Entries about one subject. */
export interface DigestGroup {
	worst: DigestEntry;
	/** How many entries it stands for. */
	count: number;
}

/** The key of a group. Entries whose verification failed form groups of their own. */
const groupKey = (item: JsonObject) =>
	`${subjectKey(item, item.chain)}\n${isVerified(item) ? 'verified' : 'not verified'}`;

/** Groups sorted entries by subject. An entry without an address forms a group of its own. */
export function groupBySubject(sorted: readonly DigestEntry[]): DigestGroup[] {
	const groups = new Map<unknown, DigestGroup>();
	for (const entry of sorted) {
		const { item } = entry;
		const key = hasValue(item.address) ? groupKey(item) : entry;
		const group = groups.get(key);
		if (group) group.count++;
		else groups.set(key, { worst: entry, count: 1 });
	}
	return [...groups.values()];
}
