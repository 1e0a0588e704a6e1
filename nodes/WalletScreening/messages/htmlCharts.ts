import {
	cell,
	colorOf,
	escapeHtml,
	escapeText,
	lineColors,
	mono,
	table,
	thinLine,
	wideRow,
} from './htmlParts';
import type { ChartPart, HeatMap, ScoreHistogram } from './message';

/* The charts of a digest as HTML. `charts.ts` makes their content. */

/** One bar of several parts, and what each of them is. */
export function barTable(parts: ChartPart[]): string {
	const segments = parts.map(
		(part) =>
			`<td width="${Math.max(1, Math.round(part.share * 100))}%" style="height:20px;line-height:20px;font-size:0;background-color:${colorOf(part)}">&nbsp;</td>`,
	);
	const names = parts.map(
		(part) => `<b style="color:${colorOf(part)}">&#9632;</b>&nbsp;${escapeText(part.label)}`,
	);
	return table(`<tr>${segments.join('')}</tr>`) + table(wideRow(names.join(' &nbsp; ')));
}

/** A column for each part of the range, as high as it has scores. */
export function histogramTable({ columns, highest }: ScoreHistogram): string {
	const cells = columns.map((parts) => {
		const blocks = parts.map(
			(part) =>
				`<div title="${escapeText(part.label)}" style="height:${Math.max(2, Math.round(part.share * 48))}px;background-color:${colorOf(part)}"></div>`,
		);
		return `<td valign="bottom" height="50" style="padding:0 1px;font-size:0;line-height:0;border-bottom:${thinLine}">${blocks.join('')}</td>`;
	});
	const end = cell(escapeText(highest), { attributes: 'align="right"' });
	const ends = `<tr>${cell('score 0')}${end}</tr>`;
	const columnsTable = table(`<tr>${cells.join('')}</tr>`, 'table-layout:fixed');
	return chartTitle('Results by score') + columnsTable + table(ends);
}

/**
 * The nearer a share is to 1 (section 2.3), the redder its cell. The score stays plain: its range is
 * not specified.
 */
export function heatMapTable({ columns, rows }: HeatMap): string {
	const small = 'font-size:11px;padding:4px 3px';
	const figure = (content: string, style = '') =>
		cell(content, {
			attributes: 'align="right"',
			style: `${small};white-space:nowrap;${style}`,
		});
	const head = [...columns, 'score'].map((name) => figure(`<b>${escapeText(name)}</b>`)).join('');
	const lines = rows.map(({ label, tone, shares, score }) => {
		const border = `border-left:4px solid ${lineColors[tone]}`;
		const name = cell(escapeText(label), {
			attributes: `colspan="${columns.length + 1}"`,
			style: `${border};${mono};${small}`,
		});
		const cells = shares.map((share) => {
			const opacity = Math.min(1, Math.max(0, share ?? 0)) * 0.75;
			const heat = `background-color:rgba(217,45,32,${opacity.toFixed(2)})`;
			return figure(decimal(share), heat);
		});
		return `<tr>${name}</tr><tr>${cells.join('')}${figure(decimal(score))}</tr>`;
	});
	return chartTitle('Scores of the worst wallets') + table(`<tr>${head}</tr>${lines.join('\n')}`);
}

/** The name of a chart, above it. */
const chartTitle = (title: string) => table(wideRow(`<b>${title}</b>`, 'padding-top:14px'));

/** Writes a number with two decimals, as HTML. One above 0 never looks like 0. */
function decimal(number: number | undefined): string {
	const text = number?.toFixed(2) ?? '';
	return escapeHtml(text === '0.00' && number !== 0 ? '<0.01' : text);
}
