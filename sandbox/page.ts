import type { Report } from './reports';

const entities: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

function escape(value: string | number): string {
	return String(value).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** The web view of a report, to which its `report_url` leads (section 2.1). */
export function webPage(report: Report): string {
	const rows: Array<[string, string | number]> = [
		['Address', report.address],
		['Chain', report.chain],
		['Risk level', report.risk.level],
		['Risk score', report.risk.score],
		...Object.entries(report.risk.categories),
		['Balance', report.balance],
		['Transactions', report.tx_count],
	];
	return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Report ${escape(report.report_id)}</title>
<style>
	body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1rem }
	th { text-align: left; padding-right: 2rem; vertical-align: top; font-weight: 600 }
	td { overflow-wrap: anywhere }
</style>
<h1>Wallet risk report</h1>
<p>Sandbox data - not a real assessment</p>
<table>
${rows.map(([name, value]) => `<tr><th>${escape(name)}<td>${escape(value)}`).join('\n')}
</table>
</html>
`;
}
