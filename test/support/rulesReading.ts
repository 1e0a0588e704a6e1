/**
 * A second reading of the rules, written from their public description and without the code of the nodes. It shares nothing
 * with it, so that a mistake in one is a difference between the two.
 */

type Fields = Record<string, any>;

const isObject = (value: unknown): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
const isMissing = (value: unknown) =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
const isText = (value: unknown): value is string => typeof value === 'string' && !isMissing(value);
const isNumber = (value: unknown): value is number => Number.isFinite(value);
const fold = (text: string) => text.trim().toLowerCase();
const own = (fields: unknown, name: string): unknown =>
	isObject(fields) && Object.hasOwn(fields, name) ? fields[name] : undefined;

/** What is known when a decision is made; `report` is a whole one. */
interface Known {
	report: Fields;
	at: Date;
	askedChain: string;
	input: Fields;
}

/**
 * The outcome and the reasons in order, each as the node gives it, but with a yes for its problem. The policy is one that the
 * node accepts.
 */
export function readDecision(policy: Fields, known: Known) {
	const { rules = [], exceptions = [], lists = [] } = policy;
	const otherwise = policy.otherwise ?? 'allowGreen';
	const { report, at, askedChain } = known;
	const today = at.toISOString().slice(0, 10);
	const reasons: Fields[] = [];
	if (!isMissing(askedChain) && !sameText(report.chain, askedChain)) {
		const actual = typeof report.chain === 'string' ? report.chain : null;
		const about = { field: 'chain', operator: 'equals', value: askedChain, actual };
		reasons.push({ ...about, outcome: 'review', problem: true });
	}
	const exception = exceptions.find(
		({ address, chain, until }: Fields) =>
			sameAddress(address, report.address) &&
			(isMissing(chain) || sameText(chain, report.chain)) &&
			today <= until.trim(),
	);
	for (const rule of rules) {
		const all = (rule.all ?? [rule]).map((condition: Fields) => look(condition, known));
		const seen = all.map(({ seen: each }: Fields) => each);
		const what = seen.length === 1 ? seen[0] : { all: seen };
		if (all.some(({ fires }: Fields) => fires === undefined)) {
			reasons.push({ ...what, outcome: 'review', problem: true });
		} else if (all.every(({ fires }: Fields) => fires)) {
			const waives = exception && ['true', true].includes(rule.mayBeWaived);
			const { until, reason, approvedBy } = exception ?? {};
			const waived_by = { until, reason, approved_by: approvedBy };
			reasons.push({ ...what, outcome: rule.outcome, ...(waives && { waived_by }) });
		}
	}
	for (const { name, outcome: asked, addresses, as_of, max_age_days } of lists) {
		const list = name.trim();
		const days = (at.getTime() - Date.parse(as_of ?? at.toISOString())) / 86_400_000;
		if (addresses.some((each: string) => sameAddress(each.trim(), report.address))) {
			reasons.push({ list, outcome: asked });
		} else if (addresses.length === 0 || days < -1 || days > (max_age_days ?? Infinity)) {
			reasons.push({ list, outcome: 'review', problem: true });
		}
	}
	if (!worst(reasons) && otherwise === 'review') {
		reasons.push({ outcome: 'review', otherwise: true });
	}
	if (!worst(reasons) && otherwise === 'allowGreen') {
		const green = { field: 'level', operator: 'notEquals', value: 'green' };
		const { seen, fires } = look(green, known);
		const problem = fires === undefined && { problem: true };
		if (fires !== false) reasons.push({ ...seen, outcome: 'review', otherwise: true, ...problem });
	}
	return { outcome: worst(reasons) ?? 'allow', reasons };
}

function worst(reasons: Fields[]) {
	const counted = reasons.filter(({ waived_by }) => !waived_by).map(({ outcome: each }) => each);
	return ['block', 'review'].find((each) => counted.includes(each));
}

/** What a condition sees, and whether it holds: undefined if nobody can say. */
function look({ field, categoryKey, operator, value }: Fields, { report, input }: Known) {
	const name = isObject(field) ? field.input.trim() : (categoryKey?.trim() ?? field);
	const isOfText = field === 'level' || (isObject(field) && typeof value === 'string');
	const asked = isOfText ? value.trim() : Number(value);
	let actual: any = own(report.risk.categories, name);
	if (isObject(field)) actual = own(input, name);
	if (field === 'level' || field === 'score') actual = report.risk[name];
	if (field === 'tx_count') actual = report.tx_count;
	const seen = { field: isObject(field) ? { input: name } : name, operator, value: asked };
	if (isOfText ? !isText(actual) : !isNumber(actual)) {
		return { seen: { ...seen, actual: null }, fires: undefined };
	}
	const isSame = isOfText ? fold(actual) === fold(asked) : actual === asked;
	const answers = {
		equals: isSame,
		notEquals: !isSame,
		gte: actual >= asked,
		lte: actual <= asked,
	};
	return { seen: { ...seen, actual }, fires: answers[operator as keyof typeof answers] };
}

function sameText(one: unknown, other: unknown): boolean {
	return isText(one) && isText(other) && fold(one) === fold(other);
}

function sameAddress(one: unknown, other: unknown): boolean {
	const caseless = /^(0x|(bc|tb|ltc|tltc|addr|cosmos|bnb)1)/i;
	const key = (text: unknown) => (caseless.test(String(text)) ? fold(String(text)) : text);
	return isText(one) && isText(other) && key(one) === key(other);
}
