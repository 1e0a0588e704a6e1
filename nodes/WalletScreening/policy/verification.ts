import { type AnyReport, extractReport } from '../answers/report';
import { valueAt } from '../shared/fieldPath';
import { hasValue, type JsonObject, objectIn } from '../shared/json';
import { formatValue } from '../shared/text';
import { isSameCell, isSameFlag } from './cells';
import { compareWithRemade, type PdfToVerify } from './remadeEvidence';

/*
 * An item, held against its evidence: `remadeEvidence.ts` finds out whether the evidence is right in
 * itself, and `cells.ts` compares the fields of the item, which may come from a sheet.
 */

/** What a verification finds. */
interface Verification {
	valid: boolean;
	/** A sentence for each thing that does not fit. */
	findings: string[];
}

/** The fields of the node that have a comparison of their own. */
const namesWithOwnComparison = ['report', 'sanctions', 'error_class'];

/**
 * Verifies an item with its report against its evidence, by making the evidence again from the
 * report. Each field of the item that has the name of a field of the node, or of a column of a log,
 * has to have the value of the evidence or of the report; a field that the item lacks is not
 * compared.
 */
export function verifyEvidence(
	item: JsonObject,
	report: AnyReport,
	pdf: PdfToVerify,
): Verification {
	const evidence = objectIn(item.evidence);
	if (!evidence) return { valid: false, findings: ['The item contains no evidence.'] };
	const ofEvidence = valuesOfEvidence(evidence);
	const ofReport = valuesOfReport(evidence, report);
	const namesOfNode = Object.keys({ ...ofEvidence, ...ofReport }).concat(namesWithOwnComparison);
	const findings = [
		...compareWithRemade(evidence, report, pdf),
		...findDifferences(item, ofEvidence, 'the evidence'),
		...compareSanctionsMark(item, evidence),
		...compareErrorClass(item),
		...findDifferences(item, ofReport, 'the report'),
		...findDifferences(
			item,
			valuesOfInput(evidence, namesOfNode),
			'the value that the rules compared',
		),
	];
	if (pdf === 'missing') findings.push('The item has no PDF.');
	return { valid: findings.length === 0, findings };
}

/** The values that an item has to have by its evidence. Undefined stands for an empty field. */
function valuesOfEvidence({ decision, policy, reference, asked_chain }: JsonObject): JsonObject {
	const { outcome, summary, reasons } = objectIn(decision) ?? {};
	const { name, version } = objectIn(policy) ?? {};
	// Without a policy, a column `policy` is not the node's.
	const columns = hasValue(policy) && { policy: name, policy_version: version };
	return { outcome, summary, reasons, reference, asked_chain, ...columns };
}

/** The values that an item has to have by its report. Undefined stands for an empty field. */
function valuesOfReport(evidence: JsonObject, report: AnyReport): JsonObject {
	const { address, chain, risk, report_id, report_url } = report;
	const extract = hasValue(evidence.report) && extractReport(report);
	const { level, score } = risk;
	return { ...extract, level, score, address, chain, report_id, report_url };
}

/**
 * The values that the rules compared and that the item still has to have. A field of the node
 * replaces the one of the input item with its name.
 */
function valuesOfInput({ inputs }: JsonObject, namesOfNode: string[]): JsonObject {
	const kept = Object.entries(objectIn(inputs) ?? {}).filter(
		([path]) => !namesOfNode.includes(path.split('.')[0]!),
	);
	return Object.fromEntries(kept);
}

/** The mark of a sanctions hit is true or absent. In a table an absent one is false or empty. */
function compareSanctionsMark({ sanctions }: JsonObject, { decision }: JsonObject): string[] {
	if (sanctions === undefined) return [];
	const isMarked = objectIn(decision)?.sanctions === true;
	const isSame = isSameFlag(sanctions, isMarked) || (!isMarked && !hasValue(sanctions));
	return isSame ? [] : ["'sanctions' of the item differs from the evidence."];
}

/** An address with evidence was screened, so no log may have an error for it. */
function compareErrorClass({ error_class }: JsonObject): string[] {
	return hasValue(error_class)
		? ["'error_class' of the item is not empty, but its address was screened."]
		: [];
}

/**
 * A finding for each field that the item has with another value than the expected one; `source`
 * completes "differs from".
 */
function findDifferences(item: JsonObject, expected: JsonObject, source: string): string[] {
	const findings: string[] = [];
	for (const [path, value] of Object.entries(expected)) {
		const found = valueAt(item, path);
		// An item may lack any field.
		if (found === undefined || isSameCell(path, found, value)) continue;
		findings.push(`'${formatValue(path, 60)}' of the item differs from ${source}.`);
	}
	return findings;
}
