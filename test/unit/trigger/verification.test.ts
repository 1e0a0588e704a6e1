import { setImmediate } from 'node:timers/promises';
import { reportBody } from '../support/answers';
import { createTrigger, ended, signed, started, type TriggerOptions } from './context';

const green = reportBody();
const red = reportBody({ report_id: 'rep_2', risk: { level: 'red', score: 0.9 } });
const bodyOf = (...results: unknown[]) => JSON.stringify({ job_id: 'job_1', results });
const body = bodyOf(green);
const { 'x-signature': signature = '' } = signed(body);
const seconds = () => Math.floor(Date.now() / 1000);
const unavailable = ended(503, 'unavailable');
const trigger = "'Bulk Results' of workflow 'Alerts'";

const timed = { signedContent: 'timestampAndBody', timestampHeader: 'X-Time', tolerance: 1000 };
const atTime = (time: number) => ({ ...signed(`${time}.${body}`), 'x-time': String(time) });

describe('a delivery', () => {
	test.each([
		['without a signature', {}, 'missing'],
		['with an invalid signature', { 'x-signature': 'yes' }, 'malformed'],
		['with the signature of another body', signed(bodyOf(red)), 'mismatch'],
		['with a signature by another secret', signed(body, 'guessed'), 'mismatch'],
	])('%s is refused and leaves nothing behind', async (_what, headers, word) => {
		const { deliver, staticData } = createTrigger();
		expect(await deliver({ body, headers })).toEqual(ended(401, word));
		expect(staticData).toEqual({});
	});

	test('of which n8n kept no bytes is refused', async () => {
		expect(await createTrigger().deliver({ body: undefined })).toEqual(ended(401, 'malformed'));
	});

	test.each([
		['old', { previousWebhookSecret: 'old' }],
		['old', { webhookSecret: '', previousWebhookSecret: 'old' }],
		['20261120', { webhookSecret: 20261120 }],
		['20261120', { webhookSecret: 'new', previousWebhookSecret: 20261120 }],
	])('may be signed with any of the secrets: %s', async (secret, credential) => {
		const { deliver } = createTrigger({ credential });
		expect(await deliver({ body, headers: signed(body, secret) })).toEqual(started(green));
	});

	test('is judged by the time in the header that was chosen, within the tolerance', async () => {
		const { deliver } = createTrigger({ parameters: timed });
		const at = async (late: number) => await deliver({ body, headers: atTime(seconds() - late) });
		expect(await at(2000)).toEqual(ended(401, 'stale'));
		expect(await at(500)).toEqual(started(green));
	});

	test('of which a part of the time was moved to the body is no JSON any more', async () => {
		const time = seconds();
		const headers = { ...signed(`${time}.5.${body}`), 'x-time': String(time) };
		for (const output of ['reports', 'batch']) {
			const { deliver } = createTrigger({ parameters: { ...timed, output } });
			expect(await deliver({ body: `5.${body}`, headers })).toEqual(ended(400, 'unreadable'));
		}
	});
});

describe('a delivery that cannot be judged comes again, and the log says why once a minute', () => {
	const empty = "'Webhook Secret' of the credential is empty. Open the credential";
	test.each<[string, string, TriggerOptions]>([
		['its credential cannot be read', 'It is gone', { credential: new Error('It is gone') }],
		['its secret was emptied', empty, { credential: { webhookSecret: '' } }],
		['an expression gave nothing', empty, { credential: { webhookSecret: undefined } }],
		[
			'only the old secret is left',
			empty,
			{ credential: { webhookSecret: ' ', previousWebhookSecret: 'old' } },
		],
		...(
			[
				['Signature Scheme', { signedContent: 'none' }],
				['Signature Header', { signatureHeader: [1] }],
				['Timestamp Header', { timestampHeader: {} }],
				['Tolerance (Seconds)', { tolerance: 'long' }],
				['Tolerance (Seconds)', { tolerance: -1 }],
			] as Array<[string, Record<string, unknown>]>
		).map(([label, parameters]): [string, string, TriggerOptions] => [
			`${label} is invalid`,
			`'${label}' has an invalid value`,
			{ parameters },
		]),
		[
			'a setting cannot be read',
			'No such item',
			{ parameters: { tolerance: new Error('No such item') } },
		],
	])('because %s', async (_why, why, options) => {
		const { deliver, warnings, staticData } = createTrigger(options);
		for (let count = 0; count < 3; count++) expect(await deliver({ body })).toEqual(unavailable);
		expect(warnings).toEqual([
			expect.stringContaining(`Could not verify a delivery to ${trigger}: `),
		]);
		expect(warnings[0]).toContain(why);
		expect(staticData).toEqual({});
	});

	test('while one that any secret refuses is refused', async () => {
		const { deliver } = createTrigger({ credential: { webhookSecret: '' } });
		expect(await deliver({ body, headers: {} })).toEqual(ended(401, 'missing'));
		const { deliver: deliverTimed } = createTrigger({
			parameters: timed,
			credential: { previousWebhookSecret: '' },
		});
		expect(await deliverTimed({ body, headers: atTime(seconds() - 2000) })).toEqual(
			ended(401, 'stale'),
		);
	});
});

