import { invalidResponse, type ScreeningError, tooLargeError } from '../shared/errors';
import { tryParseJson } from '../shared/json';

/*
 * The body of an answer: how long it may be, in bytes after decompression, and what it has to hold.
 */

const kilobyte = 2 ** 10;
const megabyte = 2 ** 20;

/** The report of one address in the results of a job. */
const maxBytesOfReport = 64 * kilobyte;
/** What stands around such a report. */
const maxBytesAroundReport = kilobyte;
export const maxBytesOfPdf = 64 * megabyte;
/** Any other answer, and that of a job of a few addresses. */
export const maxBytesOfAnswer = 16 * megabyte;

/** The results of a job of so many addresses. */
export const maxBytesOfJob = (addressCount: number): number =>
	Math.max(maxBytesOfAnswer, addressCount * (maxBytesOfReport + maxBytesAroundReport));

const inMegabytes = (bytes: number) => `${Math.round(bytes / megabyte)} MB`;

/** Makes the error of a 2xx answer of more than `maxBytes`. */
export function answerTooLargeError(httpCode: number, maxBytes: number): ScreeningError {
	const perAddress = `${maxBytesOfReport / kilobyte} KB for each address of a bulk job`;
	const limits = `${perAddress}, ${inMegabytes(maxBytesOfPdf)} of a PDF, and ${inMegabytes(maxBytesOfAnswer)} of any other answer`;
	return tooLargeError(inMegabytes(maxBytes), limits, httpCode);
}

/**
 * Parses the body of a 2xx answer as JSON.
 * @throws {ScreeningError} `invalid_response` for a body that is empty or is not JSON
 */
export function requireJson(body: Buffer, httpCode: number): unknown {
	if (body.length === 0) throw invalidResponse('an empty body', { httpCode });
	const value = tryParseJson(body);
	if (value === undefined) throw invalidResponse('a body that is not JSON', { httpCode });
	return value;
}

/**
 * Returns the body of a 2xx answer if it has the beginning and the end of a PDF.
 * @throws {ScreeningError} `invalid_response` for any other
 */
export function requirePdf(body: Buffer, httpCode: number): Buffer {
	if (!beginsAsPdf(body)) throw invalidPdfError('a body that is not a PDF', httpCode);
	if (!endsAsPdf(body)) throw invalidPdfError('a part of a PDF', httpCode);
	return body;
}

/** Makes the error of a PDF that is not whole. Its screening is done all the same. */
function invalidPdfError(what: string, httpCode: number): ScreeningError {
	return invalidResponse(what, { httpCode }).withText({
		description:
			'The service may still be making the PDF. Run it again later. If the answer stays the same, send this text to the vendor.',
	});
}

/**
 * Viewers look for the marks of a PDF among so many bytes at its beginning and its end (PDF
 * Reference 1.7, appendix H.3).
 */
const maxBytesToMark = 1024;

/** Whether a body has the mark with which a PDF begins. */
export const beginsAsPdf = (body: Buffer): boolean =>
	body.subarray(0, maxBytesToMark).includes('%PDF-');

/** Whether the end of a PDF is there: one that was cut has none. */
const endsAsPdf = (body: Buffer): boolean => body.subarray(-maxBytesToMark).includes('%%EOF');
