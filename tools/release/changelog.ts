const unreleased = '## [Unreleased]';

/**
 * The changelog with the unreleased changes under the heading of their version, and an empty
 * "Unreleased" above it.
 *
 * @param date the day of the release, as in 2026-11-21
 * @throws when nothing is unreleased, the heading is there twice, or the version or a later one is
 * there already
 */
export function moveUnreleased(changelog: string, version: string, date: string): string {
	if (changelog.includes(`## [${version}]`)) throw new Error(`CHANGELOG.md has ${version} already`);
	const [, latest = version] = /^## \[(\d.*?)\]/m.exec(changelog) ?? [];
	if (version.localeCompare(latest, 'en', { numeric: true }) < 0)
		throw new Error(`CHANGELOG.md has the later version ${latest}`);
	const [before = '', after, ...more] = changelog.split(`${unreleased}\n`);
	if (after === undefined) throw new Error(`CHANGELOG.md has no '${unreleased}'`);
	if (more.length > 0) throw new Error(`CHANGELOG.md has '${unreleased}' twice`);
	const [entries = ''] = after.split(/^## /m);
	if (!/^- \S/m.test(entries)) throw new Error(`CHANGELOG.md has nothing under '${unreleased}'`);
	return `${before}${unreleased}\n\n## [${version}] - ${date}\n${after}`;
}
