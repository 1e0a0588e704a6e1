import { type Fields, isFields } from '../../service/json';
import { show } from '../values';
import { numberIn, type Reader, readerOf, refusing } from './reading';

const operators = ['gte', 'lte', 'equals', 'notEquals'] as const;
const values = ['level', 'score', 'tx_count'] as const;
/** The categories of section 2.3. */
export const categories = ['clean_exchange', 'darknet', 'mixer', 'sanctions', 'scam', 'stolen'];
/** What a rule or a list asks for. */
export const strictnesses = ['review', 'block'] as const;

export type Operator = (typeof operators)[number];
/** What a rule looks at, as policies and reasons name it: a value of the report, or a field of the input item. */
export type Field = string | { input: string };
/** An outcome that holds if every condition does. */
export type Rule = ReturnType<typeof readRule>;

/** A comparison: of a text with a text, only for equality, or of a number with a number. */
export interface Condition {
	of: (typeof values)[number] | 'category' | 'input';
	/** The key of the category, or the name of the input item's field (dots for nested fields); else the same as `of`. */
	key: string;
	operator: Operator;
	value: string | number;
}

const ofCondition = ['field', 'categoryKey', 'operator', 'value'];
const ofRule = ['outcome', 'mayBeWaived'];
const advice = "A rule needs a 'field', an 'operator', a 'value' and an 'outcome'.";

/** The rule of this number. Throws `invalid_input`. */
export function readRule(given: unknown, number: number) {
	const refuse = refusing(`Rule ${number}`, advice);
	const hasAll = isFields(given) && (given.all ?? undefined) !== undefined;
	const reader = readerOf(given, [...(hasAll ? ['all'] : ofCondition), ...ofRule], refuse);
	const conditions = hasAll
		? reader.list('all', (one) => conditionOf(readerOf(one, ofCondition, refuse)))
		: [conditionOf(reader)];
	if (conditions.length === 0) throw refuse('has no condition', "Give conditions in 'all'.");
	const outcome = reader.word('outcome', strictnesses);
	/** Whether an exception can waive it. */
	return { conditions, outcome, mayBeWaived: reader.flag('mayBeWaived') };
}

function conditionOf(reader: Reader): Condition {
	const { refuse, value, filled, word } = reader;
	const subject = subjectOf(reader);
	const operator = word('operator', operators);
	const name = show(subject.key, 100);
	if (subject.of === 'level' || (subject.of === 'input' && typeof value('value') === 'string')) {
		if (operator === 'equals' || operator === 'notEquals') {
			return { ...subject, operator, value: filled('value') };
		}
		throw refuse(`compares the text '${name}' by size`, 'Compare a text with equals or notEquals.');
	}
	const number = numberIn(value('value'));
	if (number !== undefined) return { ...subject, operator, value: number };
	throw refuse(
		`compares '${name}' with a value that is not a number`,
		'Give a number, with a point for the decimals, e.g. 0.5.',
	);
}

function subjectOf({ refuse, value, text }: Reader): Pick<Condition, 'of' | 'key'> {
	const [field, categoryKey] = [value('field'), text('categoryKey')];
	if (field === 'other') {
		if (categoryKey !== '') return { of: 'category', key: categoryKey };
		throw refuse('names no category', 'Enter the name of the category.');
	}
	if (categoryKey !== '') {
		throw refuse("has a 'categoryKey', but not the field 'other'", 'Use both, or none of them.');
	}
	if (isFields(field)) {
		return { of: 'input', key: readerOf(field, ['input'], refuse).filled('input') };
	}
	const of = values.find((name) => name === field);
	if (of) return { of, key: of };
	const key = categories.find((name) => name === field);
	if (key) return { of: 'category', key };
	const known = [...values, ...categories].join(', ');
	throw refuse(
		`has an unknown field (${show(field, 100)})`,
		`Use ${known}, or other with the name of the category.`,
	);
}

/** What a condition looks at, as reasons name it. */
export function nameOf({ of, key }: Condition): Field {
	return of === 'input' ? { input: key } : key;
}

/** The rule as a policy in JSON says it. */
export function ruleRecord({ conditions, ...rest }: Rule): Fields {
	const all = conditions.map((condition) => {
		const { of, key, operator, value } = condition;
		const isOther = of === 'category' && !categories.includes(key);
		const field = isOther ? { field: 'other', categoryKey: key } : { field: nameOf(condition) };
		return { ...field, operator, value };
	});
	return { ...(all.length === 1 ? all[0] : { all }), ...rest };
}
