import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { ScreeningError } from '../../nodes/WalletScreening/shared/errors';
import { isJsonObject, type JsonObject } from '../../nodes/WalletScreening/shared/json';
import type { ServiceNames } from '../../nodes/WalletScreening/answers/standardNames';
import type { Job } from '../../nodes/WalletScreening/answers/jobAnswer';
import { Reader } from '../../nodes/WalletScreening/answers/reader';
import { examplesOf, sampleText } from './openapiExamples';
import type { CheckResult } from './service';

/** Reads the answer of an endpoint as the nodes do. @returns what they do not know of a job */
type ReadAnswer = (reader: Reader, body: unknown) => Partial<Pick<Job, 'proposedNames' | 'unread'>>;

const readReport: ReadAnswer = (reader, body) => {
	reader.readReport({ body, status: 200 }, {});
	return {};
};

/** The endpoints that answer in JSON: the method, and the end of the path. */
const endpoints: Record<string, ReadAnswer> = {
	'post /screen': readReport,
	'get /reports/{}': readReport,
	'post /bulk': (reader, body) => {
		reader.readSubmittedJob({ body, status: 202 });
		return {};
	},
	'get /bulk/{}': (reader, body) => reader.readJob({ body, status: 200 }, sampleText),
};

/**
 * Reads the answers that the vendor's OpenAPI file (3.x) describes, as the nodes do, and sends
 * nothing. The file does not show which words end a job.
 *
 * @param print prints a sentence for the user
 * @throws an Error with a message for the user if there is no such file, or it is no OpenAPI file
 * @example
 * In the file, a job has its ID in `slip` and its state in `lifecycle`, and one of the states is
 * `scored`. It prints:
 *
 *     post /bulk: The service answered with no ID of a bulk job.
 *     The nodes do not know "lifecycle": "scored" of a job. Ask the vendor.
 *
 * The result: { names: { jobId: ['slip'], state: ['lifecycle'] }, isUnderstood: false }
 */
export async function checkFile(
	file: string,
	print: (sentence: string) => void,
): Promise<CheckResult> {
	const document = await readDocument(file);
	let names: ServiceNames = {};
	const sentences = new Set<string>();
	for (const [endpoint, read] of Object.entries(endpoints)) {
		try {
			for (const body of examplesOf(document, endpoint)) {
				const reading = readExample(body, read, names);
				names = reading.names;
				for (const field of reading.unread)
					sentences.add(`The nodes do not know ${field} of a job. Ask the vendor.`);
				if (reading.error) sentences.add(`${endpoint}: ${reading.error.message}.`);
			}
		} catch (error) {
			sentences.add(`${endpoint}: ${(error as Error).message}.`);
		}
	}
	sentences.forEach(print);
	return { names, isUnderstood: sentences.size === 0 };
}

/** @throws an Error with a message for the user if there is no such file, or it is no OpenAPI file */
async function readDocument(file: string): Promise<JsonObject> {
	const text = await readFile(file, 'utf8').catch((error: Error) => {
		throw new Error(`--openapi cannot read "${file}": ${error.message}`);
	});
	let document: unknown;
	try {
		document = parse(text);
	} catch (error) {
		throw new Error(`"${file}" is neither JSON nor YAML: ${(error as Error).message}`);
	}
	if (isJsonObject(document) && isJsonObject(document.paths)) return document;
	throw new Error(`"${file}" is no OpenAPI file: it has no 'paths'.`);
}

/** What the nodes make of an example of an answer. */
interface ExampleReading {
	/** The names that they have to be taught, with those of earlier examples. */
	readonly names: ServiceNames;
	/** Fields of a job that they do not know, even with these names. */
	readonly unread: readonly string[];
	/** Why they cannot read it without these names. */
	readonly error?: ScreeningError;
}

/** Reads an example of an answer with these names. If the nodes propose more, it reads it again. */
function readExample(body: unknown, read: ReadAnswer, names: ServiceNames): ExampleReading {
	let taughtNames = names;
	try {
		const { proposedNames } = read(new Reader(names), body);
		// Only the name of a field is certain. A person has to say which of its words end a job.
		if (proposedNames?.state) taughtNames = { ...names, ...proposedNames };
		const { unread = [] } = read(new Reader(taughtNames), body);
		return { names: taughtNames, unread };
	} catch (thrown) {
		const error = thrown as ScreeningError;
		// The names of an earlier example stay: this one may be the answer of a failure.
		return { names: { ...error.proposedNames, ...taughtNames }, unread: [], error };
	}
}
