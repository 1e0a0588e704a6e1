import { readFile } from 'node:fs/promises';
import type { N8n } from '../../tools/host/instance';
import type { WebhookScheme } from '../../sandbox/webhook';
import { numbersFrom, seed } from '../support/random';
import {
	completion,
	deliver,
	hookCredential,
	now,
	outcomesOf,
	post,
	report,
	schemes,
	secrets,
	signed,
	startTrigger,
	type Trigger,
} from '../support/triggers';

const attempts = 400;
const atOnce = 8;

interface Sent {
	body: Buffer;
	headers: Record<string, string | string[]>;
}
/** Makes of a delivery one that the service did not sign. */
type Forge = (genuine: Sent, scheme: WebhookScheme) => Sent;

const random = numbersFrom(seed);
const below = (limit: number) => Math.floor(random() * limit);
const pick = <T>(choices: readonly T[]): T => choices[below(choices.length)]!;

const signatureOf = (scheme: WebhookScheme) =>
	scheme === 'standardWebhooks' ? 'webhook-signature' : 'X-Signature';
const inBody =
	(change: (body: Buffer) => Buffer | string): Forge =>
	({ body, headers }) => ({ body: Buffer.from(change(body)), headers });

/** What n8n may do with a request before the node sees it. How a signature may be written: unit/trigger/signature. */
const forgeries: Forge[] = [
	inBody((body) => {
		const at = below(body.length);
		const flipped = Buffer.from([body[at]! ^ (1 << below(8))]);
		return Buffer.concat([body.subarray(0, at), flipped, body.subarray(at + 1)]);
	}),
	inBody((body) => body.subarray(0, below(body.length))),
	inBody((body) => body + pick([' ', '\n', '\0', '}', ',"results":[]}'])),
	inBody((body) => pick(['\ufeff', ' ', '1614265330.', '[']) + body),
	inBody((body) => body.toString().replaceAll('"red"', '"green"')),
	inBody(() => pick(['', '{}', '[]', 'null', '{"job_id":"job_1"}', '<a/>', 'a=1', '\0'])),
	inBody(() => pick(['[', '{"a":', '"']).repeat(10 ** (1 + below(5)))),
	inBody(() => Buffer.alloc(below(200_000), below(256))),
	({ body, headers }, scheme) => {
		const { [signatureOf(scheme)]: value = '', ...others } = headers;
		const wrong = [`x-${signatureOf(scheme)}`, '__proto__', 'constructor', 'authorization'];
		return { body, headers: pick([others, { ...others, [pick(wrong)]: value }]) };
	},
	({ body, headers }, scheme) => {
		const half = String(headers[signatureOf(scheme)]).slice(0, 20);
		const signature = pick([half, '', 'x,'.repeat(2000), ['', half], [half, half]]);
		return { body, headers: { ...headers, [signatureOf(scheme)]: signature } };
	},
	({ body, headers }, scheme) => {
		const secret = pick([`A${secrets[scheme]}`, secrets[scheme].slice(1), 'secret', 'null', ' ']);
		return { body, headers: { ...headers, ...signed(scheme, body, { secret }) } };
	},
	({ body, headers }, scheme) => {
		const other = pick(schemes.filter((candidate) => candidate !== scheme));
		const { 'Content-Type': type = '' } = headers;
		return { body, headers: { 'Content-Type': type, ...signed(other, body) } };
	},
	({ body, headers }, scheme) => {
		const seconds = now() + pick([-1, 1]) * pick([305, 3_600, 86_400, 1e8]);
		// If no time is signed, an old one is as good as a new one, so the body is another.
		const sent = scheme === 'body' ? Buffer.concat([body, Buffer.from(' ')]) : body;
		return { body: sent, headers: { ...headers, ...signed(scheme, body, { seconds }) } };
	},
];

// But for XML: after one body that is not, n8n 2.41 answers no other one that claims to be, on any webhook.
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
		for (const scheme of schemes) {
			const credential = await n8n.saveCredential(hookCredential(secrets[scheme]));
			triggers.set(scheme, await startTrigger(n8n, credential, { signedContent: scheme }));
		}
		const pid = await n8n.processId();
		const answers = new Set<string>();
		const wrong: string[] = [];
		let left = attempts;
		const attacker = async () => {
			while (left-- > 0) {
				const scheme = pick(schemes);
				const marked = { ...report(), note: 'forged-5a1c' };
				const body = Buffer.from(completion(marked, report('green')));
				const type = { 'Content-Type': pick(contentTypes) };
				const genuine = { body, headers: { ...type, ...signed(scheme, body) } };
				const index = below(forgeries.length);
				const sent = forgeries[index]!(genuine, scheme);
				const { status, text } = await post(triggers.get(scheme)!.url, sent.body, sent.headers);
				answers.add(status === 401 ? text : String(status));
				if (![400, 401, 422].includes(status) || (status === 401 && !/^[a-z]+$/.test(text)))
					wrong.push(JSON.stringify({ index, scheme, status, text, headers: sent.headers }));
			}
		};
		await Promise.all(Array.from({ length: atOnce }, attacker));

		expect(wrong).toEqual([]);
		const reasons = ['missing', 'malformed', 'mismatch', 'stale'];
		expect([...answers]).toEqual(expect.arrayContaining(reasons));
		expect(await n8n.processId()).toBe(pid);
		const memory = await readFile(`/proc/${pid}/status`, 'utf8');
		expect(Number(/VmHWM:\s+(\d+)/.exec(memory)?.[1]) / 1024).toBeLessThan(1_500);

		// A delivery that starts its workflow shows that whatever came before had its time to do so.
		for (const [scheme, trigger] of triggers) {
			const result = report();
			const body = completion(result);
			expect((await deliver(trigger, body, signed(scheme, body))).status).toBe(200);
			expect(await outcomesOf(n8n, trigger)).toEqual([[result]]);
		}
		expect((await n8n.stored()).includes('forged-5a1c')).toBe(false);
		const lines = (await n8n.log()).split('\n').filter((line) => line.includes('Refused '));
		expect(lines.length).toBeGreaterThanOrEqual(schemes.length);
		expect(lines.join()).not.toMatch(/forged-5a1c|hook-secret|[0-9a-f]{64}/);
	});
}
