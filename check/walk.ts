import { WalletScreeningApi } from '../credentials/WalletScreeningApi.credentials';
import type { Clock } from '../nodes/WalletScreening/pace/clock';
import { quotaOf } from '../nodes/WalletScreening/pace/quota';
import { createRateLimiter } from '../nodes/WalletScreening/pace/rateLimiter';
import { waitForJob } from '../nodes/WalletScreening/service/bulk';
import { isOtherChain } from '../nodes/WalletScreening/service/chain';
import { createClient, type Send } from '../nodes/WalletScreening/service/client';
import { own, ScreeningError } from '../nodes/WalletScreening/service/errors';
import { cleanId } from '../nodes/WalletScreening/service/input';
import { contentOf } from '../nodes/WalletScreening/service/json';
import { match } from '../nodes/WalletScreening/service/results';
import { type Report, reportIn } from '../nodes/WalletScreening/service/report';
import type { Job } from '../nodes/WalletScreening/service/shapes';
import { type Exchange, record } from './exchange';
import { createFindings, type Finding } from './findings';
import type { OpeningId } from './openings';
import { placeOf, shownName, statesIn } from './shape';

/** A service to walk through. */
export interface Walk {
	baseUrl: string;
	send: Send;
	clock: Clock;
	secrets: string[];
	/** The first one is screened; both go into the bulk job. */
	addresses: readonly [string, string];
	/** The chain to ask for; without it the service determines it. */
	chain?: string | undefined;
	/** Seconds that the bulk job may take. */
	wait: number;
	/** Gets the name of each step as it begins. */
	onStep: (step: string) => void;
}

export interface Walked {
	findings: Finding[];
	exchanges: Exchange[];
	/** IDs that the service gave out. */
	ids: string[];
}

/** The report ID that the credential test asks for. */
const unknownReport = String(new WalletScreeningApi().test.request.url).split('/').at(-1)!;
const unknownJob = 'no-such-job';

/**
 * Goes through the whole interface with the client of the nodes: one screening and one bulk job of two addresses, none of
 * them sent twice. It ends early if the service does not let the key in. Throws `network` if there is no service.
 */
