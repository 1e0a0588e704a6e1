import { invalidResponse, type ScreeningError, tooLargeError } from '../shared/errors';
import { tryParseJson } from '../shared/json';

/*
 * The body of an answer: how long it may be, in bytes after decompression, and what it has to hold.
 */

const kilobyte = 2 ** 10;
const megabyte = 2 ** 20;

/** One report. Hundreds of these answers may be in memory at once. */
export const maxBytesOfReport = megabyte;
export const maxBytesOfPdf = 64 * megabyte;
/** The answer to the submit of a job, and the results of a job of a few addresses. */
export const maxBytesOfSmallJob = 16 * megabyte;
/** The report of one address in the results of a job. */
const maxBytesOfResult = 64 * kilobyte;
/** What stands around such a report. */
const maxBytesAroundResult = kilobyte;

/** The results of a job of so many addresses. */
export const maxBytesOfJob = (addressCount: number): number =>
	Math.max(maxBytesOfSmallJob, addressCount * (maxBytesOfResult + maxBytesAroundResult));

const inMegabytes = (bytes: number) => `${Math.round(bytes / megabyte)} MB`;

/** Makes the error of a 2xx answer of more than `maxBytes`. */
export function answerTooLargeError(httpCode: number, maxBytes: number): ScreeningError {
	const ofJob = `${maxBytesOfResult / kilobyte} KB for each address, at least ${inMegabytes(maxBytesOfSmallJob)}`;
	const limits = `${inMegabytes(maxBytesOfReport)} of a report, ${inMegabytes(maxBytesOfPdf)} of a PDF, and of a bulk job ${ofJob}`;
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
	if (!endsAsPdf(body))
		throw invalidPdfError('a PDF without its end, or with more behind it', httpCode);
	return body;
}

/** Makes the error of a PDF that is not whole. Its screening is done all the same. */
function invalidPdfError(what: string, httpCode: number): ScreeningError {
	return invalidResponse(what, { httpCode }).withText({
		description:
			'The service may still be making the PDF. Run it again later. If the answer stays the same, send this text to the vendor.',
	});
}

const endMark = '%%EOF';
const byteOrderMark = Buffer.from('\uFEFF');
/** NUL, the tab, the ends of lines and pages, and the blank (PDF Reference 1.7, table 3.1). */
const whiteSpace = Buffer.from('\0\t\n\f\r ');

const isWhite = (bytes: Buffer): boolean => bytes.every((byte) => whiteSpace.includes(byte));

/** Whether a body begins with the mark of a PDF, with nothing but white space before it. */
export function beginsAsPdf(body: Buffer): boolean {
	const isMarked = body.subarray(0, byteOrderMark.length).equals(byteOrderMark);
	const content = isMarked ? body.subarray(byteOrderMark.length) : body;
	const start = content.indexOf('%PDF-');
	return start >= 0 && isWhite(content.subarray(0, start));
}

/** Whether the end of a PDF is there, with nothing but white space behind it. */
function endsAsPdf(body: Buffer): boolean {
	const end = body.lastIndexOf(endMark);
	return end >= 0 && isWhite(body.subarray(end + endMark.length));
}
