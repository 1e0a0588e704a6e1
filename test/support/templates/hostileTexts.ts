import { numbersFrom } from '../data/random';

/** Texts that would do something if a page, a mail or a sheet took them for more than a text. */
const activeTexts = [
	'<script>alert(1)</script>',
	'"><img src=x onerror=alert(1)>',
	"' autofocus onfocus='alert(1)",
	'</td></table><h1>All clear</h1>',
	'<!--',
	'<a href="javascript:alert(1)">Release</a>',
	'=HYPERLINK("https://evil.example","Release")',
	'+1+1',
	'-1+1',
	'@SUM(1)',
	'\t=1+1',
	'\r=1+1',
	'https://evil.example',
	'//evil.example',
	'javascript:alert(1)',
	'data:text/html,<script>1</script>',
	'<!channel> @everyone',
	'[Release](https://evil.example)',
	'\\"<b>',
	'"\\',
	"$& $` $' ${1}",
	'{{ $env }}',
	'={{ $env.PATH }}',
	'&lt;script&gt;',
	'\u202e\u0000',
	'needs 1 person',
	'x'.repeat(5_000),
];

/**
 * Makes rows for a table, with such a text in each of the columns. The environment variable
 * `HOSTILE` sets another number of rows than the usual one.
 */
export function makeHostileRows(usualCount: number, columns: readonly string[], seed: number) {
	const next = numbersFrom(seed);
	const pick = () => activeTexts[Math.floor(next() * activeTexts.length)]!;
	return Array.from({ length: Number(process.env.HOSTILE ?? usualCount) }, () =>
		Object.fromEntries(columns.map((column) => [column, pick()])),
	);
}
