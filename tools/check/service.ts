import { beginsAsPdf } from '../../nodes/WalletScreening/client/client';
import { systemClock } from '../../nodes/WalletScreening/transport/n8n';
import { addressKey } from '../../nodes/WalletScreening/address/key';
import { Client, type Send } from '../../nodes/WalletScreening/client/client';
import { ScreeningError } from '../../nodes/WalletScreening/shared/errors';
import { isFields, tryParseJson } from '../../nodes/WalletScreening/shared/json';
import { excerptJson } from '../../nodes/WalletScreening/shared/text';
import { matchResults } from '../../nodes/WalletScreening/answers/match';
import type { ServiceNames } from '../../nodes/WalletScreening/answers/contract';
import { type Answer } from '../../nodes/WalletScreening/shared/http';

export interface Findings {
	/** The names and words to enter in 'Service Names'. */
	names: ServiceNames;
	/** Whether the nodes then understand all answers that came. */
	isUnderstood: boolean;
}

export interface Check {
	baseUrl: string;
	send: Send;
	/** The first address is screened; both are in the bulk job. */
	addresses: [string, string];
	/** Seconds that the bulk job may take. */
	wait: number;
	/** Is called with each finding, a sentence. */
	say: (finding: string) => void;
}

/** A word or a number in an answer. `name` is its path with dots, without the places in lists. */
type Field = Record<'name' | 'value', string>;

const clock = systemClock();
const nothing = () => undefined;
const timePattern = /^\d{4}-\d\d|:\d\d/;
const unixTimePattern = /^\d{9,}$/;
const wordPattern = /^[\p{L}\d][\p{L}\d _.-]{0,39}$/u;
/** The ends of the path of a field, the shortest first: `status`, `job.status`. */
const endsOf = ({ name }: Field) =>
	name.split('.').map((_, at, names) => names.slice(-1 - at).join('.'));
/**
 * The rank of a field as the state of a job, 0 being the best: a field with the name of a state comes before others, a word before
 * a number. A number with another name (3) is not a state.
 */
const rankOf = ({ name, value }: Field) =>
	(/stat|phase|stage|step|lifecycle/i.test(name) ? 0 : 2) + (/\p{L}/u.test(value) ? 0 : 1);

/**
 * Screens one address and submits one bulk job of two: three addresses that may be billed, and none of them twice. The client of
 * the nodes reads the answers, and learns the names that it needs for that.
 *
 * @throws an Error for people if an answer cannot be read
 */
