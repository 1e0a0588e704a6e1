import type { Rest } from '../host/rest';
import { insertRows } from './tables';

/** A day on which an authority is closed, as the table *Screening Holidays* has it. */
export interface Holiday {
	/** @example "2026-11-26" */
	readonly day: string;
	readonly name: string;
}

const dayMs = 24 * 60 * 60 * 1000;
const [sunday, monday, thursday, saturday] = [0, 1, 4, 6];

/** Holidays on the same date each year. The months count from 1. */
const fixed: ReadonlyArray<[name: string, month: number, date: number]> = [
	["New Year's Day", 1, 1],
	['Juneteenth', 6, 19],
	['Independence Day', 7, 4],
	['Veterans Day', 11, 11],
	['Christmas Day', 12, 25],
];

/** Holidays on the n-th such weekday of a month; -1 is the last. */
const moving: ReadonlyArray<[name: string, month: number, weekday: number, which: number]> = [
	['Martin Luther King Jr. Day', 1, monday, 3],
	["Washington's Birthday", 2, monday, 3],
	['Memorial Day', 5, monday, -1],
	['Labor Day', 9, monday, 1],
	['Columbus Day', 10, monday, 2],
	['Thanksgiving Day', 11, thursday, 4],
];

/**
 * The federal holidays of the United States of a year (5 U.S.C. 6103), on the days on which they
 * are observed, in order. New Year's Day may be observed on the last day of the year before.
 */
export function federalHolidays(year: number): Holiday[] {
	const holidays = [
		...fixed.map(([name, month, date]) => ({
			name,
			at: observed(Date.UTC(year, month - 1, date)),
		})),
		...moving.map(([name, month, weekday, which]) => ({
			name,
			at: weekdayOf(year, month, weekday, which),
		})),
	];
	return holidays
		.sort((one, other) => one.at - other.at)
		.map(({ name, at }) => ({ day: new Date(at).toISOString().slice(0, 10), name }));
}

/**
 * A holiday on a Saturday is observed on the Friday before, one on a Sunday on the Monday after.
 */
function observed(at: number): number {
	const weekday = new Date(at).getUTCDay();
	if (weekday === saturday) return at - dayMs;
	return weekday === sunday ? at + dayMs : at;
}

function weekdayOf(year: number, month: number, weekday: number, which: number): number {
	const days = Array.from({ length: 31 }, (_, at) => new Date(Date.UTC(year, month - 1, at + 1)));
	const matchingDays = days.filter(
		(day) => day.getUTCMonth() === month - 1 && day.getUTCDay() === weekday,
	);
	return matchingDays.at(which < 0 ? which : which - 1)!.getTime();
}

/**
 * The federal holidays that are observed from the year before to the year after. A new year may be
 * observed on the last day of the year before.
 */
export function holidaysAround(year: number): Holiday[] {
	const holidays = [year - 1, year, year + 1, year + 2].flatMap(federalHolidays);
	return holidays.filter(({ day }) => Math.abs(Number(day.slice(0, 4)) - year) <= 1);
}

/**
 * Enters the holidays of last year, this year and the next into n8n's table, from which it computes
 * deadlines.
 */
export async function enterHolidays(rest: Rest): Promise<void> {
	const holidays = holidaysAround(new Date().getUTCFullYear());
	await insertRows(rest, 'Screening Holidays', holidays);
}
