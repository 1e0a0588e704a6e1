import {
	type AnyReport,
	categoriesOf,
	type CategoryValue,
	favourableCategory,
	risksOf,
} from '../answers/report';
import { isAllClear } from '../policy/allClear';
import type { Decision } from '../policy/decision';
import { sortWorstFirst } from '../policy/reason';
import { describeReason, describeSanctionsHit } from '../policy/reasonText';
import { hasValue, isNumber, type JsonObject, objectIn } from '../shared/json';
import { inQuotes } from '../shared/neutralize';
import {
	capitalize,
	clip,
	equalsIgnoringCase,
	formatKey,
	formatValue,
	shortenAddress,
} from '../shared/text';
import type { Row, ShareRow, Tone, ValueRow } from './message';
import { type Alert, renderMessage } from './render';
import {
	contextRows,
	createLinkRow,
	createRow,
	createSentence,
	firstRowsAndCount,
	formatAddress,
	formatInSentence,
	type MessageContext,
	rowsFor,
} from './rows';
import { addressOf } from './standing';

/** The decision on a report, without the words for people. */
type AlertDecision = Omit<Decision, 'summary'>;

interface AlertContext extends MessageContext {
	decision?: AlertDecision | undefined;
}

interface FailureContext extends MessageContext {
	/** What failed: a screening, or a decision on a report in hand, which needs no new screening. */
	failedStep?: 'screening' | 'decision';
}

/**
 * Makes the alert on a report (section 2.1) and its decision. It never throws, and the alert is of
 * bounded size. No value of the report can pass for anything but a value.
 */
export function createAlert(report: AnyReport, { decision, ...context }: AlertContext = {}): Alert {
	const { risk, chain } = report;
	const tone = toneOfReport(risk.level, context.askedChain, decision);
	const verdictWithoutDecision = tone === 'good' ? 'Screened' : 'Attention';
	const verdict = decision ? capitalize(decision.outcome) : verdictWithoutDecision;
	const wallet = hasValue(chain) ? `${formatInSentence(chain, 16)} wallet` : 'wallet';
	const level = formatInSentence(risk.level);
	const score = formatInSentence(risk.score);
	const address = formatAddress(report.address);
	const hit = decision && describeSanctionsHit(decision.reasons);
	const walletWithHit = hit === undefined ? wallet : `${hit} – ${wallet}`;
	return renderMessage({
		title: `${verdict}: ${walletWithHit} ${shortenAddress(address)} is ${level} (score ${score})`,
		tone,
		badge: verdict,
		headline: `${capitalize(walletWithHit)} is ${level}, score\u00a0${score}`,
		sections: [
			{ rows: [{ kind: 'value', label: 'Address', value: address }, ...contextRows(context)] },
			...(decision
				? [{ heading: `Decision: ${decision.outcome}`, rows: decisionRows(decision) }]
				: []),
			{ heading: 'Risk categories', rows: categoryRows(report, tone) },
			{ heading: 'Details', rows: detailRows(report) },
		],
	});
}

/**
 * Makes the alert on an error item `{ error, address?, details }`. The promises of `createAlert`
 * hold for it, too.
 */
export function createFailureAlert(
	item: JsonObject,
	{ failedStep = 'screening', ...context }: FailureContext = {},
): Alert {
	const known = objectIn(item.details) ?? {};
	const address = addressOf(item);
	const addressShown = hasValue(address) ? formatAddress(address) : undefined;
	const message = formatValue(item.error, 300);
	const jobs = [known.job_id ?? known.job_ids].flat().filter((id) => typeof id === 'string');
	const verdictWithoutReport = failedStep === 'decision' ? 'Not decided' : 'Not screened';
	// If the details hold a report, something after the screening failed.
	const verdict = hasValue(known.level) ? 'Failed' : verdictWithoutReport;
	const wallet = addressShown === undefined ? '' : `wallet ${shortenAddress(addressShown)}: `;
	const rows = [
		...rowsFor({ Error: message, Address: addressShown }),
		...contextRows(context),
		...rowsFor({
			'What to do': known.description,
			Decision: known.summary,
			'Error class': known.errorClass,
			'HTTP status': known.httpCode,
			'Report ID': known.report_id,
			'Job ID': jobs.join(', '),
		}),
	];
	const title = `${verdict}: ${wallet}${message}`;
	return renderMessage({
		title,
		tone: 'bad',
		badge: verdict,
		headline: message,
		sections: [{ rows }],
	});
}

function toneOfReport(
	level: unknown,
	askedChain: unknown,
	{ outcome, sanctions }: Partial<AlertDecision> = {},
): Tone {
	if (outcome === 'block' || sanctions) return 'bad';
	if (isAllClear({ level, asked_chain: askedChain, outcome })) return 'good';
	// A level on another chain says nothing of the one that was asked for.
	const isRed = equalsIgnoringCase(level, 'red') && !hasValue(askedChain);
	return isRed && outcome === undefined ? 'bad' : 'caution';
}

/** The reasons to block come first, so that none is left out for a lesser one. */
function decisionRows({ reasons }: AlertDecision): Row[] {
	if (reasons.length === 0) return [createSentence('No rule applies')];
	return firstRowsAndCount(sortWorstFirst(reasons), 8, (reason) =>
		createSentence(clip(describeReason(reason), 300)),
	);
}

/** The highest category (section 2.3) comes first, and the good sign last. */
function categoryRows(report: AnyReport, tone: Tone): Row[] {
	const risks = risksOf(report);
	const barTone = tone === 'good' ? undefined : tone;
	const categories = categoriesOf(report);
	const rows = firstRowsAndCount(risks, 24, (risk) => categoryRow(risk, barTone));
	if (risks.length === 0) rows.push(createSentence('not given'));
	if (Object.hasOwn(categories, favourableCategory)) {
		rows.push(
			categoryRow({ key: favourableCategory, value: categories[favourableCategory] }, 'good'),
		);
	}
	return rows;
}

function categoryRow({ key, value }: CategoryValue, tone: Tone | undefined): ValueRow | ShareRow {
	const row = createRow(labelOfCategory(key, value), value, 48);
	if (!isNumber(value)) return row;
	return { ...row, kind: 'share', share: Math.min(1, Math.max(0, value)), tone };
}

function labelOfCategory(key: string, value: unknown): string {
	// Without quotation marks, an invented category with a text could look like a line that this
	// package wrote.
	const needsQuotes = hasValue(value) && !isNumber(value);
	const plainName = needsQuotes ? undefined : formatKey(key);
	// A name has 40 characters at most, with its quotation marks.
	const name = clip(capitalize(plainName ?? inQuotes(formatValue(key, 38))), 40);
	return key === favourableCategory ? `${name} (good sign)` : name;
}

const detailRows = (report: AnyReport): Row[] => [
	createRow('Chain', report.chain),
	createRow('Balance', report.balance),
	createRow('Transactions', report.tx_count),
	createRow('Report ID', report.report_id),
	createLinkRow(report.report_url),
];
