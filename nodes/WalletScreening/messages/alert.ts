import { type Fields, isGiven, isNumber, objectIn } from '../shared/json';
import { isPrivate, parseUrl } from '../shared/url';
import type { Decision } from '../policy/decision';
import { describeReason, describeSanctionsHit, sortWorstFirst } from '../policy/reason';
import { htmlOf } from './html';
import type { Message, Row, Tone } from './message';
import { plain, inQuotes } from '../shared/plain';
import { type SlackMessage, slackOf } from './slack';
import { textOf } from './text';
import {
	categoriesOf,
	type CategoryValue,
	goodSign,
	type ReportValues,
	risksOf,
} from '../policy/report';
import { capitalized, clip, inWords, shortAddress, show } from '../shared/text';
import { isGreen, sameName } from '../policy/level';

/** One line of at most 120 characters, plain text for any messenger, a document for a mail, and blocks for Slack's node. */
export interface Alert {
	title: string;
	text: string;
	html: string;
	slackBlocks: SlackMessage;
}

/** What an alert says beside its report or failure. */
export interface About {
	/** E.g. the ID of the payment or the customer. */
	reference?: unknown;
	/** When the report was judged, or the request failed. */
	at?: Date | undefined;
	/** In which `at` is shown. */
	timeZone?: string | undefined;
	policy?: { name?: unknown; version?: unknown } | undefined;
	/** The chain that was asked for, if the report is of another one. */
	askedChain?: unknown;
}

/** The alert on a report (section 2.1) and its decision. Never throws, is of bounded size, and no value passes for more than one. */
export function alertOf(
	report: ReportValues,
	{ decision, ...about }: About & { decision?: Omit<Decision, 'summary'> | undefined } = {},
): Alert {
	const { risk, chain, balance, tx_count, report_id } = report;
	const tone = toneOf(isGiven(about.askedChain) ? undefined : risk.level, decision);
	const unjudged = tone === 'good' ? 'Screened' : 'Attention';
	const verdict = decision ? capitalized(decision.outcome) : unjudged;
	const wallet = isGiven(chain) ? `${word(chain, 16)} wallet` : 'wallet';
	const [level, score] = [word(risk.level), word(risk.score)];
	const address = addressText(report.address);
	const hit = decision && describeSanctionsHit(decision.reasons);
	const subject = hit === undefined ? wallet : `${hit} – ${wallet}`;
	return written({
		title: `${verdict}: ${subject} ${shortAddress(address)} is ${level} (score ${score})`,
		tone,
		verdict,
		headline: `${capitalized(subject)} is ${level}, score\u00a0${score}`,
		sections: [
			{ rows: [{ label: 'Address', value: address }, ...aboutRows(about)] },
			...(decision
				? [{ heading: `Decision: ${decision.outcome}`, rows: reasonRows(decision) }]
				: []),
			{ heading: 'Risk categories', rows: categoryRows(report, tone) },
			{
				heading: 'Details',
				rows: [
					row('Chain', chain),
					row('Balance', balance),
					row('Transactions', tx_count),
					row('Report ID', report_id),
					...linkRows(report.report_url),
				],
			},
		],
	});
}

/** The alert on an error item `{ error, address?, details }`, with the same promises. */
export function failureAlertOf({ error, address, details }: Fields, about: About = {}): Alert {
	const known = objectIn(details) ?? {};
	const given = address ?? known.address;
	const named = isGiven(given) ? addressText(given) : undefined;
	const message = show(error, 300);
	const jobs = [known.job_id ?? known.job_ids].flat().filter((id) => typeof id === 'string');
	// If there is a report, something after the screening failed.
	const verdict = isGiven(known.level) ? 'Failed' : 'Not screened';
	const wallet = named === undefined ? '' : `wallet ${shortAddress(named)}: `;
	const rows = [
		...givenRows({ Error: message, Address: named }),
		...aboutRows(about),
		...givenRows({
			'What to do': known.description,
			Decision: known.summary,
			'Error class': known.errorClass,
			'HTTP status': known.httpCode,
			'Report ID': known.report_id,
			'Job ID': jobs.join(', '),
		}),
	];
	const title = `${verdict}: ${wallet}${message}`;
	return written({ title, tone: 'bad', verdict, headline: message, sections: [{ rows }] });
}

