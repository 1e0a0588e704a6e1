import { setImmediate } from 'node:timers/promises';
import { createTrigger, ended, started, type TriggerOptions } from '../../support/unit/trigger';
import { bodyOf, greenReport, redReport, signatureHeadersOf } from '../../support/unit/deliveries';

const body = bodyOf(greenReport);
const { 'x-signature': signature = '' } = signatureHeadersOf(body);
const seconds = () => Math.floor(Date.now() / 1000);
const unavailable = ended(503, 'unavailable');
const trigger = "'Bulk Results' of workflow 'Alerts'";

const timed = { signedContent: 'timestampAndBody', timestampHeader: 'X-Time', tolerance: 1000 };
const atTime = (time: number) => ({
	...signatureHeadersOf(`${time}.${body}`),
	'x-time': String(time),
});

describe('a delivery', () => {
	test('with a signature by another secret, or whose bytes n8n did not keep, is refused and leaves nothing', async () => {
		const { deliver, database } = createTrigger();
		const forged = { body, headers: signatureHeadersOf(body, 'guessed') };
		expect(await deliver(forged)).toEqual(ended(401, 'mismatch'));
		expect(await deliver({ body: undefined })).toEqual(ended(401, 'malformed'));
		expect(database.staticData).toEqual({});
	});

	test('may be signed with the previous secret only, which may be a number', async () => {
		const credential = { webhookSecret: '', previousWebhookSecret: 20261120 };
		const { deliver } = createTrigger({ credential });
		expect(await deliver({ body, headers: signatureHeadersOf(body, '20261120') })).toEqual(
			started(greenReport),
		);
	});

	test('is judged by the time in the header that was chosen, within the tolerance', async () => {
		const { deliver } = createTrigger({ parameters: timed });
		const at = async (late: number) => await deliver({ body, headers: atTime(seconds() - late) });
		expect(await at(2000)).toEqual(ended(401, 'stale'));
		expect(await at(500)).toEqual(started(greenReport));
	});

	test('of which a part of the time was moved to the body is no JSON any more', async () => {
		const time = seconds();
		const headers = { ...signatureHeadersOf(`${time}.5.${body}`), 'x-time': String(time) };
		for (const output of ['reports', 'batch']) {
			const { deliver } = createTrigger({ parameters: { ...timed, output } });
			expect(await deliver({ body: `5.${body}`, headers })).toEqual(ended(400, 'unreadable'));
		}
	});
});

describe('a delivery that cannot be judged comes again, and the log says why once a minute', () => {
	const empty = "'Webhook Secret' of the credential is empty. Open the credential";
	const withParameter = (name: string, value: unknown) => ({ parameters: { [name]: value } });
	test.each<[string, TriggerOptions]>([
		['It is gone', { credential: new Error('It is gone') }],
		[empty, { credential: { webhookSecret: ' ', previousWebhookSecret: 'old' } }],
		["'Signature Scheme' has an unknown value", withParameter('signedContent', 'none')],
		["'Signature Header' is not a text", withParameter('signatureHeader', [1])],
		["'Timestamp Header' is not a text", withParameter('timestampHeader', {})],
		["'Tolerance (Seconds)' is not a number from 1 up", withParameter('tolerance', -1)],
		['n8n could not read a parameter: Oh', withParameter('tolerance', new Error('Oh'))],
	])('%s', async (why, options) => {
		const { deliver, warnings, database } = createTrigger(options);
		for (let count = 0; count < 3; count++) expect(await deliver({ body })).toEqual(unavailable);
		expect(warnings).toEqual([
			expect.stringContaining(`Could not verify a delivery to ${trigger}: ${why}`),
		]);
		expect(database.staticData).toEqual({});
	});

	test('while one that any secret refuses is refused', async () => {
		const { deliver } = createTrigger({ credential: { webhookSecret: '' } });
		expect(await deliver({ body, headers: {} })).toEqual(ended(401, 'missing'));
	});
});

