import { readFile } from 'node:fs/promises';
import { sample } from 'openapi-sampler';
import { parse } from 'yaml';
import type { ScreeningError } from '../../nodes/WalletScreening/shared/errors';
import { type Fields, isFields } from '../../nodes/WalletScreening/shared/json';
import type { ServiceNames } from '../../nodes/WalletScreening/answers/contract';
import { type Job, Reader } from '../../nodes/WalletScreening/answers/reader';
import type { Findings } from './service';

/** Stands for each text of an answer. */
const text = 'sample-1';
/** No list of words is longer. */
const mostWords = 30;

const endpoints: Record<string, (reader: Reader, body: unknown) => Partial<Job>> = {
	'post /screen': (reader, body) => reader.readReport({ body, status: 200 }, {}) && {},
	'post /bulk': (reader, body) => reader.readHandle({ body, status: 202 }) && {},
	'get /bulk/{}': (reader, body) => reader.readJob({ body, status: 200 }, text),
};

/**
 * Says what the nodes make of answers as the vendor's OpenAPI file (3.x) describes them, without a request. A file does not
 * show which words end a job. Throws an Error for people.
 */
export async function checkFile(file: string, say: (finding: string) => void): Promise<Findings> {
	const document: unknown = parse(await readFile(file, 'utf8'));
	if (!isFields(document) || !isFields(document.paths)) throw new Error(`${file} has no 'paths'.`);
	let names: ServiceNames = {};
	const findings = new Set<string>();
	for (const [endpoint, read] of Object.entries(endpoints)) {
		for (let word = 0; word < mostWords; word++) {
			try {
				const body = answerIn(withWord(document, word), endpoint);
				const { add } = read(new Reader(names), body);
				if (add?.state) names = { ...names, ...add };
				const { unread = [] } = read(new Reader(names), body);
				for (const one of unread)
					findings.add(`The nodes do not know ${one} of a job. Ask the vendor.`);
			} catch (error) {
				const { message, add } = error as ScreeningError;
				findings.add(`${endpoint}: ${message}.`);
				names = { ...names, ...add };
			}
		}
	}
	findings.forEach(say);
	return { names, isUnderstood: findings.size === 0 };
}

/** The document with one word of each list. */
const withWord = (document: Fields, at: number) =>
	JSON.parse(JSON.stringify(document), (key, value: unknown) =>
		key === 'enum' && Array.isArray(value) ? [value[at] ?? value[0]] : value,
	) as Fields;

/** An answer of success. */
function answerIn(document: Fields, endpoint: string): unknown {
	const deref = (value: unknown): Fields => {
		if (!isFields(value) || typeof value.$ref !== 'string') return isFields(value) ? value : {};
		const steps = value.$ref.split('/').slice(1);
		return deref(steps.reduce<unknown>((node, name) => (node as Fields)[name], document));
	};
	const [method, end] = endpoint.split(' ');
	const schema = [`${end}$`, method!, '^responses$', '^2', '^content$', 'json', '^schema$'].reduce(
		(node, step) => {
			const isNext = (name: string) => new RegExp(step).test(name.replace(/\{.*\}/, '{}'));
			return deref(node[Object.keys(node).find(isNext) ?? '']);
		},
		document.paths as Fields,
	);
	const json = JSON.stringify(sample(schema, { quiet: true }, document)) ?? 'null';
	return JSON.parse(json.replaceAll('"string"', JSON.stringify(text)));
}
