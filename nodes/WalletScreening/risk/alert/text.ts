import type { Detail, Summary } from './summary';
import { withoutMarkup } from './values';

/** Plain text, in which each value stays on its line behind its name. */
export function textOf(summary: Summary): string {
	const { title, decision, risks, moreRisks, goodSigns, reportUrl, reportLink } = summary;
	const paragraphs = [
		[title],
		decision ? [`Decision: ${decision.outcome}`, ...decision.reasons.map(bullet)] : [],
		[
			`Address: ${summary.address}`,
			...summary.details.map(line),
			`Report: ${reportUrl ?? reportLink}`,
		],
		[
			risks.length > 0 ? 'Risk categories' : 'Risk categories: not given',
			...risks.map(line).map(bullet),
			...(moreRisks > 0 ? [bullet(`… and ${moreRisks} more in the report`)] : []),
		],
		goodSigns.length > 0 ? ['Good sign', ...goodSigns.map(line).map(bullet)] : [],
	];
	const filled = paragraphs.filter(({ length }) => length > 0);
	return withoutMarkup(filled.map((lines) => lines.join('\n')).join('\n\n'));
}

function line({ label, value }: Detail): string {
	return `${label}: ${value}`;
}

function bullet(text: string): string {
	return `- ${text}`;
}
