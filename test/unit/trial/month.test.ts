import { textsOfDay } from '../../../tools/trial/month';

it.each([
	['2026-09-11T12:00:00.000Z', 'Fri 11 Sep 2026', 'Friday 11 September 2026'],
	['2026-12-01T12:00:00.000Z', 'Tue 1 Dec 2026', 'Tuesday 1 December 2026'],
])('the day of %s is written as in the letters of n8n', (time, short, long) => {
	expect(textsOfDay(time)).toEqual([short, long]);
});