describe("n8n's log", () => {
	afterEach(() => jest.restoreAllMocks());

	const why = {
		missing: 'missing (the signature, time or ID is not in the headers that the settings name)',
		mismatch: 'mismatch (signed with another secret or in another scheme, or changed on the way)',
		stale: "stale (signed at a time beyond 'Tolerance (Seconds)' from the clock of this n8n)",
	};
	const advice =
		'Listen in the editor and let the service deliver again: the editor then names the settings that fit.';

	test('says why deliveries are refused, at once, and then once a minute with how many', async () => {
		const now = jest.spyOn(performance, 'now').mockReturnValue(1e6);
		const { deliver, warnings } = createTrigger();
		const forge = async (headers: Record<string, string>) =>
			expect(await deliver({ body, headers })).toMatchObject({ status: 401 });
		const first = `Refused a delivery to ${trigger}: 1 ${why.mismatch}. ${advice}`;
		await forge(signed(body, 'guessed'));
		expect(warnings).toEqual([first]);
		now.mockReturnValue(1e6 + 59_999);
		for (const headers of [{}, signed(body, 'guessed'), {}]) await forge(headers);
		expect(warnings).toEqual([first]);
		now.mockReturnValue(1e6 + 60_000);
		await forge({});
		expect(warnings).toEqual([
			first,
			`Refused 4 deliveries to ${trigger}: 3 ${why.missing}, 1 ${why.mismatch}. ${advice}`,
		]);
		now.mockReturnValue(1e6 + 120_000);
		await forge({});
		expect(warnings.at(-1)).toBe(`Refused a delivery to ${trigger}: 1 ${why.missing}. ${advice}`);
	});

	test('gives no advice on settings for a delivery that is only late', async () => {
		const { deliver, warnings } = createTrigger({ parameters: timed });
		await deliver({ body, headers: atTime(seconds() - 2000) });
		expect(warnings).toEqual([`Refused a delivery to ${trigger}: 1 ${why.stale}.`]);
	});

	test('has a line of its own for each node, and for what cannot be judged', async () => {
		const credential: Record<string, unknown> = {};
		const triggers = [createTrigger(), createTrigger({ credential })];
		for (const { deliver, warnings } of triggers) {
			await deliver({ body, headers: {} });
			expect(warnings).toHaveLength(1);
		}
		credential.webhookSecret = '';
		await triggers[1]!.deliver({ body });
		expect(triggers[1]!.warnings).toHaveLength(2);
	});

	test('holds nothing that the sender or an error wrote over several lines, nor the secret', async () => {
		const odd = `x-\n\u001b[2J${'h'.repeat(500)}`;
		const { deliver, warnings } = createTrigger();
		await deliver({ body, headers: { [odd]: signature, 'x-signature': 'SECRET\u001b' } });
		expect(warnings.join()).not.toMatch(/hhh|SECRET|\u001b|hook-secret/);
		const failing = createTrigger({ credential: new Error(`line\n${'e'.repeat(500)}`) });
		await failing.deliver({ body });
		expect(failing.warnings[0]).toMatch(/: line\?e{251}$/);
	});
});

describe('a delivery that fits the secret under other settings', () => {
	const other = { 'x-hub-signature': `sha256=${signature}` };
	const refused = ended(401, 'missing');

	test('shows them in the editor while it listens, and is refused', async () => {
		const { deliver, warnings } = createTrigger({ mode: 'manual' });
		const { items, ...answer } = await deliver({ body, headers: other });
		expect({ ...answer, items: undefined }).toEqual(refused);
		expect(items).toEqual([
			{
				error:
					'The delivery is signed with the webhook secret, but the settings of this node do not match it',
				details: expect.objectContaining({
					errorClass: 'invalid_input',
					description: "Set 'Signature Header' to 'x-hub-signature'.",
					parameter: 'Signature Header',
					suggestion: { signedContent: 'body', signatureHeader: 'x-hub-signature' },
				}),
			},
		]);
		expect(warnings).toEqual([]);
	});

	test('is only refused in production', async () => {
		const { deliver, warnings } = createTrigger();
		expect(await deliver({ body, headers: other })).toEqual(refused);
		expect(warnings.join()).not.toContain('x-hub-signature');
	});

	test('is not what the editor shows for a forgery, or for a delivery that is only late', async () => {
		const { deliver, warnings } = createTrigger({ mode: 'manual', parameters: timed });
		expect(await deliver({ body: `${body} `, headers: other })).toEqual(refused);
		expect(warnings).toEqual([
			expect.stringMatching(/No other settings fit them either: check 'Webhook Secret'/),
		]);
		const late = await deliver({ body, headers: atTime(seconds() - 2000) });
		expect(late).toEqual(ended(401, 'stale'));
	});
});