export async function walk({
	baseUrl,
	send,
	clock,
	secrets,
	addresses,
	chain,
	wait,
	onStep,
}: Walk): Promise<Walked> {
	const recorder = record(send, secrets);
	const { exchanges } = recorder;
	const findings = createFindings();
	const ids: string[] = [];
	const limiter = createRateLimiter({ requestsPerSecond: 10, burst: 50 }, clock);
	const clientWith = (maxRetries: number) =>
		createClient({
			baseUrl,
			send: recorder.send,
			limiter,
			lane: {},
			clock,
			random: Math.random,
			maxRetries,
			resends: 0,
			secrets,
		});
	/** For what may be billed. */
	const once = clientWith(0);
	const client = clientWith(2);

	const last = () => exchanges.at(-1);

	/** Runs a step. Its failure belongs to the opening that `placed` names; undefined then. */
	async function step<T>(
		name: string,
		work: () => Promise<T>,
		placed: (failure: ScreeningError) => OpeningId,
	): Promise<T | undefined> {
		recorder.step = name;
		onStep(name);
		try {
			return await work();
		} catch (error) {
			const failure = own(error);
			const opening = isOfKey(failure) ? 'keys' : placed(failure);
			findings.no(opening, `${name}: ${said(failure)}`, last());
			return undefined;
		}
	}

	/** The failure of a request for something that is not there; undefined if it came all the same. */
	async function askForUnknown(name: string, ask: () => Promise<unknown>) {
		recorder.step = name;
		onStep(name);
		return await ask().then(
			() => undefined,
			(error: unknown) => own(error),
		);
	}

	function lookAtUnknown(name: string, failure: ScreeningError | undefined, isFine: boolean): void {
		const status = failure?.httpCode ?? last()?.status;
		if (isFine) {
			findings.yes('unknownId', `${name}: status ${status}.`);
		} else {
			const meaning = failure
				? `the nodes take it for '${failure.errorClass}'`
				: 'as if it existed';
			findings.no('unknownId', `${name}: status ${status}, ${meaning}.`, last());
		}
		const isExplained = failure?.description.includes('The service says: ');
		findings.yes(
			'errorBody',
			isExplained
				? 'It holds an explanation, which the nodes show.'
				: 'The nodes find no explanation in it and go by the status.',
		);
	}

	function lookAt(report: Report, from: string): void {
		const odd = oddFields(report);
		if (odd.length > 0) {
			findings.no(
				'missingFields',
				`${from}: missing or of another form: ${odd.join(', ')}.`,
				last(),
			);
		} else findings.yes('missingFields', 'All documented fields are there.');
		const more = furtherNames(report);
		findings.yes('furtherFields', more.length > 0 ? `${from}: ${more.join(', ')}.` : 'None.');
	}

	async function screening(): Promise<Report | undefined> {
		const [address] = addresses;
		const report = await step(
			'One screening',
			() => once.screen(address, chain),
			({ errorClass }) => {
				if (errorClass === 'bad_request') return 'chains';
				if (errorClass !== 'invalid_response') return 'statuses';
				return reportIn(last()?.body) ? 'addressEcho' : 'missingFields';
			},
		);
		if (!report) return undefined;
		ids.push(report.report_id);
		findings.yes('levels', 'A text. Only green counts as green.');
		findings.yes('score', 'A number.');
		findings.yes('categories', 'Whatever comes passes through.');
		findings.yes(
			'addressEcho',
			report.address === address ? 'As it was sent.' : 'In another case of letters.',
		);
		const { chain: echoed } = report;
		if (typeof echoed !== 'string' || echoed.trim() === '') {
			findings.no('chains', 'The report names no chain.', last());
		} else if (isOtherChain(chain, echoed)) {
			const other = shownName(echoed);
			findings.no('chains', `Asked for ${chain}, the report names '${other}'.`, last());
		} else findings.yes('chains', chain ? `${chain} comes back.` : 'The service names the chain.');
		lookAt(report, 'One screening');
		return report;
	}

	async function again(report: Report): Promise<void> {
		const same = await step(
			'The same report again',
			() => client.getReport(report.report_id),
			() => 'reportBody',
		);
		if (!same) return;
		const isSame = contentOf(same.risk) === contentOf(report.risk);
		if (isSame) findings.yes('reportBody', 'The same report.');
		else findings.no('reportBody', 'The same ID, but another risk.', last());
	}

	async function pdf({ report_id }: Report): Promise<void> {
		const bytes = await step(
			'Its PDF',
			() => client.getPdf(report_id),
			() => 'pdf',
		);
		if (bytes) findings.yes('pdf', 'A PDF.');
	}

	async function bulk(): Promise<void> {
		const job = await step(
			'A bulk job of two addresses',
			() => once.submitBulk([...addresses]),
			({ errorClass }) => (errorClass === 'invalid_response' ? 'jobHandle' : 'statuses'),
		);
		if (!job) return;
		ids.push(job.job_id);
		const place = placeOf(job.job_id, last()?.body);
		findings.yes('jobHandle', place ? `The ID is '${place}'.` : 'It has an ID.');
		const began = clock.now();
		const done = await step(
			'The job to its end',
			async () => {
				cleanId(job.job_id, 'Job ID');
				return await waitForJob(
					client,
					{ addresses: [...addresses], job },
					{
						clock,
						pollInterval: 2,
						deadline: began + wait * 1000,
						when: `after ${wait} seconds`,
					},
				);
			},
			({ errorClass }) => (errorClass === 'job_timeout' ? 'unknownState' : 'jobHandle'),
		);
		const words = wordsOf(exchanges.filter(({ path }) => path.startsWith('/v1/bulk')));
		findings[done ? 'yes' : 'open'](
			'states',
			words.length > 0 ? `Seen: ${words.join(', ')}.` : 'The job says no state.',
		);
		if (!done) return;
		findings.yes('duration', `${Math.ceil((clock.now() - began) / 1000)} s for two addresses.`);
		if (done.state === 'failed') {
			findings.no('states', 'The job failed, so it showed no results.', last());
			return;
		}
		findings.yes('unknownState', 'None: the nodes know the state at the end.');
		lookAtResults(done);
	}

	function lookAtResults(job: Job): void {
		const { outcomes, unknown: strange, doubled } = match([...addresses], job);
		for (const [at, address] of addresses.entries()) {
			const outcome = outcomes.get(address)!;
			const which = `Address ${at + 1} of the job`;
			if (!(outcome instanceof ScreeningError)) {
				lookAt(outcome, which);
				continue;
			}
			const opening = outcome.errorClass === 'invalid_response' ? 'noReport' : 'results';
			findings.no(opening, `${which}: ${said(outcome)}`, last());
		}
		const reports = [...outcomes.values()].filter((one) => !(one instanceof ScreeningError));
		if (strange > 0) findings.no('results', 'Results for addresses that were not sent.', last());
		if (reports.length === addresses.length) {
			const place = placeOf(addresses[0], last()?.body)?.split(/\.?(?:\(|address$)/)[0];
			findings.yes('results', `A report for each address${place ? `, in '${place}'` : ''}.`);
			findings.yes('noReport', 'None.');
			findings.yes('several', doubled > 0 ? 'They agree.' : 'None.');
		}
	}

	function lookAtAll(): void {
		const statuses = [...new Set(exchanges.flatMap(({ status }) => status ?? []))].sort();
		if (statuses.length > 0) findings.yes('statuses', `Seen: ${statuses.join(', ')}.`);
		const silent = exchanges.find(({ headers }) => tellsRemaining(headers) && !quotaIn(headers));
		const told = exchanges.find(({ headers }) => quotaIn(headers));
		if (silent) {
			const names = Object.keys(silent.headers).filter((name) => quotaHeader.test(name));
			findings.no('quota', `Not understood: ${names.map(shownName).join(', ')}.`, silent);
		} else if (told) findings.yes('quota', 'The nodes go by them.');
		else findings.yes('quota', 'None. The nodes go by 429 answers.');
	}

	const noReport = await askForUnknown('An unknown report', () => client.getReport(unknownReport));
	if (noReport?.errorClass === 'network') throw noReport;
	if (noReport && isOfKey(noReport)) {
		findings.no('keys', said(noReport), last());
		return { findings: findings.all(), exchanges, ids };
	}
	findings.yes('keys', 'The service accepts the key.');
	// Any other status fails the test of the credential in n8n.
	const isFine = [404, 410, 422].includes(noReport?.httpCode ?? 0);
	lookAtUnknown('An unknown report', noReport, isFine);
	const report = await screening();
	if (report) {
		await again(report);
		await pdf(report);
	}
	await bulk();
	const noJob = await askForUnknown('An unknown job', () => client.getBulk(unknownJob));
	const isJobFine = ['not_found', 'bad_request'].includes(noJob?.errorClass ?? '');
	lookAtUnknown('An unknown job', noJob, isJobFine);
	lookAtAll();
	return { findings: findings.all(), exchanges, ids };
}

const isOfKey = ({ errorClass }: ScreeningError) =>
	['unauthorized', 'forbidden'].includes(errorClass);

/** What happened, without the ID. A job that is not complete says more in its description, and nothing of the service's. */
function said({ errorClass, message, description, known }: ScreeningError): string {
	const text = errorClass === 'job_timeout' ? `${message}. ${description}` : `${message}.`;
	return known.job_id === undefined ? text : text.replaceAll(` ${known.job_id}`, '');
}

const wordsOf = (exchanges: Exchange[]) => [
	...new Set(exchanges.flatMap(({ body }) => statesIn(body))),
];

const quotaHeader = /rate-?limit/i;
const quotaIn = (headers: Exchange['headers']) => quotaOf(headers, Date.now());
const tellsRemaining = (headers: Exchange['headers']) =>
	Object.entries(headers).some(
		([name, value]) =>
			quotaHeader.test(name) &&
			(/remaining/i.test(name) || /\b(?:remaining|r)\s*=/.test(`${value}`)),
	);

const categories = ['sanctions', 'darknet', 'mixer', 'scam', 'stolen', 'clean_exchange'];

/** Documented fields (sections 2.1 to 2.3) that a report lacks or has in another form. */
function oddFields(report: Report): string[] {
	const { report_id, chain, balance, tx_count, report_url, risk } = report;
	const isPath = (url: unknown) =>
		typeof url === 'string' &&
		URL.canParse(url) &&
		new URL(url).pathname.split('/').filter(Boolean).at(-1) === encodeURIComponent(report_id);
	const scores = (risk.categories ?? {}) as Record<string, unknown>;
	const fine: Record<string, boolean> = {
		chain: typeof chain === 'string' && chain !== '',
		balance: typeof balance === 'string' && /^-?\d+(?:\.\d+)? \S+$/.test(balance),
		tx_count: Number.isInteger(tx_count),
		report_url: isPath(report_url),
		...Object.fromEntries(
			categories.map((name) => [`risk.categories.${name}`, Number.isFinite(scores[name])]),
		),
	};
	return Object.keys(fine).filter((name) => !fine[name]);
}

/** Names of fields and categories that the specification does not have. */
function furtherNames({ risk, ...fields }: Report): string[] {
	const known = ['report_id', 'address', 'chain', 'balance', 'tx_count', 'report_url'];
	return [
		...Object.keys(fields).filter((name) => !known.includes(name)),
		...Object.keys(risk)
			.filter((name) => !['level', 'score', 'categories'].includes(name))
			.map((name) => `risk.${name}`),
		...Object.keys(risk.categories ?? {}).filter((name) => !categories.includes(name)),
	].map(shownName);
}