describe("n8n's log", () => {
	afterEach(() => jest.restoreAllMocks());

	test('says once a minute for each node why unsigned deliveries are refused', async () => {
		const now = jest.spyOn(performance, 'now').mockReturnValue(1e6);
		const credential: Record<string, unknown> = {};
		const { deliver, warnings } = createTrigger({ credential });
		const forge = async (headers: Record<string, string>) =>
			expect(await deliver({ body, headers })).toMatchObject({ status: 401 });
		await forge(signatureHeadersOf(body, 'guessed'));
		now.mockReturnValue(1e6 + 59_999);
		for (const headers of [{}, signatureHeadersOf(body, 'guessed'), {}]) await forge(headers);
		const check =
			"No other settings were found that fit it. Check 'Webhook Secret' in the credential, and ask the vendor what its service signs.";
		expect(warnings).toEqual([
			`Refused a delivery to ${trigger}: mismatch: it is signed with another secret or in another scheme, or was changed on the way. ${check}`,
		]);
		now.mockReturnValue(1e6 + 60_000);
		await forge({});
		expect(warnings).toHaveLength(2);
		expect(warnings[1]).toMatch(/: missing: .* not in the headers that the settings name\. /);
		// A line of its own for what cannot be judged.
		credential.webhookSecret = '';
		await deliver({ body });
		expect(warnings).toHaveLength(3);
	});

	test('names a time in no known form, and does not blame the secret for it', async () => {
		const forms = 'The node reads Unix time, ISO 8601 with its zone, and dates of HTTP.';
		const refuse = async (time: string, others = {}, parameters = {}) => {
			const { deliver, warnings } = createTrigger({ parameters: { ...timed, ...parameters } });
			const headers = { ...signatureHeadersOf(`${time}.${body}`), 'x-time': time, ...others };
			expect(await deliver({ body, headers })).toEqual(ended(401, 'malformed'));
			return warnings.map((warning) => warning.replace(/^.*: malformed: /, ''));
		};
		const unknown = "the time '28/11/2026 15:00' is in no known form.";
		expect(await refuse('28/11/2026 15:00')).toEqual([`${unknown} ${forms}`]);
		// The time is in another header.
		const time = seconds();
		const others = { ...signatureHeadersOf(`${time}.${body}`), 'x-at': String(time) };
		const change = "Set 'Timestamp Header' to 'x-at'.";
		expect(await refuse('28/11/2026 15:00', others)).toEqual([`${unknown} ${change}`]);
		// A stranger can send any text in its place.
		const long = `a\u202e${'b'.repeat(50)}`;
		const start = `a?${'b'.repeat(38)}…`;
		expect(await refuse(long)).toEqual([`the time '${start}' is in no known form. ${forms}`]);
	});

	test('does not name a time of which only the place is unclear, or that is not signed', async () => {
		const refuse = async (parameters: object, headers: Record<string, string>) => {
			const { deliver, warnings } = createTrigger({ parameters: { ...timed, ...parameters } });
			expect(await deliver({ body, headers })).toEqual(ended(401, 'malformed'));
			return warnings[0];
		};
		const withId = {
			signedContent: 'custom',
			signedTemplate: '{id}{timestamp}{body}',
			idHeader: 'i',
		};
		const time = String(Date.now());
		const headers = { ...signatureHeadersOf(`1${time}${body}`), 'x-time': time, i: '1' };
		for (const warning of [
			await refuse(withId, headers),
			await refuse({ signedContent: 'body' }, { 'x-signature': 'none', 'x-time': 'now' }),
		])
			expect(warning).toMatch(/: malformed: the signature, time or ID is not in the form of the /);
	});

	test('does not blame the signature of a delivery whose bytes n8n did not keep', async () => {
		const { deliver, warnings } = createTrigger();
		await deliver({ body: undefined });
		expect(warnings).toEqual([
			`Refused a delivery to ${trigger}: malformed: n8n gave the node no body.`,
		]);
	});

	test('says of a signed delivery that is late only that, whatever strangers send meanwhile', async () => {
		const { deliver, warnings } = createTrigger({ parameters: timed });
		await deliver({ body, headers: {} });
		await deliver({ body, headers: atTime(seconds() - 2000) });
		// The warning about a late delivery names the clock, and not the settings, as those are right.
		expect(warnings).toEqual([
			expect.stringMatching(/: missing: /),
			expect.stringMatching(/: stale: .* clock of this n8n\.$/),
		]);
	});

	test('does not say that the secret is wrong of a delivery that is too long to try', async () => {
		const long = bodyOf({ ...greenReport, note: 'x'.repeat(2 ** 19) });
		const { deliver, warnings } = createTrigger();
		await deliver({ body: long, headers: { 'x-other': signatureHeadersOf(long)['x-signature']! } });
		expect(warnings).toEqual([expect.stringMatching(/too long to search for matching settings/)]);
		expect(warnings[0]).not.toContain('Webhook Secret');
	});

	test('holds nothing that the sender or an error wrote over several lines, nor the secret', async () => {
		const odd = `x-\n\u001b[2J${'h'.repeat(500)}`;
		const { deliver, warnings } = createTrigger();
		await deliver({ body, headers: { [odd]: signature, 'x-signature': 'SECRET\u001b' } });
		expect(warnings[0]).toMatch(/'x-\?\?\[2Jh{249}'\.$/);
		expect(warnings[0]).not.toMatch(/SECRET|hook-secret/);
		const failing = createTrigger({ credential: new Error(`line\n${'e'.repeat(500)}`) });
		await failing.deliver({ body });
		expect(failing.warnings[0]).toMatch(/: line\?e{251}$/);
	});
});

