import { generateKeyPairSync } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Credential } from '../../../tools/host/instance';
import { answering } from './server';

type Cell = string | number;
type Change = { range: string; values: Cell[][] };

const spreadsheetId = '1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefg';
const token = 'ya29.a-token-of-the-test';

/** The number of a column, from 0: A, B, …, Z, AA, … */
function columnOf(letters: string): number {
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
	/** Is called before each answer. */
	before(request: { method: string; path: string }): void;
}

export function createSheets(): Sheets {
	const { privateKey } = generateKeyPairSync('rsa', {
		modulusLength: 2048,
		publicKeyEncoding: { type: 'spki', format: 'pem' },
		privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
	});

	/** Writes values from the first cell of a range in A1 notation on. */
	const write = (range: string, values: Cell[][]) => {
		const [, tab, letters, row] = /^'?(.+?)'?!([A-Z]*)(\d+)(?::.*)?$/.exec(range) ?? [];
		if (tab !== sheets.tab) throw new Error(`Unable to parse range: ${range}`);
		values.forEach((line, down) => {
			const cells = (sheets.cells[Number(row) - 1 + down] ??= []);
			line.forEach((value, right) => {
				const column = (letters ? columnOf(letters) : 0) + right;
				while (cells.length < column) cells.push('');
				cells[column] = value;
			});
		});
	};

	const api = answering(({ method = '', url = '', headers }, answer, text) => {
		const refuse = (code: number, status: string) => answer(code, { error: { code, status } });
		const { pathname, searchParams } = new URL(url, 'https://sheets.googleapis.com');
		const path = decodeURIComponent(pathname);
		if (headers.authorization !== `Bearer ${token}`) return refuse(401, 'UNAUTHENTICATED');
		sheets.before({ method, path });
		const base = `/v4/spreadsheets/${spreadsheetId}`;
		if (!path.startsWith(base)) return refuse(404, 'NOT_FOUND');
		const rest = path.slice(base.length);
		if (method === 'GET' && rest === '') {
			return answer(200, { sheets: [{ properties: { sheetId: 0, title: sheets.tab, index: 0 } }] });
		}
		if (method === 'GET' && rest.startsWith('/values/')) {
			const range = rest.slice('/values/'.length).replaceAll("'", '');
			const [tab, rows] = range.split('!');
			if (tab !== sheets.tab) return refuse(400, 'INVALID_ARGUMENT');
			const all = /^1:1$/.test(rows ?? '') ? sheets.cells.slice(0, 1) : sheets.cells;
			// Google leaves out empty cells at the end of a row, and `values` of an empty range.
			const values = all.map((row) => row.slice(0, row.findLastIndex((cell) => cell !== '') + 1));
			return answer(200, { range, majorDimension: 'ROWS', ...(values.length > 0 && { values }) });
		}
		const { data, values, valueInputOption } = JSON.parse(text || '{}') as {
			data?: Change[];
			values?: Cell[][];
			valueInputOption?: string;
		};
		const changes = data ?? (values && [{ range: rest.slice('/values/'.length), values }]);
		const option = String(valueInputOption ?? searchParams.get('valueInputOption'));
		if (!changes || !/^(RAW|USER_ENTERED)$/.test(option)) return refuse(400, 'INVALID_ARGUMENT');
		sheets.writes.push(option);
		for (const change of changes) write(change.range, change.values);
		answer(200, { spreadsheetId, totalUpdatedCells: changes.length });
	});

	/** How n8n gets a token for a service account is n8n's own matter. */
	const authorization = answering((_request, answer) =>
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
		before: () => {},
	};
	return sheets;
}