/** A message for each place. */
export function written(message: Message): Alert {
	const title = clip(plain(message.title), 120);
	const named = { ...message, title };
	return { title, text: textOf(named), html: htmlOf(named), slackBlocks: slackOf(named) };
}

export function aboutRows(about: About): Row[] {
	const { reference, at, timeZone = 'UTC', policy = {}, askedChain } = about;
	const name = isGiven(policy.name) ? [show(policy.name, 64)] : [];
	const version = isGiven(policy.version) ? [`version ${show(policy.version, 32)}`] : [];
	return givenRows({
		'Chain asked for': askedChain,
		Reference: reference,
		// Swedes write a date as year, month and day.
		Date:
			at &&
			`${at.toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })} ${timeZone.replaceAll('_', ' ')}`,
		Policy: [...name, ...version].join(', '),
	});
}

/** The link to a report, if it leads over a private connection and shows no other host before an @. Else what it says. */
export function linkRows(value: unknown): Row[] {
	const url = typeof value === 'string' ? parseUrl(value) : undefined;
	const isSafe =
		url && isPrivate(url) && !url.username && !url.password && url.href.length <= 2_000;
	return isSafe ? [{ label: 'Report', url: url.href }] : [row('Report', value)];
}

/** A value in a sentence of this package. A text of more than one plain word stands in quotation marks. */
export function word(value: unknown, longest = 24): string {
	const shown = show(value, longest);
	const isWord = !isGiven(value) || typeof value === 'number' || /^[\p{L}\p{N}]+$/u.test(shown);
	return isWord ? shown : inQuotes(shown);
}

/** Letters and digits, perhaps after the name of a format. */
const addressLike = /^(?:[a-z]{2,20}:)?(?=[a-z]*\d)[a-z\d]+$/i;

/** An address as it is. What does not look like one stands in quotation marks. */
export function addressText(value: unknown): string {
	const shown = show(value, 254);
	return addressLike.test(shown) || !isGiven(value) ? shown : inQuotes(shown);
}

export const row = (label: string, value: unknown, longest = 300): Row => ({
	label,
	value: show(value, longest),
});

/** A row for each value that is given, by its label. */
export const givenRows = (values: Fields): Row[] =>
	Object.entries(values).flatMap(([label, value]) => (isGiven(value) ? [row(label, value)] : []));

function toneOf(level: unknown, { outcome, sanctions }: Partial<Decision> = {}): Tone {
	if (outcome === 'block' || sanctions) return 'bad';
	if (outcome === 'review') return 'caution';
	if (isGreen(level)) return 'good';
	return outcome === undefined && sameName(level, 'red') ? 'bad' : 'caution';
}

/** The reasons to block come first, so that none is left out for a lesser one. */
function reasonRows({ reasons }: Pick<Decision, 'reasons'>): Row[] {
	if (reasons.length === 0) return [{ value: 'No rule applies' }];
	return cut(sortWorstFirst(reasons), 8, (reason) => ({
		value: clip(describeReason(reason), 300),
	}));
}

/** Section 2.3: the highest first, and what speaks for the address at the end. */
function categoryRows(report: ReportValues, tone: Tone): Row[] {
	const risks = risksOf(report);
	const color = tone === 'good' ? undefined : tone;
	const signs = Object.entries(categoriesOf(report)).filter(([key]) => key === goodSign);
	return [
		...cut(risks, 24, (risk) => categoryRow(risk, color)),
		...(risks.length === 0 ? [{ value: 'not given' }] : []),
		...signs.map(([key, value]) => categoryRow({ key, value }, 'good')),
	];
}

function categoryRow({ key, value }: CategoryValue, tone: Tone | undefined): Row {
	const share = isNumber(value) ? Math.min(1, Math.max(0, value)) : undefined;
	// A name with a text behind it could pass for a line of this package.
	const words = share === undefined && isGiven(value) ? undefined : inWords(key);
	const name = clip(capitalized(words ?? inQuotes(show(key, 38))), 40);
	const label = key === goodSign ? `${name} (good sign)` : name;
	return { label, value: show(value, 48), share, tone };
}

/** The first ones as rows, and how many more there are. */
export function cut<T>(all: readonly T[], most: number, rowOf: (one: T) => Row): Row[] {
	const left = all.length - most;
	const first = all.slice(0, most).map(rowOf);
	return left > 0 ? [...first, { value: `… and ${left} more` }] : first;
}
