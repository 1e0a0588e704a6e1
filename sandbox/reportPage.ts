import { markup } from './markup';
import { pageOf } from './page';
import type { DatedReport } from './reports';
import { categoryBars, levelColor } from './risk';

/** The notice on each document of the sandbox. */
export const notice = 'Invented by the sandbox: not a real assessment';

const track = (color: string, share: number) =>
	markup`<span class="track"><i class="${color}" style="width:${share * 100}%"></i></span>`;

/** The web view of a report, to which its `report_url` leads (section 2.1). */
export function webPage({ report, date }: DatedReport): string {
	const { level, score, categories } = report.risk;
	const color = levelColor(level);
	const bars = categoryBars(categories).map(
		(bar) => markup`
<div class="bar"><span>${bar.name}</span>${track(bar.color, bar.share)}<b>${bar.value.toFixed(3)}</b></div>`,
	);
	const facts: Array<[string, string | number]> = [
		['Chain', report.chain],
		['Balance', report.balance],
		['Transactions', report.tx_count],
		['Report', report.report_id],
		['Date', date],
	];
	return pageOf(
		`Report ${report.report_id}`,
		markup`
<div class="notice">${notice}</div>
<h1>Wallet risk report</h1>
<div class="code">${report.address}</div>
<div class="card">
<span class="score">${score}</span> <span class="badge ${color}">${level}</span>
<p class="faint">Risk score, from 0 to 1. 1 is the worst.</p>
${track(color, score)}
</div>
<div class="card"><h2>Risk categories</h2>${bars}</div>
<div class="card"><h2>Wallet and report</h2>
<dl class="facts">${facts.map(([name, value]) => markup`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
</div>`,
	);
}
