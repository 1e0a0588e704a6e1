import { moveUnreleased } from '../../../tools/release/changelog';

const head = '# Changelog\n\n';
const older = '\n## [0.9.0] - 2026-01-31\n\n### Added\n\n- The beginning.\n';
const entries = '\n### Fixed\n\n- A wait that did not end.\n';

it('puts what is unreleased under its version and day', () => {
	expect(moveUnreleased(`${head}## [Unreleased]\n${entries}${older}`, '1.0.0', '2026-11-21')).toBe(
		`${head}## [Unreleased]\n\n## [1.0.0] - 2026-11-21\n${entries}${older}`,
	);
});

it.each([
	['nothing is unreleased', `${head}## [Unreleased]\n${older}`, '1.0.0', 'nothing under'],
	['there is no place for it', `${head}${older}`, '1.0.0', "no '## [Unreleased]'"],
	[
		'it has two places',
		`${head}## [Unreleased]\n${entries}## [Unreleased]\n${entries}${older}`,
		'1.0.0',
		"'## [Unreleased]' twice",
	],
	['a later one was made', `${head}## [Unreleased]\n${entries}${older}`, '0.8.11', 'later version'],
	['it was made', `${head}## [Unreleased]\n${entries}${older}`, '0.9.0', '0.9.0 already'],
])('makes no release if %s', (_, changelog, version, reason) => {
	expect(() => moveUnreleased(changelog, version, '2026-11-21')).toThrow(reason);
});
