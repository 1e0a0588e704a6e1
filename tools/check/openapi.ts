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
/** The most words of an `enum` that are tried, one in each round. */
const maxRounds = 30;

/** Reads the answer of an endpoint as the nodes do. @returns what they do not know of a job */
type ReadAnswer = (reader: Reader, body: unknown) => Partial<Pick<Job, 'proposedNames' | 'unread'>>;

/** The endpoints that answer in JSON: the method, and the end of the path. */
const endpoints: Record<string, ReadAnswer> = {
	'post /screen': (reader, body) => {
		reader.readReport({ body, status: 200 }, {});
		return {};
	},
	'post /bulk': (reader, body) => {
		reader.readSubmittedJob({ body, status: 202 });
		return {};
	},
	'get /bulk/{}': (reader, body) => reader.readJob({ body, status: 200 }, text),
};

/**
 * Reads the answers that the vendor's OpenAPI file (3.x) describes, as the nodes do, and sends
 * nothing. The file does not show which words end a job.
 *
 * @param say is called with each finding, a sentence
 * @throws an Error for people if the file has no `paths`
 * @example
 * In the file, a job has its ID in `slip` and its state in `lifecycle`, and one of the states is
 * `scored`. The findings:
 *
 *     post /bulk: The service answered with no ID of a bulk job.
 *     The nodes do not know "lifecycle": "scored" of a job. Ask the vendor.
 *
 * The result: { names: { jobId: ['slip'], state: ['lifecycle'] }, isUnderstood: false }
 */
export async function checkFile(file: string, say: (finding: string) => void): Promise<Findings> {
	const document: unknown = parse(await readFile(file, 'utf8'));
	if (!isFields(document) || !isFields(document.paths)) throw new Error(`${file} has no 'paths'.`);
	let names: ServiceNames = {};
	const findings = new Set<string>();
	for (const [endpoint, read] of Object.entries(endpoints)) {
		// In round n, each `enum` shows its n-th word.
		for (let round = 0; round < maxRounds; round++) {
			try {
				const body = exampleOf(withWordAt(document, round), endpoint);
				const { proposedNames } = read(new Reader(names), body);
				// Only the name of a field is certain. A person has to say which of its words end a job.
				if (proposedNames?.state) names = { ...names, ...proposedNames };
				// The second read uses the names that the first one proposed.
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

/**
 * The document in which each `enum` has one word only, so that an example has that word.
 *
 * @example With `at` 1, `[queued, scored]` becomes `[scored]`, and `[ETH]` stays `[ETH]`.
 */
const withWordAt = (document: Fields, at: number) =>
	JSON.parse(JSON.stringify(document), (key, value: unknown) =>
		key === 'enum' && Array.isArray(value) ? [value[at] ?? value[0]] : value,
	) as Fields;

/**
 * An example of the answer to a request that succeeds, made from its schema.
 *
 * @param endpoint the method, and the end of the path with `{}` for a parameter
 * @throws an Error for people if the document shows no such answer
 * @example In sandbox/openapi.yaml, `post /bulk` gives { job_id: 'sample-1', status: 'queued' }.
 */
function exampleOf(document: Fields, endpoint: string): unknown {
	const [method = '', end = ''] = endpoint.split(' ');
	const isPath = (name: string) => name.replaceAll(/\{[^}]*\}/g, '{}').endsWith(end);
	/** Goes from an object into its first field with such a name. */
	const enter = (object: Fields, isNext: (name: string) => boolean): Fields =>
		followReferences(object[Object.keys(object).find(isNext) ?? ''], document);
	const operation = enter(enter(document.paths as Fields, isPath), (name) => name === method);
	const responses = enter(operation, (name) => name === 'responses');
	const success = enter(responses, (status) => status.startsWith('2'));
	const content = enter(success, (name) => name === 'content');
	const schema = enter(
		enter(content, (type) => type.includes('json')),
		(name) => name === 'schema',
	);
	if (Object.keys(schema).length === 0) throw new Error('The file shows no answer in JSON');
	const json = JSON.stringify(sample(schema, { quiet: true }, document)) ?? 'null';
	return JSON.parse(json.replaceAll('"string"', JSON.stringify(text)));
}

/**
 * An object, or the one that it refers to; an empty one for any other value.
 *
 * @throws an Error for people if it refers to another file
 * @example { $ref: '#/components/schemas/Job' } → the object at `components`, `schemas`, `Job`
 */
function followReferences(value: unknown, document: Fields): Fields {
	if (!isFields(value)) return {};
	if (typeof value.$ref !== 'string') return value;
	const [file, ...names] = value.$ref.split('/');
	if (file !== '#') throw new Error(`The file refers to another one: ${value.$ref}`);
	const target = names.reduce<unknown>((object, name) => (object as Fields)[name], document);
	return followReferences(target, document);
}