describe('a delivery that fits the secret under other settings', () => {
	const other = { 'x-hub-signature': `sha256=${signature}` };
	const refused = ended(401, 'missing');

	/* What the editor shows: e2e/trigger. */
	test('is refused, and the log of n8n names them', async () => {
		const { deliver, warnings } = createTrigger();
		expect(await deliver({ body, headers: other })).toEqual(refused);
		expect(warnings).toEqual([
			expect.stringMatching(/missing: .* Set 'Signature Header' to 'x-hub-signature'\.$/),
		]);
	});

	test('is not what the editor shows for a forgery, or for a delivery that is only late', async () => {
		const { deliver, warnings } = createTrigger({ mode: 'manual', parameters: timed });
		expect(await deliver({ body: `${body} `, headers: other })).toEqual(refused);
		expect(warnings).toEqual([
			expect.stringMatching(
				/Check 'Webhook Secret' in the credential, and ask the vendor what its service signs\. A service that signs the URL has to deliver to the Production URL\.$/,
			),
		]);
		const late = await deliver({ body, headers: atTime(seconds() - 2000) });
		expect(late).toEqual(ended(401, 'stale'));
	});
});

describe('the credential', () => {
	afterEach(() => jest.restoreAllMocks());

	test('is read once for deliveries that arrive while it is read, and again after that', async () => {
		const { deliver, reads } = createTrigger({
			onCredentialRead: async () => await setImmediate(),
		});
		const both = [bodyOf(greenReport), bodyOf(redReport)];
		const outcomes = await Promise.all(
			both.map(async (content) => await deliver({ body: content })),
		);
		expect(outcomes).toEqual([started(greenReport), started(redReport)]);
		expect(reads.count).toBe(1);
		// A delivery in the editor does not use the reading of one in production.
		await Promise.all([deliver({ body }), deliver({ body, mode: 'manual' })]);
		expect(reads.count).toBe(3);
	});

	test('that was revoked accepts nothing that arrives after the read, nor for another node', async () => {
		const credential: Record<string, unknown> = {};
		const onCredentialRead = async () => await setImmediate();
		const { deliver } = createTrigger({ credential, onCredentialRead });
		const other = createTrigger({ onCredentialRead, credential: { webhookSecret: 'another' } });
		const outcomes = await Promise.all([deliver({ body }), other.deliver({ body })]);
		expect(outcomes).toEqual([started(greenReport), ended(401, 'mismatch')]);
		credential.webhookSecret = 'another';
		expect(await deliver({ body: bodyOf(redReport) })).toEqual(ended(401, 'mismatch'));
	});
});

describe('activation', () => {
	test('needs a webhook secret and nothing else', async () => {
		const blank = createTrigger({ credential: { previousWebhookSecret: ' ' } });
		expect(await blank.activate()).toBe(true);
	});

	test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
		["'Webhook Secret' of the credential is empty.", { webhookSecret: undefined }, {}],
		[
			"'Previous Webhook Secret' of the credential is not base64 with its padding after",
			{ webhookSecret: 'whsec_MfKQ', previousWebhookSecret: 'whsec_hook-secret' },
			{ signedContent: 'standardWebhooks' },
		],
		[
			"'Signed Template' needs {body} exactly once",
			{},
			{ signedContent: 'custom', signedTemplate: '{timestamp}' },
		],
		[
			"'Signed Template' contains '{time}'",
			{},
			{ signedContent: 'custom', signedTemplate: '{time}.{body}' },
		],
		["'Tolerance (Seconds)' is not a number from 1 up", {}, { tolerance: 0 }],
		[
			"The policy has no rules (see 'Decision Rules')",
			{},
			{ addDecision: true, decisionRules: {} },
		],
		["'Simplify' is", {}, { options: { simplify: 'maybe' } }],
		['No such item', {}, { output: new Error('No such item') }],
		["'Output' has an unknown value", {}, { output: 'report' }],
	])('is refused: %s', async (message, credential, parameters) => {
		const { activate } = createTrigger({ credential, parameters });
		await expect(activate()).rejects.toThrow(message);
		await expect(activate()).rejects.not.toThrow(/undefined/);
	});
});
