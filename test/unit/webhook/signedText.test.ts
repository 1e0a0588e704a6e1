import {
	defaultSignatureSettings,
	resolveScheme,
	type SignatureScheme,
	type SignatureSettings,
	splitTemplate,
} from '../../../nodes/WalletScreening/webhook/scheme';
import {
	fillTemplate,
	identifiesMessages,
	isWellFormed,
	parseTime,
	readMessageId,
	readSentValues,
} from '../../../nodes/WalletScreening/webhook/signedText';
import { tryParseJson } from '../../../nodes/WalletScreening/shared/json';
import { json, MESSAGE_ID } from '../../support/data/signatureVectors';

type Values = Record<string, string>;

/** Lists all ways in which the pieces of a template can be found in a text. */
function divide(pieces: string[], text: string, values: Values): Values[] {
	const [piece, ...others] = pieces;
	if (piece === undefined) return text === '' ? [values] : [];
	const known = piece.startsWith('{') ? values[piece] : piece;
	const ends = known === undefined ? [...Array(text.length + 1).keys()] : [known.length];
	return ends.flatMap((end) => {
		const value = text.slice(0, end);
		const fits = known === undefined || value === known;
		return fits ? divide(others, text.slice(end), { ...values, [piece]: value }) : [];
	});
}

const url = 'https://n8n.example/1';

/** Whether a delivery of this time counts on any day of this century. */
function counts(timestamp: string | undefined): boolean {
	if (timestamp === undefined) return true;
	const time = parseTime(timestamp);
	return time > Date.UTC(2000, 0) && time < Date.UTC(2100, 0);
}

test.each<[template: string, time: string, id: string, body: string]>([
	['{body}', '', '', ' [{"a":[1]}]\n'],
	['{timestamp}{body}', '1764265330', '', ' {"a":[1]}\n'],
	['{body}{timestamp}', '1764265330.25', '', '[[17642653]]'],
	['{timestamp}.{body}', '1764265330.5', '', '{"a":{"b":1}}'],
	['{timestamp} {body}', '2025-11-27T17:42:10.5+01:00', '', '  [1]'],
	['{timestamp} {body}', 'Thu, 27 Nov 2025 17:42:10 GMT', '', '  [1]'],
	['{body}{timestamp}', 'Thu, 27 Nov 2025 17:42:10 GMT', '', '[1] '],
	['{timestamp}{timestamp}{body}', '1764265330', '', '[]'],
	['{id}{body}', '', '[1]', '[2]'],
	['{id}{body}', '', 'a', ' [1]'],
	['{body}{id}', '', '[1]{"a":1}', '[2]'],
	['{url}{id}{body}', '', 'https://n8n.example/1', '{"a":"b"}'],
	['{id}{timestamp}{body}', '1764265330', 'msg_176', '[]'],
	['{id}{timestamp}{body}', '1764265330.123456789', '1764265330.', '[]'],
	['{id}{timestamp}{body}', '2025-11-27T17:42:10Z', '2025-11-27T17:42:10.', '[]'],
	['{id}{timestamp}{body}', '2025-11-27T17:42:10+0100', '2025-11-27T17:42:10', '[]'],
	['{id}{timestamp}{body}', 'Thu, 27 Nov 2025 17:42:10 GMT', 'msg_Thu,', '[]'],
	['{id}6{timestamp}{body}', '1764265330', 'msg_17617', '[]'],
	['{id}.{timestamp}.{body}', '1764265330', 'msg.1761764265330', '{"a":[]}'],
	['{id}.{timestamp}.{body}', '1764265330123', '1764265330', '[[]]'],
	['{id}.{timestamp}.{body}', '1764265330123456', '1764265330', '[[]]'],
	['{timestamp}{id}{body}', '1764265330', '123.4x', '[]'],
	['{timestamp}{id}{body}', '1764265330123', '4', '[]'],
	['{timestamp}{id}{body}', '1764265330123', '456x', '[]'],
	['{timestamp}{id}{body}', '1764265330123456', '7', '[]'],
	['{timestamp}{id}{body}', '2025-11-27T17:42:10+0100', ':00x', '[]'],
	['{timestamp}.{id}.{body}', '1764265330', '5.x', '[]'],
	['{id}:{body}:{timestamp}', '1764265330', '{"a":1}:{"a":1}', '{"a":1}'],
])(
	'the text of %s with %j, %j and %j cannot be divided into another body, time or ID that counts',
	(template, timestamp, id, body) => {
		const scheme: SignatureScheme = { ...defaultSignatureSettings, template };
		const given = { timestamp, id, body: Buffer.from(body), url };
		const text = fillTemplate(template, given).map(String).join('');
		const valuesOf = (values: Values) => ({ timestamp: values['{timestamp}'], id: values['{id}'] });
		const accepted = divide(splitTemplate(template), text, { '{url}': url })
			.map((values) => ({ ...valuesOf(values), body: values['{body}']! }))
			.filter(
				(other) =>
					isWellFormed(other, scheme) &&
					counts(other.timestamp) &&
					typeof tryParseJson(other.body) === 'object',
			);
		expect(accepted.map((other) => other.body)).toContain(body);
		for (const other of accepted) {
			expect(tryParseJson(other.body)).toEqual(JSON.parse(body));
			const moved = parseTime(other.timestamp ?? '0') - parseTime(timestamp);
			if (other.timestamp !== undefined) expect(Math.abs(moved)).toBeLessThan(1000);
			if (other.id !== undefined && identifiesMessages(scheme)) expect(other.id).toBe(id);
		}
	},
);

