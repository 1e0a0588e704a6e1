import { answerTooLargeError, requireJson } from '../../../nodes/WalletScreening/client/answerBody';

const bytes = (text: string) => Buffer.from(text);

test('a byte order mark before a body is no part of it', () => {
	expect(requireJson(bytes('\uFEFF{"job_id":"jé1"}'), 200)).toEqual({ job_id: 'jé1' });
});

test.each(['', '\uFEFF', '\uFEFF\uFEFF{}'])('no JSON is invalid_response: %j', (text) => {
	expect(() => requireJson(bytes(text), 200)).toThrow(
		expect.objectContaining({ errorClass: 'invalid_response' }) as Error,
	);
});

test('of two equal names in one object the last one counts', () => {
	expect(requireJson(bytes('{"level":1,"\\u006cevel":2}'), 200)).toEqual({ level: 2 });
});

test('the error of an answer that is too large names all limits', () => {
	const { message, description } = answerTooLargeError(200, 2 ** 20);
	expect(message).toBe('The answer of the service is too large: more than 1 MB');
	expect(description).toMatch(
		/^The node reads 1 MB of a report, 64 MB of a PDF, and of a bulk job 64 KB for each address, at least 16 MB\./,
	);
});
