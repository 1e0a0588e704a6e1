import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableOf, withTable } from '../../compatibility/table';

const readme = readFileSync(join(__dirname, '../../../README.md'), 'utf8');
const lines = [{ n8n: '9.9.9', node: '99', zod: '9.0.0', ran: 'everything' }];

it('takes the place of the old table in the README, and leaves the rest as it is', () => {
	const written = withTable(readme, tableOf(lines));
	expect(written).toContain('| 9.9.9 | 99 | 9.0.0 | everything |');
	expect(withTable(written, tableOf(lines))).toBe(written);

	const rest = (text: string) => [text.split('## Compatibility')[0], text.split('-->').at(-1)];
	expect(rest(written)).toEqual(rest(readme));
});

it('is not written where no place is marked for it', () => {
	expect(() => withTable('# Another page', tableOf(lines))).toThrow(/do not mark a place/);
});
