import type { INodePropertyOptions } from 'n8n-workflow';
import type { ReportExtract } from '../answers/report';
import { choice } from './fields';
import type { ReportItem } from './outputItems';

/*
 * The fields of a report item, and what becomes of each: which of them leave the node in each form
 * of the item (whole, simplified, or for an agent), and which stay from an input item beside a
 * failure or a new decision. `reportFieldTraits` is the one table of it.
 */

/** A field of a report item. Compare and Verify add `change` and `verification` to theirs. */
type ReportFieldName = keyof ReportItem | keyof ReportExtract | 'change' | 'verification';

/**
 * When a field of the input item stays beside a failure:
 *
 * - `always`
 * - `ifOperationWorksOnItem`: otherwise the field may be of an earlier screening
 * - `ifInputIsFailure`: the operation works on the item, which already stood for a failure
 */
export type StayCondition = 'always' | 'ifOperationWorksOnItem' | 'ifInputIsFailure';

/** What becomes of a field. A missing trait means no. */
interface ReportFieldTraits {
	/** Only one form of the item has the field; without this, both have it. */
	onlyIn?: 'whole' | 'simplified';
	/** The label under which the user can select the field for an agent. */
	agentLabel?: string;
	/** An agent gets it in any case: the ID of the report, and what speaks against an address. */
	alwaysForAgent?: true;
	/** Without this, the field never stays beside a failure: it would be a verdict on what failed. */
	staysBesideFailure?: StayCondition;
	/** A new decision on the report keeps this field. It replaces or removes every other one. */
	staysIfDecidedAgain?: true;
}

/**
 * The fields of a report item in their order: the verdict first, then what the service sent.
 *
 * @example `reasons: { onlyIn: 'whole', agentLabel: 'Reasons' }`: a whole item has the reasons, a
 * simplified one lacks them, an agent gets them if they are selected, and they never stay beside a
 * failure.
 */
const reportFieldTraits: Record<ReportFieldName, ReportFieldTraits> = {
	outcome: { agentLabel: 'Outcome', alwaysForAgent: true },
	sanctions: { alwaysForAgent: true },
	summary: { agentLabel: 'Summary' },
	level: { agentLabel: 'Level' },
	score: { agentLabel: 'Score' },
	address: { agentLabel: 'Address', staysBesideFailure: 'always' },
	chain: { agentLabel: 'Chain', staysBesideFailure: 'always' },
	asked_chain: { alwaysForAgent: true },
	reference: { agentLabel: 'Reference', staysBesideFailure: 'always' },
	highest_category: {
		onlyIn: 'simplified',
		agentLabel: 'Highest Category',
		staysIfDecidedAgain: true,
	},
	highest_score: { onlyIn: 'simplified', agentLabel: 'Highest Score', staysIfDecidedAgain: true },
	report_id: {
		onlyIn: 'simplified',
		agentLabel: 'Report ID',
		alwaysForAgent: true,
		staysBesideFailure: 'always',
		staysIfDecidedAgain: true,
	},
	report_url: {
		onlyIn: 'simplified',
		agentLabel: 'Report URL',
		staysBesideFailure: 'always',
		staysIfDecidedAgain: true,
	},
	report: {
		onlyIn: 'whole',
		agentLabel: 'Report',
		staysBesideFailure: 'ifOperationWorksOnItem',
		staysIfDecidedAgain: true,
	},
	reasons: { onlyIn: 'whole', agentLabel: 'Reasons' },
	change: { staysIfDecidedAgain: true },
	alert: { agentLabel: 'Alert', staysBesideFailure: 'ifInputIsFailure' },
	evidence: { agentLabel: 'Evidence', staysBesideFailure: 'ifOperationWorksOnItem' },
	verification: {},
};

export const reportFields = Object.keys(reportFieldTraits) as ReportFieldName[];

/** Lists the fields of a report item for whose traits the condition holds, in their order. */
const reportFieldsIf = (condition: (traits: ReportFieldTraits) => boolean): ReportFieldName[] =>
	reportFields.filter((name) => condition(reportFieldTraits[name]));

/** The fields that a simplified item lacks. */
export const fieldsOnlyInWhole: readonly string[] = reportFieldsIf(
	({ onlyIn }) => onlyIn === 'whole',
);

/** The fields of a simplified item that a whole one has only in its report. */
export const fieldsOnlyInSimplified: readonly string[] = reportFieldsIf(
	({ onlyIn }) => onlyIn === 'simplified',
);

/** The fields that an agent gets, whichever are selected. */
export const fieldsAlwaysForAgent: readonly string[] = reportFieldsIf(
	({ alwaysForAgent }) => alwaysForAgent === true,
);

/** The fields that the user can select for an agent, in the order of their labels. */
export const fieldsSelectableForAgent: INodePropertyOptions[] = reportFields
	.flatMap((name) => {
		const { agentLabel } = reportFieldTraits[name];
		return agentLabel === undefined ? [] : [choice(agentLabel, name)];
	})
	.sort((one, other) => (one.name < other.name ? -1 : 1));

/** The fields that a new decision replaces or removes. */
export const fieldsOfDecision: readonly string[] = reportFieldsIf(
	({ staysIfDecidedAgain }) => !staysIfDecidedAgain,
);

/** Lists the fields of an input item that do not stay beside a failure. */
export function fieldsAbsentBesideFailure(
	conditions: Readonly<Record<StayCondition, boolean>>,
): readonly string[] {
	return reportFieldsIf(
		({ staysBesideFailure }) => !staysBesideFailure || !conditions[staysBesideFailure],
	);
}
