/**
 * A second reading of docs/decision-rules.md and docs/monitoring.md, written from the documents and without the code
 * of the nodes. It shares nothing with it, so that a mistake in one is a difference between the two.
 */

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
const own = (fields: Fields, name: string): unknown =>
	Object.hasOwn(fields, name) ? fields[name] : undefined;
const isMissing = (value: unknown) =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
const isText = (value: unknown): value is string => typeof value === 'string' && !isMissing(value);
const isNumber = (value: unknown): value is number => Number.isFinite(value);
const fold = (text: string) => text.trim().toLowerCase();

/** The object that a JSON text is; every other value as it stands. */
function ofText(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	try {
		const read: unknown = JSON.parse(value);
		return isObject(read) && !hasTwins(value) ? read : value;
	} catch {
		return value;
	}
}

/** Whether a name stands twice in one object of a JSON text: then more members are written than are read. */
function hasTwins(text: string): boolean {
	const membersOf = (value: unknown): number =>
		typeof value === 'object' && value !== null
			? (Array.isArray(value) ? 0 : Object.keys(value).length) +
				Object.values(value).reduce<number>((sum, each) => sum + membersOf(each), 0)
			: 0;
	const withoutTexts = text.replace(/"(?:[^"\\]|\\.)*"/g, '');
	return withoutTexts.split(':').length - 1 !== membersOf(JSON.parse(text));
}

/** What the rules look at, wherever a whole or a simplified report keeps it. */
interface Values {
	address: unknown;
	chain: unknown;
	level: unknown;
	score: unknown;
	categories: unknown;
}

/** Undefined if `value` is no report. */
export function valuesOf(value: unknown): Values | undefined {
	const report = ofText(value);
	if (!isObject(report) || !isText(report.address)) return undefined;
	const { address, chain } = report;
	const risk = ofText(own(report, 'risk'));
	const { risk_level, risk_score, risk_categories } = report;
	const simplified = { level: risk_level, score: risk_score, categories: ofText(risk_categories) };
	if (isObject(risk)) {
		const whole = { level: risk.level, score: risk.score, categories: ofText(risk.categories) };
		const names = Object.keys(whole) as Array<keyof typeof whole>;
		if (
			names.some((name) => simplified[name] !== undefined && !equal(simplified[name], whole[name]))
		) {
			return undefined;
		}
		return { address, chain, ...whole };
	}
	if (own(report, 'risk') !== undefined) return undefined;
	const names = ['risk_level', 'risk_score', 'risk_categories'];
	if (!names.some((name) => Object.hasOwn(report, name))) return undefined;
	return { address, chain, ...simplified };
}

function equal(one: unknown, other: unknown): boolean {
	if (!isObject(one) || !isObject(other)) {
		if (Array.isArray(one) && Array.isArray(other)) return String(one) === String(other);
		return one === other;
	}
	const names = Object.keys(one);
	return (
		names.length === Object.keys(other).length &&
		names.every((name) => Object.hasOwn(other, name) && equal(one[name], other[name]))
	);
}

interface Rule {
	field: string;
	operator: string;
	value: string | number;
	outcome: 'review' | 'block';
	mayBeWaived: boolean;
}

interface Exception {
	address: string;
	chain?: string;
	until: string;
	reason: string;
	approvedBy: string;
}

export interface ReadPolicy {
	rules: Rule[];
	exceptions: Exception[];
}

const categories = ['sanctions', 'darknet', 'mixer', 'scam', 'stolen', 'clean_exchange'];

/** A policy in JSON, a text, an object or a list; undefined if the node has to refuse it. */
export function readPolicy(json: unknown): ReadPolicy | undefined {
	if (typeof json === 'string') return hasTwins(json) ? undefined : readPolicy(JSON.parse(json));
	const policy = Array.isArray(json) ? { rules: json as unknown[] } : withoutNulls(json);
	if (!isObject(policy) || !onlyNames(policy, ['name', 'version', 'rules', 'exceptions'])) {
		return undefined;
	}
	const { name, version, rules, exceptions = [] } = policy;
	if (name !== undefined && typeof name !== 'string') return undefined;
	if (version !== undefined && typeof version !== 'string' && !isNumber(version)) return undefined;
	if (!Array.isArray(rules) || rules.length === 0 || !Array.isArray(exceptions)) return undefined;
	const read = { rules: rules.map(readRule), exceptions: exceptions.map(readException) };
	if (read.rules.includes(undefined) || read.exceptions.includes(undefined)) return undefined;
	return read as ReadPolicy;
}

