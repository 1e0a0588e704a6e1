import { generateKeyPairSync } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Credential } from '../../../tools/host/workflow';
import { type Respond, createListener } from './server';

type Cell = string | number;
type Change = { range: string; values: Cell[][] };

/** The body of a request that writes: the values of one range, or of several. */
interface WriteRequest {
	values?: Cell[][];
	data?: Change[];
	/** How to take the values. The option is here or in the query. */
	valueInputOption?: string;
}

const spreadsheetId = '1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefg';
const token = 'ya29.a-token-of-the-test';

/** Returns the number of a column, from 0: A, B, …, Z, AA, … */
function columnNumberOf(letters: string): number {
	return [...letters].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0) - 1;
}

/** A stand-in for the parts of the Google Sheets API (v4) that n8n's node uses, with one sheet. */
export interface Sheets {
	/** What answers at each host of Google's. */
	readonly sites: Readonly<Record<string, RequestListener>>;
	/** A service account with which the sheet is shared. */
	readonly credential: Credential;
	readonly url: string;
	readonly tab: string;
	/** The rows of the sheet, the names of the columns first. */
	cells: Cell[][];
	/** How each write was sent: `RAW`, or `USER_ENTERED`, which runs formulas. */
	writes: string[];
	/** Called with each request that has the right token, before the answer. */
	onRequest(request: { method: string; path: string }): void;
}

export function createSheets(): Sheets {
	const { privateKey } = generateKeyPairSync('rsa', {
		modulusLength: 2048,
		publicKeyEncoding: { type: 'spki', format: 'pem' },
		privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
	});

	const api = createListener(({ method = '', url = '', headers }, answer, text) => {
		const { pathname, searchParams } = new URL(url, 'https://sheets.googleapis.com');
		const path = decodeURIComponent(pathname);
		if (headers.authorization !== `Bearer ${token}`) return refuse(answer, 401, 'UNAUTHENTICATED');
		sheets.onRequest({ method, path });
		const base = `/v4/spreadsheets/${spreadsheetId}`;
		if (!path.startsWith(base)) return refuse(answer, 404, 'NOT_FOUND');
		const place = path.slice(base.length);
		if (method === 'GET' && place === '') {
			return answer(200, { sheets: [{ properties: { sheetId: 0, title: sheets.tab, index: 0 } }] });
		}
		const range = place.slice('/values/'.length);
		if (method === 'GET' && place.startsWith('/values/')) return answerRead(sheets, range, answer);
		const body = JSON.parse(text || '{}') as WriteRequest;
		const option = String(body.valueInputOption ?? searchParams.get('valueInputOption'));
		return answerWrite(sheets, { ...body, range, option }, answer);
	});

	// It gives the token to any caller, because no test is about how n8n asks for one.
	const authorization = createListener((_request, answer) =>
		answer(200, { access_token: token, expires_in: 3599, token_type: 'Bearer' }),
	);

	const sheets: Sheets = {
		sites: { 'sheets.googleapis.com': api, 'oauth2.googleapis.com': authorization },
		credential: {
			name: 'Google',
			type: 'googleApi',
			data: { email: 'screening@project.iam.gserviceaccount.com', privateKey },
		},
		url: `https://docs.google.com/spreadsheets/d/${spreadsheetId}/edit#gid=0`,
		tab: 'Sheet1',
		cells: [],
		writes: [],
		onRequest: () => {},
	};
	return sheets;
}

/** Answers with an error as Google writes it. */
const refuse = (answer: Respond, code: number, status: string) =>
	answer(code, { error: { code, status } });

/** Answers with the values of the sheet or, for the range `1:1`, of its first row. */
function answerRead({ tab, cells }: Sheets, place: string, answer: Respond): void {
	const range = place.replaceAll("'", '');
	const [name, rows] = range.split('!');
	if (name !== tab) return refuse(answer, 400, 'INVALID_ARGUMENT');
	const all = rows === '1:1' ? cells.slice(0, 1) : cells;
	// Google leaves out empty cells at the end of a row, and `values` of an empty range.
	const values = all.map((row) => row.slice(0, row.findLastIndex((cell) => cell !== '') + 1));
	answer(200, { range, majorDimension: 'ROWS', ...(values.length > 0 && { values }) });
}

/**
 * Writes the values of `data`, or the `values` of one range, and answers how many cells it wrote.
 */
function answerWrite(
	sheets: Sheets,
	{ range, option, values, data }: WriteRequest & { range: string; option: string },
	answer: Respond,
): void {
	const changes = data ?? (values && [{ range, values }]);
	if (!changes || !/^(RAW|USER_ENTERED)$/.test(option))
		return refuse(answer, 400, 'INVALID_ARGUMENT');
	sheets.writes.push(option);
	for (const change of changes) write(sheets, change);
	const cells = changes.flatMap(({ values: rows }) => rows.flat());
	answer(200, { spreadsheetId, totalUpdatedCells: cells.length });
}

/**
 * Writes values into the cells from the first one of a range in A1 notation on.
 *
 * @throws if the range is not of this sheet
 */
function write(sheets: Sheets, { range, values }: Change): void {
	const [, tab, letters, row] = /^'?(.+?)'?!([A-Z]*)(\d+)(?::.*)?$/.exec(range) ?? [];
	if (tab !== sheets.tab) throw new Error(`Unable to parse range: ${range}`);
	values.forEach((line, down) => {
		const cells = (sheets.cells[Number(row) - 1 + down] ??= []);
		line.forEach((value, right) => {
			const column = (letters ? columnNumberOf(letters) : 0) + right;
			while (cells.length < column) cells.push('');
			cells[column] = value;
		});
	});
}
