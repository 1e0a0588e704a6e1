import type { Category, Detail, Summary } from './summary';
import { withoutMarkup } from '../values';

/** Plain text, in which each value stays on its line behind its name. */
export function textOf(summary: Summary): string {
	const { title, address, decision, risks, moreRisks, goodSigns } = summary;
	const link = summary.reportUrl ?? summary.reportLink;
	const paragraphs = [
		[title],
		decision ? [`Decision: ${decision.outcome}`, ...decision.reasons.map(bullet)] : [],
		[
			...(address === undefined ? [] : [`Address: ${address}`]),
			...summary.details.map(line),
			...(link === undefined ? [] : [`Report: ${link}`]),
		],
		risks ? riskLines(risks, moreRisks) : [],
		goodSigns.length > 0 ? ['Good sign', ...goodSigns.map(line).map(bullet)] : [],
	];
	return inParagraphs(paragraphs);
}

/** Paragraphs of lines as plain text. Empty ones are left out. */
export function inParagraphs(paragraphs: string[][]): string {
	const present = paragraphs.filter(({ length }) => length > 0);
	return withoutMarkup(present.map((lines) => lines.join('\n')).join('\n\n'));
}

function riskLines(risks: Category[], more: number): string[] {
	return [
		risks.length > 0 ? 'Risk categories' : 'Risk categories: not given',
		...risks.map(line).map(bullet),
		...(more > 0 ? [bullet(`… and ${more} more in the report`)] : []),
	];
}

function line({ label, value }: Detail): string {
	return `${label}: ${value}`;
}

function bullet(text: string): string {
	return `- ${text}`;
}
