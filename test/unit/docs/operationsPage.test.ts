import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resources } from '../../../nodes/WalletScreening/operations';

const page = readFileSync(join(__dirname, '../../../docs/operations.md'), 'utf8');

/** The first cells of the table with this heading. */
function firstCells(heading: string): string[] {
	const [, table = ''] = page.split(new RegExp(`^\\| ${heading} +\\|.*\\n\\|[-| ]+\\n`, 'm'));
	const rows = table.slice(0, table.indexOf('\n\n')).split('\n');
	return rows.map((row) => row.split('|')[1]!.trim());
}

it('the table of operations has every operation', () => {
	const titles = resources.flatMap(({ name, operations }) =>
		operations.map((operation) => `${name}: ${operation.name}`),
	);
	expect(firstCells('operation').sort()).toEqual(titles.sort());
});

it('the table of options has every option', () => {
	const names = resources.flatMap(({ operations }) =>
		operations.flatMap(({ fields }) =>
			fields
				.filter(({ name }) => name === 'options')
				.flatMap(({ options = [] }) =>
					options.flatMap((option) => ('displayName' in option ? option.displayName : [])),
				),
		),
	);
	expect(firstCells('option').sort()).toEqual([...new Set(names)].sort());
});