export async function checkService(check: Check): Promise<Findings> {
	const { baseUrl, send, addresses, wait, say } = check;
	const [address] = addresses;
	let names: ServiceNames = {};

	async function request(method: 'GET' | 'POST', path: string, body?: Record<string, unknown>) {
		const target = { method, url: `${baseUrl}/v1${path}`, accept: '*/*', maxBytes: Infinity };
		return await send({ ...target, ...(body && { body }) });
	}
	const wordsIn = ({ body }: Answer) => fieldsIn(tryParseJson(body), addresses);
	const fieldsOf = (answer: Answer) =>
		wordsIn(answer).filter(({ value }) => !unixTimePattern.test(value));
	const clientFor = (answer: Answer, serviceNames = names) =>
		new Client({
			baseUrl,
			serviceNames,
			clock,
			random: Math.random,
			caller: {},
			maxRetries: 0,
			resends: 0,
			send: async () => await Promise.resolve(answer),
			queue: { run: async (work) => await work() },
		});
	const read = async <T>(answer: Answer, reading: (client: Client) => Promise<T>): Promise<T> =>
		await reading(clientFor(answer)).catch(async (error: ScreeningError) => {
			if (!error.proposedNames) throw error;
			say(`${error.message}. Taught ${JSON.stringify(error.proposedNames)}, the nodes read it.`);
			names = { ...names, ...error.proposedNames };
			return await reading(clientFor(answer));
		});

	const screened = await request('POST', '/screen', { address });
	const { report } = await read(screened, (client) => client.screen(address));
	const { report_id, risk } = report;
	say(`Screen: a report with the level "${risk.level}" and the score ${risk.score}.`);
	const path = `/reports/${encodeURIComponent(report_id)}`;
	await read(await request('GET', path), (client) => client.getReport(report_id));
	const pdf = beginsAsPdf((await request('GET', `${path}/pdf`)).body) ? 'a PDF' : 'not a PDF';
	say(`Get Report: the nodes read it. Download PDF: ${pdf}.`);
	const submitted = await request('POST', '/bulk', { addresses });
	const jobId = await findJob();
	say('Submit: the nodes read the ID of the job.');
	const isUnderstood = await watchJob();
	say('Not seen: a job that failed. Ask the vendor for its words, and add them to "failed".');
	return { names, isUnderstood };

	/** Finds the ID of the job: asks for a job by each value that may be its ID. */
	async function findJob(): Promise<string> {
		const idWith = async (taught: ServiceNames) =>
			(await clientFor(submitted, taught).submitBulk(addresses).catch(nothing))?.job_id;
		const usual = await idWith(names);
		const fields = wordsIn(submitted).filter(({ value }) => /[\d-]/.test(value));
		// A job may be found only a moment after it was submitted.
		for (const pause of [500, 1000, 2000, 0]) {
			for (const id of new Set([usual ?? [], fields.map(({ value }) => value)].flat())) {
				const answer = await request('GET', `/bulk/${encodeURIComponent(id)}`);
				if (!(await clientFor(answer).getBulk(id).catch(nothing))) continue;
				if (id === usual) return id;
				for (const end of fields.filter(({ value }) => value === id).flatMap(endsOf)) {
					const taught = { ...names, jobId: [end] };
					if ((await idWith(taught)) !== id) continue;
					names = taught;
					return id;
				}
			}
			await clock.sleep(pause);
		}
		throw new Error(
			`Nothing in this answer leads to the job: ${excerptJson(String(submitted.body))}`,
		);
	}

	/** Looks at the job until the nodes read all of it, or would do so once they know a field that no longer changes. */
	async function watchJob(): Promise<boolean> {
		const deadline = clock.now() + wait * 1000;
		const looks: Answer[] = [];
		for (let pause = 250, last = ''; ; pause = Math.min(10_000, pause * 1.5)) {
			const look = await request('GET', `/bulk/${encodeURIComponent(jobId)}`);
			const { state } = await readJob(look);
			const words = JSON.stringify(fieldsOf(look));
			const isStill = words === last;
			if (!isStill) looks.push(look);
			if (state === 'whole' || (isStill && (await teachJob(looks)))) {
				say('Bulk job: complete, with a report for each address.');
				return true;
			}
			if ((isStill && state !== 'running') || clock.now() > deadline) {
				say(`Bulk job: ${state} for the nodes. The last answer: ${excerptJson(String(look.body))}`);
				return false;
			}
			last = words;
			await clock.sleep(pause);
		}
	}

	/** Adds the names that errors propose, or the field that changed, if the nodes then read all of the job now, and before that it ran. */
	async function teachJob(looks: Answer[]): Promise<boolean> {
		const [last, ...earlier] = [...looks].reverse() as [Answer, ...Answer[]];
		const fields = [...earlier, submitted].flatMap(fieldsOf);
		const changed = fieldsOf(last).filter((field) => {
			const before = fields.filter(({ name }) => name === field.name).map(({ value }) => value);
			return before.length > 0 && !before.includes(field.value) && rankOf(field) < 3;
		});
		const proposed = (await readJob(last)).errors.flatMap((error): ServiceNames[] =>
			error.proposedNames ? [error.proposedNames] : [],
		);
		const candidates = changed
			.sort((a, b) => rankOf(a) - rankOf(b))
			.flatMap((field): ServiceNames[] => {
				const complete = [field.value];
				const states = endsOf(field).flatMap((end) => [
					{ state: [end] },
					{ state: [end], complete },
				]);
				return [{ complete }, ...states];
			});
		for (const candidate of [...proposed, ...candidates]) {
			const taught = { ...names, ...candidate };
			const before = await Promise.all(earlier.map((look) => readJob(look, taught)));
			if (before.some(({ state }) => state !== 'running')) continue;
			if ((await readJob(last, taught)).state !== 'whole') continue;
			names = taught;
			say(`Taught ${JSON.stringify(candidate)}, the nodes read all of the job, which ran before.`);
			return true;
		}
		return false;
	}

	/** The state of the job as the nodes read it; `whole` if the job gives them a report for each address. */
	async function readJob(answer: Answer, taught = names) {
		const job = await clientFor(answer, taught).getBulk(jobId, addresses);
		const errors = matchResults(addresses, job).flatMap(({ error }) => error ?? []);
		const isWhole = job.state === 'complete' && errors.length === 0;
		return { state: isWhole ? 'whole' : job.state, errors };
	}
}

/** The words and numbers of an answer, without the objects that contain one of the addresses. */
function fieldsIn(body: unknown, addresses: string[], path: string[] = []): Field[] {
	if (Array.isArray(body)) return body.flatMap((entry) => fieldsIn(entry, addresses, path));
	const field = { name: path.join('.'), value: String(body) };
	const isWord = wordPattern.test(field.value) && !timePattern.test(field.value);
	if (!isFields(body)) return isWord ? [field] : [];
	const keys = Object.values(body).map((value) => addressKey(String(value)));
	if (addresses.some((address) => keys.includes(addressKey(address)))) return [];
	return Object.entries(body).flatMap(([name, value]) =>
		fieldsIn(value, addresses, [...path, name]),
	);
}
