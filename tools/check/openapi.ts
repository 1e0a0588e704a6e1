import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { type ServiceNames } from '../../nodes/WalletScreening/service/reader/names';
import { createVocabulary } from '../../nodes/WalletScreening/service/reader/words';
import { type Fields, isFields } from '../../nodes/WalletScreening/service/json';
import { withMore } from './additions';

const deepest = 8;
const vocabulary = createVocabulary();
const root = { value: {}, path: '' };
const isId = (name: string) => vocabulary.idRank(name, root) >= 0;
const isState = (name: string) => ['state', 'like'].includes(vocabulary.meaningOf(name).role || '');
/** What a word may say of a job. */
const ofJobs = ['complete', 'success', 'partly', 'failed', 'running'];
/** Section 2.1. */
const ofReport = ['report_id', 'address', 'chain', 'risk', 'balance', 'tx_count', 'report_url'];

/**
 * Holds the names and words of the vendor's OpenAPI file (3.x) against the usual ones, without a request.
 *
 * @param say gets a sentence for each finding
 * @returns what the nodes have to know beside the usual names, as far as a file can show it
 * @throws an Error that says what is wrong with the file
 */
export async function checkFile(
	file: string,
	say: (finding: string) => void,
): Promise<ServiceNames> {
	const document = await read(file);
	let additions: ServiceNames = {};
	const propose = (more: ServiceNames) => {
		additions = withMore(additions, more) ?? additions;
	};
	const paths = Object.entries(document.paths as Fields);
	const answerOf = (method: string, end: RegExp) => {
		const [, item] = paths.find(([path]) => end.test(path)) ?? [];
		return schemasIn(document, isFields(item) ? item[method] : undefined);
	};

	const reports = answerOf('post', /\/screen$/);
	const fields = reports.flatMap((schema) => propertiesIn(document, schema));
	if (reports.length === 0) say('The file describes no answer to POST /v1/screen.');
	for (const name of ofReport.filter((one) => !fields.some((field) => field.name === one))) {
		if (reports.length > 0) say(`A report has no field "${name}".`);
	}
	const inCategories = fields.filter(({ path }) => path.endsWith('risk.categories'));
	const scores = inCategories.filter(({ schema }) => /number|integer/.test(String(schema.type)));
	const lacking = vocabulary.categories.filter((one) => !scores.some(({ name }) => name === one));
	if (scores.length > 0 && lacking.length > 0) {
		say(`A report has no category ${lacking.join(', ')}.`);
		additions = { ...additions, categories: scores.map(({ name }) => name) };
	}

	const handles = answerOf('post', /\/bulk$/).flatMap((schema) => propertiesIn(document, schema));
	const jobs = answerOf('get', /\/bulk\/[^/]+$/).flatMap((schema) =>
		propertiesIn(document, schema),
	);
	if (jobs.length === 0) say('The file describes no answer to GET /v1/bulk/{job_id}.');
	if (handles.length > 0 && !handles.some(({ name }) => isId(name))) {
		const id = handles.find(
			({ name, schema }) => schema.type === 'string' && /id|handle|ticket|key/i.test(name),
		);
		if (id) propose({ jobId: [id.name] });
		say(
			id
				? `The ID of a job may be "${id.name}".`
				: 'The answer to a submit has no known field for the ID of the job.',
		);
	}
	const ofResults = jobs.filter(
		({ schema }) => isFields(schema.items) && isReportLike(document, schema.items),
	);
	for (const { name, path, schema } of jobs) {
		const isOfResult = path.includes('risk') || ofResults.some((one) => path.endsWith(one.name));
		if (!Array.isArray(schema.enum) || isOfResult) continue;
		if (!isState(name)) {
			propose({ state: [name] });
			say(`"${name}" may be the state of a job.`);
		}
		const unknown = schema.enum.filter((word) => !ofJobs.includes(String(vocabulary.kindOf(word))));
		if (unknown.length > 0) {
			say(
				`The nodes do not know ${unknown.map((word) => JSON.stringify(word)).join(', ')}. Ask the vendor which of them ends a job, and add it to "complete" or "failed".`,
			);
		}
	}
	return additions;
}

async function read(file: string): Promise<Fields> {
	const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
		throw new Error(`${file} cannot be read (${error.code}).`);
	});
	let document: unknown;
	try {
		document = parse(text);
	} catch {
		throw new Error(`${file} is neither YAML nor JSON.`);
	}
	if (isFields(document) && isFields(document.paths)) return document;
	throw new Error(`${file} is not an OpenAPI file: it has no 'paths'.`);
}

/** The object that a reference leads to; anything else as it is, and no object for what leads nowhere. */
function deref(document: Fields, value: unknown, depth = deepest): Fields {
	if (!isFields(value)) return {};
	const { $ref } = value;
	if (typeof $ref !== 'string') return value;
	const target = $ref
		.split('/')
		.slice(1)
		.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
		.reduce<unknown>((node, name) => (isFields(node) ? node[name] : undefined), document);
	return depth === 0 ? {} : deref(document, target, depth - 1);
}

/** The schemas of an operation's successful JSON answers. */
function schemasIn(document: Fields, operation: unknown): Fields[] {
	const responses = deref(document, deref(document, operation).responses);
	return Object.entries(responses)
		.filter(([status]) => /^2|default/.test(status))
		.flatMap(([, response]) => Object.entries(deref(document, deref(document, response).content)))
		.filter(([type]) => type.includes('json'))
		.map(([, media]) => deref(document, deref(document, media).schema));
}

interface Property {
	name: string;
	/** The names that lead to it, with dots. */
	path: string;
	schema: Fields;
}

/** The properties of a schema and of what lies in it. */
function propertiesIn(document: Fields, schema: Fields, path = '', depth = deepest): Property[] {
	if (depth === 0) return [];
	const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((key) =>
		Array.isArray(schema[key]) ? schema[key] : [],
	);
	const items = isFields(schema.items) ? [schema.items] : [];
	const inner = [...(parts as unknown[]), ...items].flatMap((part) =>
		propertiesIn(document, deref(document, part), path, depth - 1),
	);
	const own = Object.entries(deref(document, schema.properties)).flatMap(([name, one]) => {
		const property = deref(document, one);
		const below = path === '' ? name : `${path}.${name}`;
		return [
			{ name, path, schema: property },
			...propertiesIn(document, property, below, depth - 1),
		];
	});
	return [...own, ...inner];
}

function isReportLike(document: Fields, items: Fields): boolean {
	const names = propertiesIn(document, deref(document, items)).map(({ name }) => name);
	return names.includes('address') || names.includes('risk') || names.includes('report_id');
}
