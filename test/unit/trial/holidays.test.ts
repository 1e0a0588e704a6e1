import { federalHolidays, holidaysAround } from '../../../tools/trial/holidays';

/**
 * The days on which the US Office of Personnel Management lists federal holidays: opm.gov, Federal
 * Holidays.
 */
const published: Record<number, string[]> = {
	2026: [
		'2026-01-01',
		'2026-01-19',
		'2026-02-16',
		'2026-05-25',
		'2026-06-19',
		'2026-07-03',
		'2026-09-07',
		'2026-10-12',
		'2026-11-11',
		'2026-11-26',
		'2026-12-25',
	],
	2027: [
		'2027-01-01',
		'2027-01-18',
		'2027-02-15',
		'2027-05-31',
		'2027-06-18',
		'2027-07-05',
		'2027-09-06',
		'2027-10-11',
		'2027-11-11',
		'2027-11-25',
		'2027-12-24',
	],
};

test.each(Object.keys(published).map(Number))(
	'the federal holidays of %i are those that the US government published',
	(year) => {
		expect(federalHolidays(year).map(({ day }) => day)).toEqual(published[year]);
	},
);

test('the new year of 2028, a Saturday, is observed in 2027', () => {
	expect(federalHolidays(2028)[0]).toEqual({ day: '2027-12-31', name: "New Year's Day" });
});

test('the holidays around a year are all that are observed in the three years', () => {
	const days = holidaysAround(2026).map(({ day }) => day);
	expect(days).toContain('2027-12-31');
	const years = new Set(days.map((day) => day.slice(0, 4)));
	expect([...years]).toEqual(['2025', '2026', '2027']);
});