/** Null counts as missing. */
function withoutNulls(value: unknown): unknown {
	if (!isObject(value)) return value;
	return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null));
}

function onlyNames(fields: Fields, names: string[]) {
	return Object.keys(fields).every((name) => names.includes(name));
}

function readRule(given: unknown): Rule | undefined {
	const rule = withoutNulls(given);
	const names = ['field', 'operator', 'value', 'outcome', 'categoryKey', 'mayBeWaived'];
	if (!isObject(rule) || !onlyNames(rule, names)) return undefined;
	const { field, operator, value, outcome, categoryKey } = rule;
	const words: unknown[] = [false, 'false', true, 'true'];
	const word = rule.mayBeWaived ?? false;
	if (!words.includes(word)) return undefined;
	const mayBeWaived = word === true || word === 'true';
	if (outcome !== 'review' && outcome !== 'block') return undefined;
	if (typeof operator !== 'string') return undefined;
	if (field === 'level') {
		if (!['equals', 'notEquals'].includes(operator) || !isText(value)) return undefined;
		return { field, operator, value: value.trim(), outcome, mayBeWaived };
	}
	if (!['equals', 'notEquals', 'gte', 'lte'].includes(operator)) return undefined;
	const number = readNumber(value);
	const category = field === 'other' ? categoryKey : field;
	if (number === undefined || !isText(category)) return undefined;
	if (field !== 'other' && field !== 'score' && !categories.includes(category)) return undefined;
	// A category may be called score: the reason says the same name, the value is another.
	const key = field === 'score' ? 'score' : `category ${category}`;
	return { field: key, operator, value: number, outcome, mayBeWaived };
}

function readNumber(value: unknown): number | undefined {
	if (typeof value === 'string' && !/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value)) {
		return undefined;
	}
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	return isNumber(Number(value)) ? Number(value) : undefined;
}

function readException(given: unknown): Exception | undefined {
	const exception = withoutNulls(given);
	const names = ['address', 'chain', 'until', 'reason', 'approvedBy'];
	if (!isObject(exception) || !onlyNames(exception, names)) return undefined;
	const { address, chain, until, reason, approvedBy } = exception;
	if (!isText(address) || !isText(reason) || !isText(approvedBy)) return undefined;
	if (chain !== undefined && typeof chain !== 'string') return undefined;
	if (!isText(until) || !isDay(until)) return undefined;
	return { address, chain, until, reason, approvedBy } as Exception;
}

function isDay(until: string) {
	const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(until)?.map(Number) ?? [];
	if (year === undefined || month === undefined || day === undefined) return false;
	const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
	const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
	return day >= 1 && day <= days;
}

export interface ReadReason {
	field: string;
	operator: string;
	value: unknown;
	actual: unknown;
	outcome: string;
	/** Whether the value could not be checked. */
	problem: boolean;
	waivedBy?: { until: string; reason: string; approved_by: string };
}

/** The decision on a report, with its reasons in order. */
export function readDecision(
	report: Values,
	{ rules, exceptions }: ReadPolicy,
	at: Date,
	askedChain: string,
): { outcome: string; reasons: ReadReason[] } {
	const reasons: ReadReason[] = [];
	if (!isMissing(askedChain) && !sameChain(report.chain, askedChain)) {
		reasons.push({
			field: 'chain',
			operator: 'equals',
			value: askedChain,
			actual: typeof report.chain === 'string' ? report.chain : null,
			outcome: 'review',
			problem: true,
		});
	}
	const exception = exceptions.find((each) => holds(each, report, at));
	for (const rule of rules) {
		const { operator, value, outcome } = rule;
		const field = rule.field.replace('category ', '');
		const actual = actualOf(report, rule.field);
		if (rule.field === 'level' ? !isText(actual) : !isNumber(actual)) {
			reasons.push({ field, operator, value, actual: null, outcome: 'review', problem: true });
		} else if (applies(rule, actual)) {
			const reason: ReadReason = { field, operator, value, actual, outcome, problem: false };
			if (exception && rule.mayBeWaived) {
				const { until, reason: why, approvedBy } = exception;
				reason.waivedBy = { until, reason: why, approved_by: approvedBy };
			}
			reasons.push(reason);
		}
	}
	const counting = reasons.filter(({ waivedBy }) => !waivedBy).map(({ outcome }) => outcome);
	const outcome = ['block', 'review'].find((each) => counting.includes(each)) ?? 'allow';
	return { outcome, reasons };
}

