/**
 * The source of packageVersion.ts with another version, which evidence then names.
 *
 * @throws an Error if it does not name one version: evidence would keep the old one
 */
export function replaceVersion(source: string, version: string): string {
	const parts = source.split(/@\d+\.\d+\.\d+/);
	if (parts.length !== 2) throw new Error(`packageVersion.ts names ${parts.length - 1} versions`);
	return parts.join(`@${version}`);
}
