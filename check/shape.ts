/** What a body looks like without its values: the names, the types, and the words of states. */
export type Shape = string | Shape[] | { [name: string]: Shape };

const stateName = /^(?:.*[_-])?(?:status|state|phase|stage|event)$|(?:Status|State|Phase)$/;
/** Letters only: neither an ID, nor a number, nor an address. */
const word = /^[A-Za-z](?:[A-Za-z]|[ _.-](?=[A-Za-z])){0,39}$/;
/** What belongs to a person may have a state too. */
const personal = /customer|user|account|owner|billing|holder|contact|person|location/i;
/** Characters: an address of a known format has more in a row. */
const longestWord = 24;
const deepest = 8;
const mostNames = 60;

/** Whether a field of this name holds a state. */
export const isStateName = (name: string) => stateName.test(name);

/** Whether a name may be shown: objects may be keyed by addresses, e-mail addresses and IDs. */
export function isPlainName(name: string): boolean {
	const digits = name.replace(/\D/g, '').length;
	const isLong = name.split(/[^A-Za-z\d]/).some(({ length }) => length > longestWord);
	return /^[$@]?[A-Za-z_][\w.:-]{0,39}$/.test(name) && digits <= 3 && !isLong;
}

/** A name of the service that is shown, or what stands for it. */
export function shownName(name: string): string {
	return isPlainName(name) ? name : '(a value used as a name)';
}

/** Equal shapes in a list or under values used as names are shown once. */
export function shapeOf(value: unknown, name = '', depth = deepest): Shape {
	if (value === null) return 'null';
	if (typeof value === 'string') {
		if (stateName.test(name) && word.test(value)) return `= ${value}`;
		return value === '' ? 'empty text' : 'text';
	}
	if (typeof value === 'boolean') return `= ${value}`;
	if (typeof value !== 'object') return typeof value;
	if (depth === 0) return 'more';
	if (Array.isArray(value)) {
		const shapes = value.map((one) => shapeOf(one, '', depth - 1));
		return [`${value.length} in this list`, ...unique(shapes)];
	}
	const fields = Object.entries(value).slice(0, mostNames);
	const plain = fields.filter(([key]) => isPlainName(key));
	const inner = (key: string, part: unknown) =>
		shapeOf(part, personal.test(key) || personal.test(name) ? 'personal' : key, depth - 1);
	const shape = Object.fromEntries(plain.map(([key, part]) => [key, inner(key, part)]));
	const keyed = unique(
		fields.filter(([key]) => !isPlainName(key)).map(([, part]) => shapeOf(part, '', depth - 1)),
	);
	return keyed.length === 0 ? shape : { ...shape, [shownName(' ')]: keyed };
}

function unique(shapes: Shape[]): Shape[] {
	const seen = new Map(shapes.map((shape) => [JSON.stringify(shape), shape]));
	return [...seen.values()];
}

/** The words of the states in a body, except in its lists. */
export function statesIn(body: unknown, name = ''): string[] {
	if (typeof body === 'string') return stateName.test(name) && word.test(body) ? [body] : [];
	if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
	return Object.entries(body)
		.filter(([key]) => isPlainName(key) && !personal.test(key))
		.flatMap(([key, part]) => statesIn(part, key));
}

/** The names that lead to a value, e.g. `job.id`; undefined if it is not there. */
export function placeOf(value: unknown, body: unknown): string | undefined {
	if (typeof body !== 'object' || body === null) return undefined;
	for (const [name, part] of Object.entries(body)) {
		if (String(part) === value && typeof part !== 'object') return shownName(name);
		const inner = placeOf(value, part);
		if (inner !== undefined) return `${shownName(name)}.${inner}`;
	}
	return undefined;
}
