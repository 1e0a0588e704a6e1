import { numbersFrom } from '../data/random';

/** Texts that would do something, if a page, a mail or a sheet took them for more than a text. */
const alive = [
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
 * Rows for a table, in which each of the columns holds such a text: as many as usual, or as
 * `HOSTILE` says.
 */
export function hostileRows(usual: number, columns: readonly string[], seed: number) {
	const next = numbersFrom(seed);
	const pick = () => alive[Math.floor(next() * alive.length)]!;
	return Array.from({ length: Number(process.env.HOSTILE ?? usual) }, () =>
		Object.fromEntries(columns.map((column) => [column, pick()])),
	);
}
