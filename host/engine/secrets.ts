/**
 * The places in `value` where one of the secrets can be read, plain or as base64. It looks where
 * `JSON.stringify` does not: properties that are not enumerable (an error's message, stack and
 * cause), symbols, maps, sets, keys and bytes.
 */
export function findSecrets(value: unknown, secrets: string[]): string[] {
	const forms = secrets.flatMap((secret) => [secret, Buffer.from(secret).toString('base64')]);
	const seen = new Set<object>();
	const found: string[] = [];

	const check = (text: string | Buffer, path: string) => {
		if (forms.some((form) => text.includes(form))) found.push(path);
	};
	const walk = (part: unknown, path: string): void => {
		if (typeof part === 'string') return check(part, path);
		if (typeof part !== 'object' && typeof part !== 'function') return;
		if (part === null || seen.has(part)) return;
		seen.add(part);
		if (ArrayBuffer.isView(part)) return check(bytesOf(part), path);
		for (const [key, child] of childrenOf(part)) {
			check(String(key), `${path} (key)`);
			walk(child, `${path}.${String(key)}`);
		}
	};

	walk(value, '$');
	return found;
}

function bytesOf(view: ArrayBufferView): Buffer {
	return Buffer.from(view.buffer, view.byteOffset, view.byteLength);
}

function childrenOf(part: object): Array<[PropertyKey, unknown]> {
	const own = Reflect.ownKeys(part).map((key): [PropertyKey, unknown] => [key, read(part, key)]);
	if (part instanceof Map) return [...own, ...[...part].map(entry)];
	if (part instanceof Set) return [...own, ...[...part].map(entry)];
	return own;
}

function entry(value: unknown, index: number): [PropertyKey, unknown] {
	return [index, value];
}

function read(part: object, key: PropertyKey): unknown {
	try {
		return Reflect.get(part, key);
	} catch {
		return undefined;
	}
}
