import { type FileHandle, open } from 'node:fs/promises';
import { systemClock } from '../nodes/WalletScreening/n8n/time';
import { addressKey } from '../nodes/WalletScreening/service/address';
import { normalizeBaseUrl } from '../nodes/WalletScreening/service/baseUrl';
import { version } from '../package.json';
import { help, type Options, readCommandLine } from './commandLine';
import { connect } from './connection';
import { type Exchange, redacted } from './exchange';
import { createFindings, type Finding } from './findings';
import { createHurry, readOpenApi } from './openapi';
import { openings } from './openings';
import { type Screen, tableOf, verdictOf } from './present';
import { walk } from './walk';
import { lookAtBody, lookAtDelivery, takeDelivery } from './webhook';

/** Where the texts go, and who is asked. */
export interface Terminal extends Screen {
	print: (text: string) => void;
	/** What happens meanwhile. */
	progress: (text: string) => void;
	/** Undefined if there is nobody to ask. */
	ask: ((question: string) => Promise<boolean>) | undefined;
}

/** Two public addresses of two chains. The first one is of the chain that is asked for. */
export const testAddresses = [
	'0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
	'1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
] as const;
const chainOfTest = 'ETH';

/** Texts that go nowhere, except the test addresses. A shorter one would spoil honest words. */
const shortestHidden = 6;

type Hide = (text: string) => string;

function hiding(texts: string[]): Hide {
	const hidden = texts
		.filter(({ length }) => length >= shortestHidden)
		.sort((one, other) => other.length - one.length);
	return (text) => hidden.reduce((all, one) => all.replaceAll(one, '***'), text);
}

/**
 * The whole command.
 *
 * @returns the exit code: 0 only if the nodes understand everything that was seen
 * @throws an Error that says what the user has to change
 */
export async function run(
	args: string[],
	environment: NodeJS.ProcessEnv,
	terminal: Terminal,
): Promise<number> {
	const options = readCommandLine(args);
	if (!options) {
		terminal.print(help);
		return 0;
	}
	// Before any request: a file that cannot be written must not cost the user the result.
	const file = options.json === undefined ? undefined : await opened(options.json);
	try {
		const check =
			options.openapi !== undefined ? checkFile : options.webhook ? checkWebhook : checkService;
		const checked = await check(options, environment, terminal);
		if (!checked) return 1;
		const { findings, exchanges, subject, hide } = checked;
		terminal.print(
			`\n${hide(tableOf(findings, terminal))}\n\n${hide(verdictOf(findings, subject))}\n`,
		);
		await file?.truncate();
		await file?.writeFile(hide(transcriptOf(findings, exchanges)));
		if (file)
			terminal.print(
				`The transcript is in ${options.json}. It holds names and states, and no values.\n`,
			);
		return findings.some(({ understood }) => understood === 'no') ? 1 : 0;
	} finally {
		await file?.close();
	}
}

async function opened(file: string): Promise<FileHandle> {
	return await open(file, 'a').catch((error: NodeJS.ErrnoException) => {
		throw new Error(`${file} cannot be written (${error.code}).`);
	});
}

interface Checked {
	findings: Finding[];
	exchanges: Exchange[];
	subject: string;
	hide: Hide;
}

function transcriptOf(findings: Finding[], exchanges: Exchange[]): string {
	const transcript = {
		package: `n8n-nodes-wallet-screening ${version}`,
		findings: findings.map(({ section, open: point, found, understood }) => ({
			section,
			open: point,
			found,
			understood,
		})),
		exchanges: exchanges.map(redacted),
	};
	return `${JSON.stringify(transcript, null, 2)}\n`;
}

/** The given addresses, filled up with test addresses. */
function pairOf(given: string[]): [string, string] {
	const [first, second] = given;
	if (first === undefined) return [...testAddresses];
	if (second !== undefined && addressKey(first) === addressKey(second)) {
		throw new Error('--address was given twice with the same address.');
	}
	const other = testAddresses.find((one) => addressKey(one) !== addressKey(first))!;
	return [first, second ?? other];
}

function serviceIn(environment: NodeJS.ProcessEnv): { apiKey: string; baseUrl: string } {
	const names = ['WALLET_SCREENING_API_KEY', 'WALLET_SCREENING_BASE_URL'] as const;
	const missing = names.filter((name) => !environment[name]?.trim());
	if (missing.length > 0) {
		throw new Error(
			`Set ${missing.join(' and ')}. Without a key, --openapi reads the vendor's file.`,
		);
	}
	const apiKey = environment.WALLET_SCREENING_API_KEY!.trim();
	if (!/^[!-~]+$/.test(apiKey)) {
		throw new Error('WALLET_SCREENING_API_KEY holds characters that no key has.');
	}
	return {
		apiKey,
		baseUrl: normalizeBaseUrl(environment.WALLET_SCREENING_BASE_URL, 'WALLET_SCREENING_BASE_URL'),
	};
}

