import {
	defaultSignatureSettings,
	resolveScheme,
} from '../../../nodes/WalletScreening/webhook/scheme';
import { verifySignature } from '../../../nodes/WalletScreening/webhook/signature';
import { findFittingSettings } from '../../../nodes/WalletScreening/webhook/suggestion';
import {
	type Convention,
	conventionTime,
	conventionUrl,
	publicConventions,
	withLowerCaseHeaders,
} from '../../support/data/conventions';

const usualHeaders = {
	host: 'n8n.example',
	connection: 'keep-alive',
	'content-length': '1234',
	'user-agent': 'Hooks/1.0',
	'accept-encoding': 'gzip, deflate, br',
	traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
	'x-request-id': 'a6c1b1f0-51a4-4a5c-9d6f-0d0d8f1f6f6f',
	'x-forwarded-for': '203.0.113.7',
};

/** A delivery at a time at which it is not stale. */
const received = ({ headers, body, secret }: Convention) => ({
	body: Buffer.from(body),
	headers: { ...usualHeaders, ...headers } as Record<string, string>,
	url: conventionUrl,
	secrets: ['another-secret', secret],
	toleranceSeconds: 300,
	now: conventionTime,
});

/** Another character in the place of one of a header. */
function changed(text: string, at: number): string {
	const other = text[at] === '7' ? '8' : '7';
	return text.slice(0, at) + other + text.slice(at + 1);
}

describe.each(publicConventions.map((one) => [one.service, one] as const))(
	'a delivery as %s signs it',
	(_service, convention) => {
		const { settings, headers } = convention;
		const delivery = received(convention);
		const judge = (changes: Partial<typeof delivery> = {}, other: object = {}) =>
			verifySignature(
				{ ...delivery, ...changes },
				resolveScheme(
					{ ...defaultSignatureSettings, ...settings, ...other },
					changes.headers ?? delivery.headers,
				),
			);
		const signatureHeader = Object.keys(headers).find(
			(name) => name.toLowerCase() === settings.signatureHeader.toLowerCase(),
		)!;
		const signature = headers[signatureHeader]!;
		const withHeader = (name: string, value: string) => ({
			headers: { ...delivery.headers, [name]: value },
		});
		const isTimed = !['GitHub', 'Shopify', 'Typeform', 'Square'].includes(convention.service);

		test('is accepted', () => {
			expect(judge()).toBe('accepted');
			const verdict = isTimed ? 'stale' : 'accepted';
			expect(judge({ now: conventionTime + 302_000 })).toBe(verdict);
			expect(judge({ now: conventionTime - 302_000 })).toBe(verdict);
		});

		test('is refused with a body of one bit, one blank or one character more or less', () => {
			const { body } = delivery;
			for (let at = 0; at < body.length; at += 97) {
				const flipped = Buffer.from(body);
				flipped[at] = flipped[at]! ^ 1;
				expect(judge({ body: flipped })).toBe('mismatch');
			}
			const others = [' ', '', '{}'].map((text) => Buffer.from(text));
			for (const other of [
				...others,
				Buffer.concat([body, Buffer.from(' ')]),
				body.subarray(1),
				body.subarray(0, -1),
				Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 1)),
			]) {
				expect(judge({ body: other })).toBe('mismatch');
			}
		});

		test('is refused with another secret', () => {
			for (const secret of ['another', `${convention.secret}1`, '', 'whsec_'])
				expect(judge({ secrets: [secret] })).toBe('mismatch');
		});

		test('is refused with a signature that is cut or has another character', () => {
			const digests = signature.match(/[\da-f]{64}|[\w+/-]{43}=/g)!;
			const spoilt = (spoil: (digest: string) => string) =>
				digests.reduce((text, digest) => text.replace(digest, spoil(digest)), signature);
			const verdictOf = (text: string) => judge(withHeader(signatureHeader, text));
			for (const spoil of [
				(digest: string) => digest.slice(0, -2),
				(digest: string) => digest.slice(1),
				(digest: string) => digest.slice(0, 32),
				() => '',
			]) {
				expect(verdictOf(spoilt(spoil))).toMatch(/^(malformed|missing)$/);
			}
			for (let at = 0; at < 43; at++)
				expect(verdictOf(spoilt((digest) => changed(digest, at)))).toMatch(
					/^(mismatch|malformed)$/,
				);
		});

		test('is refused without its signature, or with it in another header', () => {
			const { [signatureHeader]: _taken, ...others } = delivery.headers;
			expect(judge({ headers: others })).toBe('missing');
			expect(judge({ headers: { ...others, 'x-other': signature } })).toBe('missing');
		});

		test('is refused if anything else that is signed was changed', () => {
			const signedHeaders = [
				settings.timestampHeader,
				settings.idHeader,
				...(settings.signedContent === 'standardWebhooks'
					? ['webhook-id', 'webhook-timestamp']
					: []),
			].filter((name) => name !== undefined && name !== '') as string[];
			for (const name of signedHeaders) {
				const value = headers[name]!;
				expect(judge(withHeader(name, ''))).toBe('missing');
				for (let at = 0; at < value.length; at++)
					expect(judge(withHeader(name, changed(value, at)))).toMatch(/^(mismatch|malformed)$/);
			}
			for (const label of ['t=', 'ts='].filter((one) => signature.startsWith(one))) {
				const at = label.length + 9;
				expect(judge(withHeader(signatureHeader, changed(signature, at)))).toBe('mismatch');
			}
			const isOfUrl = settings.signedTemplate?.includes('{url}');
			expect(judge({ url: `${conventionUrl}/` })).toBe(isOfUrl ? 'mismatch' : 'accepted');
		});

		test('is what the settings are suggested from, whatever its headers are called', () => {
			const current = { ...defaultSignatureSettings, signatureHeader: 'X-None' };
			const suggestion = findFittingSettings(delivery, current)!;
			expect(withLowerCaseHeaders(suggestion)).toEqual(withLowerCaseHeaders(settings));
			// Months later, as in a log.
			expect(findFittingSettings({ ...delivery, now: Date.UTC(2026, 10, 26) }, current)).toEqual(
				suggestion,
			);

			const renamed = Object.fromEntries(
				Object.entries(headers).map(([name, value], index) =>
					name === 'Content-Type' ? [name, value] : [`x-field-${index}`, value],
				),
			);
			const withOtherNames = { ...delivery, headers: { ...usualHeaders, ...renamed } };
			const other = findFittingSettings(withOtherNames, current)!;
			expect(
				verifySignature(
					withOtherNames,
					resolveScheme({ ...defaultSignatureSettings, ...other }, withOtherNames.headers),
				),
			).toBe('accepted');
			expect(other.signedTemplate ?? settings.signedTemplate).toBe(
				settings.signedContent === 'standardWebhooks'
					? '{id}.{timestamp}.{body}'
					: settings.signedTemplate,
			);
		});

		test('is what no settings are suggested from if it is a forgery', () => {
			const current = { ...defaultSignatureSettings, signatureHeader: 'X-None' };
			const body = Buffer.concat([delivery.body, Buffer.from(' ')]);
			expect(findFittingSettings({ ...delivery, body }, current)).toBeUndefined();
			expect(findFittingSettings({ ...delivery, secrets: ['another'] }, current)).toBeUndefined();
		});
	},
);