test.each<[template: string, timestamp: string, isClear: boolean, because: string]>([
	['{id}{timestamp}{body}', '1764265330', true, 'seconds have ten digits'],
	['{id}{timestamp}{body}', '1764265330.5', true, 'a fraction comes after the ten digits'],
	['{id}{timestamp}{body}', '2025-11-27T17:42:10+0100', true, 'ISO 8601 begins with the year'],
	['{id}{timestamp}{body}', 'Thu, 27 Nov 2025 17:42:10 GMT', true, 'it begins before its comma'],
	['{id}{timestamp}{body}', '176426533', false, 'a tenth digit could end the ID'],
	['{id}{timestamp}{body}', '17642653301', false, 'the first of 11 digits could end the ID'],
	['{id}{timestamp}{body}', '1764265330123', false, 'milliseconds could begin in the ID'],
	['{id}{timestamp}{body}', '1764265330123456', false, 'microseconds could begin in the ID'],
	['{id}00{timestamp}{body}', '1764265330123', false, 'digits could belong to ID and time'],
	['{id}.{timestamp}{body}', '1764265330123456', true, 'a dot ends the ID'],
	['{timestamp}{body}', '1764265330123456', true, 'there is no ID'],
])(
	'in the text of %s with %j the time is clear: %s, because %s',
	(template, timestamp, isClear) => {
		const id = template.includes('{id}') ? MESSAGE_ID : undefined;
		const scheme = { ...defaultSignatureSettings, template };
		expect(isWellFormed({ timestamp, id }, scheme)).toBe(isClear);
	},
);

test.each<[id: string, isClear: boolean, because: string]>([
	['!-~/09azAZ', true, 'an ID may have all that ASCII prints'],
	['msg 1', false, 'a blank could belong to the body'],
	['msg_1\n', false, 'so could a line break'],
	['msg_é', false, 'n8n may not read it as it was signed'],
])('the ID %j is clear: %s, because %s', (id, isClear) => {
	const scheme = { ...defaultSignatureSettings, template: '{id}{body}' };
	expect(isWellFormed({ timestamp: undefined, id }, scheme)).toBe(isClear);
});

test.each<[template: string, isCertain: boolean]>([
	['{id}{timestamp}{body}', true],
	['{id}.{timestamp}.{body}', true],
	['{timestamp}:{id}{body}', true],
	['{timestamp}{id}{body}', false],
	['{timestamp}.{id}.{body}', false],
	['{timestamp}1{id}.{body}', false],
])('in the template %s the ID of a message is certain: %s', (template, isCertain) => {
	expect(identifiesMessages({ ...defaultSignatureSettings, template })).toBe(isCertain);
});

test('the ID of a message is known only if it is signed', () => {
	const headers = { 'Webhook-Id': MESSAGE_ID, 'X-Signature': `id=m1, sig=${json.body}` };
	const idIn = (changes: Partial<SignatureSettings>) =>
		readMessageId(headers, resolveScheme({ ...defaultSignatureSettings, ...changes }, headers));
	expect(idIn({ signedContent: 'standardWebhooks' })).toBe('');
	const standardHeaders = { ...headers, 'Webhook-Signature': `v1,${json.standardWebhooks}` };
	const standardScheme = resolveScheme(
		{ ...defaultSignatureSettings, signedContent: 'standardWebhooks' },
		standardHeaders,
	);
	expect(readMessageId(standardHeaders, standardScheme)).toBe(MESSAGE_ID);
	for (const signedContent of ['stripe', 'body', 'timestampAndBody', 'custom'] as const)
		expect(idIn({ signedContent, idHeader: 'webhook-id' })).toBeUndefined();
	const custom = { signedContent: 'custom', signedTemplate: '{id}{body}' } as const;
	expect(idIn({ ...custom, idHeader: 'webhook-id' })).toBe(MESSAGE_ID);
	expect(idIn(custom)).toBe('m1');
});

test.each<[header: string, id: string, because: string]>([
	['id=m1,v1=a id=m1,v1=b', 'm1', 'it is the same in both sets'],
	['id=m1,v1=a id=m2,v1=b', 'm1, m2', 'two IDs are none, and no ID has a blank'],
	['v1=a', '', 'there is none'],
	['uid=m2,id=m1,v1=a', 'm1', 'a label counts as a whole'],
])('the ID in the signature header %j is %j, because %s', (header, id) => {
	const scheme = { ...defaultSignatureSettings, template: '{id}{body}' };
	expect(readMessageId({ 'x-signature': header }, scheme)).toBe(id);
});

test.each<[name: string, because: string]>([
	['', 'the field is empty'],
	['  ', 'blanks cannot be seen'],
])(
	'without a name of their header, %j, time and ID are in that of the signature, because %s',
	(name) => {
		const template = '{id}{timestamp}{body}';
		const scheme = { ...defaultSignatureSettings, template, timestampHeader: name, idHeader: name };
		const headers = { 'x-signature': 'ID=m1;TS=1764265330;V1=a', ' ': 'none' };
		expect(readSentValues(headers, scheme)).toEqual({ timestamp: '1764265330', id: 'm1' });
	},
);
