import { readFile } from 'node:fs/promises';
import { sample } from 'openapi-sampler';
import { parse } from 'yaml';
import type { ScreeningError } from '../../nodes/WalletScreening/shared/errors';
import { type Fields, isFields } from '../../nodes/WalletScreening/shared/json';
import type { ServiceNames } from '../../nodes/WalletScreening/answers/standardNames';
import type { Job } from '../../nodes/WalletScreening/answers/jobAnswer';
import { Reader } from '../../nodes/WalletScreening/answers/reader';
import type { Findings } from './service';

/** The value of each text in the example of an answer. */
const text = 'sample-1';
/** The most words of an `enum` that are tried. */
const maxWords = 30;

const endpoints: Record<string, (reader: Reader, body: unknown) => Partial<Job>> = {
	'post /screen': (reader, body) => reader.readReport({ body, status: 200 }, {}) && {},
	'post /bulk': (reader, body) => reader.readSubmittedJob({ body, status: 202 }) && {},
	'get /bulk/{}': (reader, body) => reader.readJob({ body, status: 200 }, text),
};

/**
 * Reads the answers that the vendor's OpenAPI file (3.x) describes, as the nodes do, and sends
 * nothing. The file does not show which words end a job.
 *
 * @param say is called with each finding, a sentence
 * @throws an Error for people if the file has no `paths`
 */
export async function checkFile(file: string, say: (finding: string) => void): Promise<Findings> {
	const document: unknown = parse(await readFile(file, 'utf8'));
	if (!isFields(document) || !isFields(document.paths)) throw new Error(`${file} has no 'paths'.`);
	let names: ServiceNames = {};
	const findings = new Set<string>();
	for (const [endpoint, read] of Object.entries(endpoints)) {
		for (let word = 0; word < maxWords; word++) {
			try {
				const body = answerIn(withWord(document, word), endpoint);
				const { proposedNames } = read(new Reader(names), body);
				if (proposedNames?.state) names = { ...names, ...proposedNames };
				const { unread = [] } = read(new Reader(names), body);
				for (const field of unread)
					findings.add(`The nodes do not know ${field} of a job. Ask the vendor.`);
			} catch (error) {
				const { message, proposedNames } = error as ScreeningError;
				findings.add(`${endpoint}: ${message}.`);
				names = { ...names, ...proposedNames };
			}
		}
	}
	findings.forEach(say);
	return { names, isUnderstood: findings.size === 0 };
}

/** The document in which each `enum` has only its word at the place `at`. */
const withWord = (document: Fields, at: number) =>
	JSON.parse(JSON.stringify(document), (key, value: unknown) =>
		key === 'enum' && Array.isArray(value) ? [value[at] ?? value[0]] : value,
	) as Fields;

/** An example of the answer to a request that succeeds. */
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
