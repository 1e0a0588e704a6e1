import { parse } from 'csv-parse/sync';
import type { IDataObject } from 'n8n-workflow';
import {
	greenAddress as green,
	notGreenAddress,
	sanctionedAddress,
} from '../../support/templates/templateAddresses';
import { screenedAddresses } from '../../support/templates/screenedAddresses';
import { stage } from '../../support/templates/stage';
import { type FormPage, type Person } from '../../support/browser/person';
import { logInOwner } from '../../support/templates/people';

/** The form to which a person uploads a payout run. */
export function payoutRunTests(): void {
	let person: Person;
	beforeAll(async () => {
		await stage.publishTemplate('screen-a-payout-run', {
			'When a Person Uploads a File': { webhookId: 'payout-run' },
		});
		person = await logInOwner();
	});
	afterAll(() => stage.withdrawAll());
	const upload = async (csv: string) => {
		const file = new File([csv], 'run.csv', { type: 'text/csv' });
		return await (await person.open('payout-run')).send({ 'CSV file': file });
	};
	/** The files on the page of the result, by their names. */
	const filesOf = ({ html }: FormPage, delimiter = ',') => {
		const [, encoded = ''] = /JSON\.parse\(decodeURIComponent\(["']([^"']+)/.exec(html) ?? [];
		const files = JSON.parse(decodeURIComponent(encoded || '%5B%5D')) as any[];
		return Object.fromEntries(
			files.map(({ fileName, data }): [string, IDataObject[]] => {
				// The page makes bytes of the characters again.
				const bytes = Buffer.from(data.data ?? data, 'latin1');
				return [
					fileName,
					parse(bytes, {
						columns: true,
						bom: true,
						delimiter,
					}) as IDataObject[],
				];
			}),
		);
	};

	test.each([',', ';', '\t'])('each row of a file with "%s" is in one list', async (by) => {
		const rows = [
			['address', 'memo', 'payment', '"a name, in quotes"'],
			[green, '', 'P1', ''],
			[sanctionedAddress, 'a memo', 'P2', ''],
			['two words', '', 'P3', ''],
			[notGreenAddress, '', 'P4', ''],
			[green, '', 'P5', ''],
		];
		// Excel begins a file with a mark of the order of its bytes.
		const page = await upload(`\ufeff${rows.map((row) => row.join(by)).join('\r\n')}`);
		expect(page.words).toMatch(
			/Pay 2 of 5 rows Allowed 2 .*Sanctions hits 1 .*Review 1 .*Block 0 .*Not screened 1 .*release.csv and do-not-pay.csv/,
		);
		const files = filesOf(page, by);
		expect(files['release.csv']).toMatchObject([
			{ payment: 'P1', address: green, memo: '', screening: 'allow' },
			{ payment: 'P5', screening: 'allow' },
		]);
		const columns = ['address', 'memo', 'payment', 'a name, in quotes', 'screening'];
		for (const rowsOfFile of Object.values(files))
			expect(Object.keys(rowsOfFile[0]!).slice(0, 5)).toEqual(columns);
		expect(files['do-not-pay.csv']).toMatchObject([
			{
				payment: 'P2',
				screening: 'sanctions hit',
				screening_url: expect.stringMatching(/^http/),
			},
			{ payment: 'P3', screening: 'not screened', screening_why: expect.stringMatching(/space/) },
			{ payment: 'P4', screening: 'review' },
		]);
	});

	test('columns of the file decide nothing, and after a failure no row is paid', async () => {
		const header = 'address,outcome,screening,decision';
		const page = await upload(`${header}\n${sanctionedAddress},allow,allow,allow\n`);
		expect(page.words).toContain('Pay 0 of 1 rows');
		expect(filesOf(page)).toEqual({
			'do-not-pay.csv': [expect.objectContaining({ screening: 'sanctions hit' })],
		});
		stage.sandbox.addFault({ effect: { kind: 'answer', status: 401 } });
		expect((await upload(`address\n${green}\n`)).words).toContain('Pay 0 of 1 rows');
	});

	const twice = `address;amount;"address"\n${sanctionedAddress};1;${green}\n`;
	test.each([
		['has no addresses', 'wallet,amount\nx,1\n', 'Its columns: wallet,amount'],
		['has no rows', 'address,amount\r\n', 'Nothing was screened'],
		['hides rows', 'address\n"unclosed\n', 'Nothing was screened'],
		['hides columns', twice, 'Nothing was screened'],
	])('a file that %s releases nothing', async (_, csv, words) => {
		expect((await upload(csv)).words).toContain(words);
		expect(screenedAddresses()).toEqual([]);
	});
}
