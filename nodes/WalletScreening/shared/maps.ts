/** Values by the key of each, in the order in which they came. */
export function groupBy<Key, Value>(
	values: readonly Value[],
	keyOf: (value: Value) => Key,
): Map<Key, Value[]> {
	const groups = new Map<Key, Value[]>();
	for (const value of values) {
		const key = keyOf(value);
		const group = groups.get(key);
		if (group) group.push(value);
		else groups.set(key, [value]);
	}
	return groups;
}

/** Adds a value as the latest, and drops the earliest beyond `max`. */
export function setBounded<K, V>(map: Map<K, V>, key: K, value: V, max: number): void {
	map.delete(key);
	map.set(key, value);
	for (const [earliest] of map) {
		if (map.size <= max) break;
		map.delete(earliest);
	}
}

/**
 * Returns a function that remembers what `find` returned for each of the latest keys. Beyond
 * `maxKeys` it forgets the earliest, so that many keys cannot use up the memory.
 */
export function remember<Found>(
	find: (key: string) => Found,
	maxKeys: number,
): (key: string) => Found {
	const found = new Map<string, Found>();
	return (key) => {
		if (!found.has(key)) setBounded(found, key, find(key), maxKeys);
		return found.get(key) as Found;
	};
}

/**
 * Returns a function that remembers what `find` returned for each object. It keeps these objects in
 * memory as long as it is referred to.
 */
export function rememberByObject<Key extends object, Found>(
	find: (key: Key) => Found,
): (key: Key) => Found {
	const found = new Map<Key, Found>();
	return (key) => {
		if (!found.has(key)) found.set(key, find(key));
		return found.get(key) as Found;
	};
}
