/**
 * The URL that a text is, or is relative to `base`; undefined for any other text. `URL.canParse` is no help: in Node 20
 * it says no to any address with an umlaut once it was called some thousand times.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

/** A segment of a path without percent-encoding; as it is, if that is invalid. */
export function decoded(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}