describe('the credential', () => {
	afterEach(() => jest.restoreAllMocks());

	test('is read once for deliveries that arrive while it is read, and again after that', async () => {
		const { deliver, reads } = createTrigger({ reading: async () => await setImmediate() });
		const both = [bodyOf(green), bodyOf(red)];
		const outcomes = await Promise.all(both.map(async (one) => await deliver({ body: one })));
		expect(outcomes).toEqual([started(green), started(red)]);
		expect(reads.count).toBe(1);
		await deliver({ body, headers: {} });
		expect(reads.count).toBe(2);
	});

	test('that was revoked accepts nothing that arrives after the read', async () => {
		const credential: Record<string, unknown> = {};
		const { deliver } = createTrigger({ credential, reading: async () => await setImmediate() });
		expect(await deliver({ body })).toEqual(started(green));
		credential.webhookSecret = 'another';
		expect(await deliver({ body: bodyOf(red) })).toEqual(ended(401, 'mismatch'));
	});

	test('of one node is not read for another', async () => {
		const reading = async () => await setImmediate();
		const triggers = [
			createTrigger({ reading }),
			createTrigger({ reading, credential: { webhookSecret: 'another' } }),
		];
		const outcomes = await Promise.all(
			triggers.map(async ({ deliver }) => await deliver({ body })),
		);
		expect(outcomes).toEqual([started(green), ended(401, 'mismatch')]);
	});

	test('of production is not read for the editor', async () => {
		const { deliver, reads } = createTrigger({ reading: async () => await setImmediate() });
		await Promise.all([deliver({ body }), deliver({ body, mode: 'manual' })]);
		expect(reads.count).toBe(2);
	});

	test('whose read hangs does not hold up what comes a second later', async () => {
		const now = jest.spyOn(performance, 'now').mockReturnValue(1e6);
		let hangs = true;
		const reading = async () => (hangs ? await new Promise<void>(() => {}) : undefined);
		const { deliver, reads } = createTrigger({ reading });
		void deliver({ body });
		hangs = false;
		now.mockReturnValue(1e6 + 999);
		void deliver({ body });
		expect(reads.count).toBe(1);
		now.mockReturnValue(1e6 + 1000);
		expect(await deliver({ body })).toEqual(started(green));
	});
});

describe('activation', () => {
	test('needs a webhook secret and nothing else', async () => {
		expect(await createTrigger().activate()).toBe(true);
		const blank = createTrigger({ credential: { previousWebhookSecret: ' ' } });
		expect(await blank.activate()).toBe(true);
	});

	const notBase64 = 'is not a Standard Webhooks secret';
	test.each<[string, Record<string, unknown>, Record<string, unknown>, string]>([
		['no secret', { webhookSecret: undefined }, {}, "'Webhook Secret' of the credential is empty."],
		['a blank secret', { webhookSecret: ' ' }, {}, "'Webhook Secret' of the credential is empty."],
		[
			'a secret that is not base64',
			{ webhookSecret: 'hook-secret' },
			{ signedContent: 'standardWebhooks' },
			`'Webhook Secret' of the credential ${notBase64}`,
		],
		[
			'a previous secret that is not base64',
			{ webhookSecret: 'whsec_MfKQ', previousWebhookSecret: 'hook-secret' },
			{ signedContent: 'standardWebhooks' },
			`'Previous Webhook Secret' of the credential ${notBase64}`,
		],
		[
			'decision rules that cannot be right',
			{},
			{ addDecision: true, decisionRules: {} },
			"There is no rule (see 'Decision Rules')",
		],
		[
			'a switch that is neither on nor off',
			{},
			{ options: { simplify: 'maybe' } },
			"'Simplify' is",
		],
		['an expression that fails', {}, { output: new Error('No such item') }, 'No such item'],
	])('is refused with %s', async (_what, credential, parameters, message) => {
		const { activate } = createTrigger({ credential, parameters });
		await expect(activate()).rejects.toThrow(message);
		await expect(activate()).rejects.not.toThrow(/undefined/);
	});
});
