import { addressKey } from '../../nodes/WalletScreening/address/key';
import type { Answer } from '../../nodes/WalletScreening/pace/answer';
import type { Clock } from '../../nodes/WalletScreening/pace/clock';
import type { Request, Send } from '../../nodes/WalletScreening/service/client';
import type { ServiceNames } from '../../nodes/WalletScreening/service/reader/names';
import {
	createReader,
	type Job,
	type Reader,
} from '../../nodes/WalletScreening/service/reader/reader';
import { ScreeningError } from '../../nodes/WalletScreening/service/errors';
import { parseJson } from '../../nodes/WalletScreening/service/json';
import { withMore } from './additions';

export interface Check {
	baseUrl: string;
	send: Send;
	clock: Clock;
	/** Two addresses: the first one is screened, both are in the bulk job. */
	addresses: [string, string];
	/** Seconds that the bulk job may take. */
	wait: number;
	/** What was found, one sentence each. */
	say: (finding: string) => void;
}

/** A PDF is the longest. */
const mostBytes = 64 * 2 ** 20;
/** More additions than a service can need. */
const mostServiceNames = 20;

/**
 * Screens one address and submits one bulk job of two: three addresses that may be billed, and none of them twice.
 *
 * @returns what the nodes have to know of the service beside the usual names
 */
export async function checkService({
	baseUrl,
	send,
	clock,
	addresses,
	wait,
	say,
}: Check): Promise<ServiceNames> {
	let additions: ServiceNames = {};

	async function ask(
		method: Request['method'],
		path: string,
		body?: Request['body'],
	): Promise<Answer> {
		const url = `${baseUrl}/v1${path}`;
		const answer = await send({
			...{ method, url, accept: 'application/json', mostBytes },
			...(body && { body }),
		});
		if (answer instanceof ScreeningError) throw answer;
		const isFine = answer.status >= 200 && answer.status < 300;
		if (!isFine)
			throw new Error(
				`${method} /v1${path.replace(/[^/]{12,}/, '{id}')} is answered with status ${answer.status}.`,
			);
		return answer;
	}

	/** The same answer, read again with each name that is missing. A word never becomes one of a complete job by that. */
	function completed<T>(read: (reader: Reader) => T, known: ServiceNames): [T, ServiceNames] {
		for (let names = known, count = 0; ; count++) {
			const { value, error } = attempt(() => read(createReader(names)));
			const add = error?.add ?? (value as { add?: ServiceNames } | undefined)?.add;
			const more = wordIn(add) === undefined ? withMore(names, add) : null;
			if (more && count < mostServiceNames) names = more;
			else if (error) throw error;
			else return [value as T, names];
		}
	}

	function understood<T>(read: (reader: Reader) => T): T {
		const [value, names] = completed(read, additions);
		additions = names;
		return value;
	}

	const screened = await ask('POST', '/screen', { address: addresses[0] });
	const report = understood((reader) =>
		reader.report(parseJson(screened.body, screened.status), screened.status),
	);
	say(
		`Screen: a report with the level ${JSON.stringify(report.risk.level)} and the score ${report.risk.score}.`,
	);

	const id = encodeURIComponent(report.report_id);
	const again = await ask('GET', `/reports/${id}`);
	understood((reader) => reader.report(parseJson(again.body, again.status), again.status));
	say('Get a report: the nodes read it.');
	const pdf = await ask('GET', `/reports/${id}/pdf`);
	say(`Download PDF: ${pdf.body.subarray(0, 5).toString() === '%PDF-' ? 'a PDF' : 'not a PDF'}.`);

	const submitted = await ask('POST', '/bulk', { addresses });
	const { job_id } = understood((reader) =>
		reader.handle(parseJson(submitted.body, submitted.status), submitted.status),
	);
	say('Submit: the nodes read the ID of the job.');
	const job = await watch(job_id);
	say(`Bulk job: ${job}`);
	return additions;

	/** Looks at the job until it is complete, or until a word to which it moved on holds reports of both addresses. */
	async function watch(jobId: string): Promise<string> {
		const deadline = clock.now() + wait * 1000;
		const earlier = new Set<string>();
		const hasMovedOnTo = (word: string) => earlier.size > 0 && !earlier.has(word);
		for (let pause = 500; ; pause = Math.min(10_000, pause * 1.5)) {
			const { body, status, headers } = await ask('GET', `/bulk/${encodeURIComponent(jobId)}`);
			const content = parseJson(body, status);
			const read = (reader: Reader) => reader.job(content, status, jobId, headers, addresses);
			const told = understood(read);
			if (told.state === 'complete') return `complete, ${reportsIn(told)}.`;
			if (told.state === 'failed') return 'the service says that it failed.';
			const word = wordIn(told.add) ?? '';
			const proposed = word !== '' && hasMovedOnTo(word) && withMore(additions, told.add);
			if (proposed) {
				const [then, names] = completed(read, proposed);
				if (then.state === 'complete' && hasBoth(then)) {
					additions = names;
					return `complete if ${JSON.stringify(word)} means so: the job moved on to it, and both addresses have reports.`;
				}
			} else earlier.add(word);
			if (clock.now() > deadline) {
				const unread =
					told.unread.length > 0 ? ` The nodes do not read ${told.unread.join(', ')}.` : '';
				return `not complete after ${wait} seconds.${unread}`;
			}
			await clock.sleep(pause);
		}
	}

	function hasBoth({ results }: Job): boolean {
		const reported = new Set(
			results.flatMap((one) => (one.report ? addressKey(one.report.address) : [])),
		);
		return addresses.every((address) => reported.has(addressKey(address)));
	}

	function reportsIn(job: Job): string {
		return hasBoth(job)
			? 'with a report for each address'
			: `without a report for each address. The nodes do not read ${job.unread.join(', ') || 'its results'}`;
	}
}

/** The word that may be that of a complete job. */
const wordIn = (add: ServiceNames | undefined) => add?.complete?.[0];

/** The value, or the error of the reader; any other error is thrown. */
function attempt<T>(read: () => T): { value?: T; error?: ScreeningError } {
	try {
		return { value: read() };
	} catch (error) {
		if (error instanceof ScreeningError) return { error };
		throw error;
	}
}
