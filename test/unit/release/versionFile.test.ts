import { replaceVersion } from '../../../tools/release/versionFile';

it('replaces the version that evidence names, and nothing else', () => {
	const source = (version: string) =>
		`/** As in 0.1.0. */\nexport const packageVersion = 'n8n-nodes-wallet-screening@${version}';\n`;
	expect(replaceVersion(source('0.1.0'), '12.0.3')).toBe(source('12.0.3'));
});

it.each([
	['no version', "export const packageVersion = 'n8n-nodes-wallet-screening';", 0],
	['two versions', "const was = 'x@1.0.0';\nconst is = 'x@1.1.0';", 2],
])('makes no release if the file names %s', (_what, source, count) => {
	expect(() => replaceVersion(source, '1.2.3')).toThrow(
		`packageVersion.ts names ${count} versions`,
	);
});