function actualOf(report: Values, field: string): unknown {
	if (field === 'level') return report.level;
	if (field === 'score') return report.score;
	const category = field.replace('category ', '');
	return isObject(report.categories) ? own(report.categories, category) : undefined;
}

function applies({ operator, value }: Rule, actual: unknown): boolean {
	if (typeof value === 'string') {
		return (fold(value) === fold(actual as string)) === (operator === 'equals');
	}
	const number = actual as number;
	if (operator === 'gte') return number >= value;
	if (operator === 'lte') return number <= value;
	return (number === value) === (operator === 'equals');
}

function holds(exception: Exception, { address, chain }: Values, at: Date): boolean {
	if (!isText(address) || !sameAddress(address, exception.address)) return false;
	if (!isMissing(exception.chain) && !sameChain(chain, exception.chain)) return false;
	return at.toISOString().slice(0, 10) <= exception.until;
}

function sameChain(one: unknown, other: unknown): boolean {
	return isText(one) && isText(other) && fold(one) === fold(other);
}

function sameAddress(one: string, other: string): boolean {
	const caseless = /^(0x|(bc|tb|ltc|tltc|addr|cosmos|bnb)1)/i;
	if (!caseless.test(one) || !caseless.test(other)) return one === other;
	return one.toLowerCase() === other.toLowerCase();
}

/** The kind of a change, and the names of the fields that differ. */
export function readChange(
	current: Values,
	earlier: unknown,
	scoreChange: number,
): { kind: string; fields: string[] } {
	if (isMissing(earlier)) return { kind: 'first', fields: [] };
	const before = valuesOf(earlier);
	if (!before) return { kind: 'unknown', fields: [] };

	const fields: string[] = [];
	const found = new Set<string>();
	const look = (field: string, differs: boolean, kind: string) => {
		if (differs || kind === 'unknown') fields.push(field);
		found.add(kind);
	};
	const otherAddress = !(
		isText(before.address) &&
		isText(current.address) &&
		sameAddress(before.address, current.address)
	);
	const otherChain = !(
		(isMissing(before.chain) && isMissing(current.chain)) ||
		sameChain(before.chain, current.chain)
	);
	look('address', otherAddress, otherAddress ? 'another' : 'same');
	look('chain', otherChain, otherChain ? 'another' : 'same');
	look('level', levelDiffers(before.level, current.level), levelKind(before.level, current.level));
	const score = numberKind(before.score, current.score, scoreChange, 'unknown');
	look('score', differ(before.score, current.score), score);
	if ([before, current].some(({ categories: each }) => !isMissing(each) && !isObject(each))) {
		look('categories', true, 'unknown');
	}
	const earlierOnes = isObject(before.categories) ? before.categories : {};
	const currentOnes = isObject(current.categories) ? current.categories : {};
	for (const name of [
		...new Set([...Object.keys(earlierOnes), ...Object.keys(currentOnes)]),
	].sort()) {
		const [then, now] = [own(earlierOnes, name), own(currentOnes, name)];
		const decides = name !== 'clean_exchange' && !(isMissing(then) && isMissing(now));
		look(name, differ(then, now), decides ? numberKind(then, now, scoreChange, 'same') : 'same');
	}
	if (found.has('another')) return { kind: 'unknown', fields };
	return { kind: ['worse', 'unknown', 'better'].find((kind) => found.has(kind)) ?? 'same', fields };
}

function levelDiffers(before: unknown, now: unknown) {
	if (isText(before) && isText(now)) return fold(before) !== fold(now);
	return differ(before, now);
}

function levelKind(before: unknown, now: unknown): string {
	if (!isText(now)) return 'unknown';
	if (isText(before) && fold(before) === fold(now)) return 'same';
	if (fold(now) !== 'green') return 'worse';
	return isText(before) ? 'better' : 'unknown';
}

/** `withoutRise` is the kind of a number that is new and did not rise. */
function numberKind(before: unknown, now: unknown, scoreChange: number, withoutRise: string) {
	if (!isNumber(now) || !(isNumber(before) || isMissing(before))) return 'unknown';
	const by = Number((now - (isNumber(before) ? before : 0)).toPrecision(12));
	if (by > scoreChange) return 'worse';
	if (!isNumber(before)) return withoutRise;
	return by < -scoreChange ? 'better' : 'same';
}

function differ(before: unknown, now: unknown): boolean {
	return written(before) !== written(now);
}

/** As JSON says it, with null for what is missing. */
function written(value: unknown) {
	return isMissing(value) ? 'null' : JSON.stringify(value);
}
