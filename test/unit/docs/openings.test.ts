import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openings } from '../../../check/openings';

const pageOf = (name: string) => readFileSync(join(__dirname, '../../../docs', name), 'utf8');

/** The first cells of the tables of a page, under the heading that they stand under. */
function rowsOf(page: string): Array<{ section: string; open: string }> {
	let section = '';
	return page.split('\n').flatMap((line) => {
		section = /^## (.+)/.exec(line)?.[1] ?? section;
		const open = /^\| ([^|]+?) +\|/.exec(line)?.[1];
		return open === undefined || open === 'not shown' || /^-+$/.test(open)
			? []
			: [{ section, open }];
	});
}

const expected = Object.values(openings).map(({ section, open }) => ({ section, open }));

it('the page of what is not specified and the check have the same openings in the same order', () => {
	expect(rowsOf(pageOf('what-is-not-specified.md'))).toEqual(expected);
});

it('the page for the vendor asks about every opening', () => {
	const asked = new Set(
		[...pageOf('for-the-vendor.md').matchAll(/<!-- (\w+(?: \w+)*) -->/g)].flatMap(([, ids = '']) =>
			ids.split(' '),
		),
	);
	expect([...asked].sort()).toEqual(Object.keys(openings).sort());
});
