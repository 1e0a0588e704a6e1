/** Adds a value as the latest, and drops the earliest beyond `max`. */
export function setBounded<K, V>(map: Map<K, V>, key: K, value: V, max: number): void {
	map.delete(key);
	map.set(key, value);
	for (const [earliest] of map) {
		if (map.size <= max) break;
		map.delete(earliest);
	}
}
