import { readFile } from 'node:fs/promises';
import type { N8n } from '../../tools/host/instance';
import { type WebhookScheme, webhookSchemes } from '../../sandbox/webhook';
import { numbersFrom, seed } from '../support/data/random';
import {
	completion,
	deliver,
	hookCredential,
	readOutcomes,
	post,
	report,
	secrets,
	signatureHeadersOf,
	startTrigger,
	type Trigger,
} from '../support/n8n/triggers';

/** `FORGERIES` sets another number than the usual one. */
const attempts = Number(process.env.FORGERIES || 120);
const atOnce = 8;

const random = numbersFrom(seed);
const below = (limit: number) => Math.floor(random() * limit);
const pick = <T>(choices: readonly T[]): T => choices[below(choices.length)]!;

/**
 * Bodies that the service did not sign, by what n8n may make of them. How a signature may be
 * written: unit/webhook/signature.
 */
const forgeries: Array<(body: Buffer) => Buffer | string> = [
	(body) => {
		const at = below(body.length);
		const flipped = Buffer.from([body[at]! ^ (1 << below(8))]);
		return Buffer.concat([body.subarray(0, at), flipped, body.subarray(at + 1)]);
	},
	(body) => body.subarray(0, below(body.length)),
	(body) => body + pick([' ', '\n', '\0', '}', ',"results":[]}']),
	(body) => pick(['\ufeff', ' ', '1614265330.', '[']) + body,
	(body) => body.toString().replaceAll('"red"', '"green"'),
	() => pick(['', '{}', '[]', 'null', '{"job_id":"job_1"}', '<a/>', 'a=1', '\0']),
	() => pick(['[', '{"a":', '"']).repeat(10 ** (1 + below(5))),
	() => Buffer.alloc(below(200_000), below(256)),
];

// XML is left out: after one malformed XML body, n8n 2.41 no longer answers any request with this
// content type.
const contentTypes = [
	...Array.from({ length: 5 }, () => 'application/json'),
	'text/plain',
	'application/x-www-form-urlencoded',
	'application/json; charset=utf-16le',
	'multipart/form-data; boundary=x',
	'',
];

export function attackTests(n8nOf: () => N8n): void {
	test(`of ${attempts} forged deliveries every one is refused and starts nothing (seed ${seed})`, async () => {
		const n8n = n8nOf();
		const triggers = new Map<WebhookScheme, Trigger>();
		for (const scheme of webhookSchemes) {
			const credential = await n8n.saveCredential(hookCredential(secrets[scheme]));
			triggers.set(scheme, await startTrigger(n8n, credential, { signedContent: scheme }));
		}
		const pid = await n8n.processId();
		const answers = new Set<string>();
		let left = attempts;
		const attacker = async () => {
			while (left-- > 0) {
				const scheme = pick(webhookSchemes);
				const body = Buffer.from(completion({ ...report(), note: 'forged-5a1c' }, report('green')));
				const sent = Buffer.from(pick(forgeries)(body));
				const type = { 'Content-Type': pick(contentTypes) };
				const headers = pick([type, { ...type, ...signatureHeadersOf(scheme, body) }]);
				const { status, text } = await post(triggers.get(scheme)!.url, sent, headers);
				answers.add(status === 401 ? text : String(status));
			}
		};
		await Promise.all(Array.from({ length: atOnce }, attacker));

		expect(['missing', 'mismatch', '400', '422']).toEqual(expect.arrayContaining([...answers]));
		expect([...answers]).toEqual(expect.arrayContaining(['missing', 'mismatch']));
		expect(await n8n.processId()).toBe(pid);
		const memory = await readFile(`/proc/${pid}/status`, 'utf8');
		expect(Number(/VmHWM:\s+(\d+)/.exec(memory)?.[1]) / 1024).toBeLessThan(1_500);

		// A delivery that starts its workflow shows that whatever came before had its time to do so.
		for (const [scheme, trigger] of triggers) {
			const result = report();
			const body = completion(result);
			expect((await deliver(trigger, body, signatureHeadersOf(scheme, body))).status).toBe(200);
			expect(await readOutcomes(n8n, trigger)).toEqual([[result]]);
		}
		expect((await n8n.bytesOfUserFolder()).includes('forged-5a1c')).toBe(false);
		const lines = (await n8n.log()).split('\n').filter((line) => line.includes('Refused '));
		expect(lines.length).toBeGreaterThanOrEqual(webhookSchemes.length);
		expect(lines.join()).not.toMatch(/forged-5a1c|hook-secret|[0-9a-f]{64}/);
	});
}
