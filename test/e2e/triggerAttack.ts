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
const inSignature =
	(change: (signature: string) => string | string[]): Forge =>
	({ body, headers }, scheme) => {
		const name = signatureOf(scheme);
		return { body, headers: { ...headers, [name]: change(String(headers[name])) } };
	};
/** The digest in a header that may hold a time and labels beside it. */
const digest = /[0-9a-f]{64}|[A-Za-z0-9+/]{43}=/;
const inDigest = (change: (digest: string) => string) =>
	inSignature((signature) => signature.replace(digest, (text) => change(text)));

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
	({ body, headers }) => {
		const omitted = pick(Object.keys(headers).filter((name) => name !== 'Content-Type'));
		const { [omitted]: _, ...others } = headers;
		return { body, headers: pick([others, { ...others, [omitted]: '' }]) };
	},
	({ body, headers }, scheme) => {
		const name = signatureOf(scheme);
		const { [name]: value = '', ...others } = headers;
		const wrong = [`${name}2`, `x-${name}`, '__proto__', 'constructor', 'authorization'];
		return { body, headers: { ...others, [pick(wrong)]: value } };
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
	({ body, headers }, scheme) => {
		const time = pick(['', '0', '-1', '1e9', 'NaN', '9'.repeat(20), `${now()},t=${now()}`]);
		const name = scheme === 'standardWebhooks' ? 'webhook-timestamp' : 'X-Timestamp';
		if (scheme === 'timestampAndBody' || scheme === 'standardWebhooks') {
			return { body, headers: { ...headers, [name]: pick([time, [time, time]]) } };
		}
		const signature = String(headers['X-Signature']).replace(/t=\d+/, `t=${time}`);
		const forged = scheme === 'body' ? body.subarray(1) : body;
		return { body: forged, headers: { ...headers, 'X-Signature': signature } };
	},
	// At least two are missing: the last one may be the padding, which may be.
	inDigest((text) => text.slice(0, below(text.length - 1))),
	inDigest((text) => pick(['0'.repeat(64), '*', 'true', 'null', `${text}${text}`])),
	inDigest(() => Array.from({ length: 100 }, () => '0'.repeat(64)).join(',')),
	inSignature((text) => `${'x,'.repeat(40)}${text}`),
	inSignature(() => pick(['a', ' ', ',', '=', 'v1=', 't=1,']).repeat(2_000)),
	inSignature((text) => ['', 'v1=,', text.replace(digest, '')]),
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