async function checkService(
	{ yes, addresses: given, wait }: Options,
	environment: NodeJS.ProcessEnv,
	{ print, progress, ask }: Terminal,
): Promise<Checked | undefined> {
	const { apiKey, baseUrl } = serviceIn(environment);
	const addresses = pairOf(given);
	const nameOf = (address: string) =>
		given.includes(address) ? 'an address that you gave' : address;
	const secrets = [apiKey, environment.WALLET_SCREENING_WEBHOOK_SECRET?.trim() ?? ''].filter(
		Boolean,
	);
	const hideSecrets = hiding([...secrets, ...given]);
	print(
		hideSecrets(`This check calls the service at ${new URL(baseUrl).host} with your key.

  It screens      ${nameOf(addresses[0])}
  It submits      one bulk job of that address and ${nameOf(addresses[1])}
  It reads        the report, its PDF and the job, and asks for a report and a
                  job that do not exist

The service may bill three addresses: one screening, and two in the bulk job.
Nothing that may be billed is sent twice.
`),
	);
	if (!yes) {
		if (!ask) throw new Error('There is no terminal to ask on. Add --yes to agree beforehand.');
		if (!(await ask('Go on? (yes/no) '))) {
			print('Nothing was sent.');
			return undefined;
		}
	}
	const { findings, exchanges, ids } = await walk({
		baseUrl,
		send: connect({ apiKey, baseUrl }),
		clock: systemClock(),
		secrets,
		addresses,
		chain: given.length > 0 ? undefined : chainOfTest,
		wait,
		onStep: progress,
	});
	return {
		findings,
		exchanges,
		subject: 'this service',
		hide: hiding([...secrets, ...given, ...ids]),
	};
}

async function checkFile(
	{ openapi = '', wait }: Options,
	_environment: NodeJS.ProcessEnv,
	{ print, progress }: Terminal,
): Promise<Checked> {
	const described = await readOpenApi(openapi, testAddresses);
	print(`This check reads ${openapi} and sends nothing. It answers each call with an example of the file,
or with a sample of its schema, and lets the nodes read it.\n`);
	for (const call of described.missing) print(`The file does not describe ${call}.`);
	const { findings, exchanges } = await walk({
		baseUrl: 'https://openapi.invalid',
		send: described.send,
		clock: createHurry(),
		secrets: [],
		addresses: [...testAddresses],
		chain: chainOfTest,
		wait,
		onStep: progress,
	});
	return {
		findings: ofFile(findings, described),
		exchanges,
		subject: 'this file',
		hide: (text) => text,
	};
}

/** What only a real service shows. */
const inNoFile = [openings.duration, openings.keys].map(({ open: point }) => point);
const ofUnknown = [openings.unknownId, openings.errorBody].map(({ open: point }) => point);

/** The findings with what the file says of the webhook, and without what no file can show. */
function ofFile(
	findings: Finding[],
	{ webhookBodies, webhookHeaders, tellsUnknown, ofParts }: Awaited<ReturnType<typeof readOpenApi>>,
): Finding[] {
	const seen = createFindings();
	if (webhookHeaders.length > 0) seen.open('signed', `Headers: ${webhookHeaders.join(', ')}.`);
	for (const body of webhookBodies) lookAtBody(Buffer.from(JSON.stringify(body)), [], seen);
	const notes = seen.all();
	const silent = tellsUnknown ? inNoFile : [...inNoFile, ...ofUnknown];
	return findings.map((finding, at): Finding => {
		if (finding.section === openings.signed.section) return notes[at]!;
		if (finding.open === openings.results.open && ofParts.length > 0) {
			const parts = `They may come in parts (${ofParts.join(', ')}), which the nodes do not fetch.`;
			return { ...finding, found: `${finding.found} ${parts}`, understood: 'no' };
		}
		if (!silent.includes(finding.open) || finding.understood === 'no') return finding;
		return { ...finding, found: 'The file does not show it.', understood: 'not seen' };
	});
}

async function checkWebhook(
	{ port, host, wait }: Options,
	environment: NodeJS.ProcessEnv,
	{ print, progress }: Terminal,
): Promise<Checked> {
	const secret = environment.WALLET_SCREENING_WEBHOOK_SECRET?.trim() ?? '';
	const apiKey = environment.WALLET_SCREENING_API_KEY?.trim() ?? '';
	const findings = createFindings();
	if (secret === '') {
		print('WALLET_SCREENING_WEBHOOK_SECRET is not set: the signature cannot be tried.');
	}
	await takeDelivery({
		port,
		host,
		timeout: wait * 1000,
		onListening: (url) =>
			print(`This check waits for one delivery at ${url}
Let the service deliver there, through your tunnel. It refuses everything else.`),
		judge(received) {
			const status = lookAtDelivery(received, { secret, now: Date.now(), findings });
			progress(`A delivery came and was answered with ${status}`);
			return status;
		},
	});
	return {
		findings: findings.all().filter(({ section }) => section === 'Webhook'),
		exchanges: [],
		subject: 'this delivery',
		hide: hiding([secret, apiKey]),
	};
}
