import {
	createRunExecutionData,
	type IDataObject,
	type INodeTypes,
	type ITaskData,
	Workflow,
} from 'n8n-workflow';
import { readTemplate } from '../../../tools/trial/templates';
import { numbersFrom, seed } from '../../support/data/random';

const template = readTemplate('sanctions-hit');
const description = { properties: [] };
const nodeTypes = { getByNameAndVersion: () => ({ description }) } as unknown as INodeTypes;
const written = template.nodes.find(({ name }) => name === 'Write the Date')!.parameters as {
	columns: { value: { report_until: string } };
};
const expression = written.columns.value.report_until;

const outputOf = (...rows: IDataObject[]): ITaskData[] => [
	{
		startTime: 0,
		executionTime: 0,
		executionIndex: 0,
		source: [],
		data: { main: [rows.map((json) => ({ json }))] },
	},
];

/** The date that n8n writes into a case, evaluated by n8n's expression engine. */
function dateOf(
	openedAt: string,
	zone: string,
	settings: IDataObject,
	holidays: string[],
	more: IDataObject = {},
) {
	const workflow = new Workflow({
		...structuredClone(template),
		id: '1',
		active: false,
		nodeTypes,
		settings: { timezone: zone },
	});
	const runData = {
		Settings: outputOf(settings),
		Holidays: outputOf(...(holidays.length > 0 ? holidays.map((day) => ({ day })) : [{}])),
	};
	const run = createRunExecutionData({ resultData: { runData } });
	const item = [{ json: { opened_at: openedAt, ...more } }];
	return workflow.expression.getParameterValue(
		...([expression, run, 0, 0, 'Write the Date', item, 'manual', {}] as const),
	) as string | null;
}

const oneDay = 86_400_000;
/** The date and the time of a moment on the wall of a place, by the tables of the machine. */
function wallOf(moment: number, zone: string): [date: string, time: string] {
	const format = new Intl.DateTimeFormat('sv-SE', {
		timeZone: zone,
		dateStyle: 'short',
		timeStyle: 'medium',
	});
	return format.format(moment).split(' ') as [string, string];
}

/**
 * 31 CFR 501.603: within so many business days of the day on which property is blocked; the
 * calendar is written out here.
 */
function expectedDay(opened: string, days: number, kind: string, holidays: Set<string>): string {
	let at = Date.parse(opened);
	for (let left = days; left > 0;) {
		at += oneDay;
		const weekday = new Date(at).getUTCDay();
		const isFree = weekday === 0 || weekday === 6 || holidays.has(iso(at));
		if (kind === 'calendar days' || !isFree) left--;
	}
	return iso(at);
}
const iso = (at: number) => new Date(at).toISOString().slice(0, 10);

describe('the date by which a sanctions hit has to be reported', () => {
	// Places without daylight saving, with both ends of it, and with a midnight that is left out.
	const zones = [
		'America/New_York',
		'Europe/Berlin',
		'Europe/London',
		'Asia/Tokyo',
		'Asia/Kathmandu',
		'Australia/Lord_Howe',
		'America/Santiago',
		'Asia/Beirut',
		'Pacific/Auckland',
		'UTC',
	];
	// Around the nights in which clocks change in one of them.
	const changes = [
		'2026-03-08',
		'2026-03-29',
		'2026-04-05',
		'2026-09-06',
		'2026-10-25',
		'2026-11-01',
	];

	test(`is that of a calendar in 1,000 cases (TEST_SEED=${seed})`, () => {
		const random = numbersFrom(seed);
		const below = (limit: number) => Math.floor(random() * limit);
		const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
		const wrong: unknown[] = [];
		for (let count = 0; count < 1_000; count++) {
			const zone = pick(zones);
			const start = Date.parse(count % 2 ? pick(changes) : iso(below(6 * 365) * oneDay + 1.7e12));
			const opened = start + (below(30) - 20) * oneDay + below(oneDay);
			const [day] = wallOf(opened, zone);
			const settings = {
				report_days: 1 + below(30),
				day_kind: pick(['business days', 'calendar days']),
			};
			const holidays = Array.from({ length: below(25) }, () =>
				iso(Date.parse(day) + (below(60) - 5) * oneDay),
			);
			const { report_days: days, day_kind: kind } = settings;
			const given = dateOf(new Date(opened).toISOString(), zone, settings, holidays);
			const wall = wallOf(Date.parse(String(given)), zone);
			const right = [expectedDay(day, days, kind, new Set(holidays)), '23:59:59'];
			if (wall.join() !== right.join()) wrong.push({ zone, day, settings, holidays, wall, right });
		}
		expect(wrong).toEqual([]);
	});

	test.each([
		{ because: 'Thanksgiving is the day itself', opened: '2026-11-26', until: '2026-12-10' },
		{ because: 'Christmas and New Year lie between', opened: '2026-12-21', until: '2027-01-06' },
		{ because: 'the next Monday is the first day', opened: '2026-10-03', until: '2026-10-19' },
	])('is $until for $opened: $because', ({ opened, until }) => {
		const holidays = ['2026-10-12', '2026-11-26', '2026-12-25', '2027-01-01'];
		const settings = { report_days: 10, day_kind: 'business days' };
		const given = dateOf(`${opened}T15:00:00Z`, 'America/New_York', settings, holidays);
		expect(wallOf(Date.parse(String(given)), 'America/New_York')[0]).toBe(until);
	});

	test.each([
		{
			because: 'n8n was down, and opened the case three days after the screening',
			more: { hit: JSON.stringify({ createdAt: '2026-11-02T15:00:00Z' }) },
		},
		{
			because: 'a later report on an open case moves nothing',
			more: {
				hit_at: '2026-11-02T15:00:00Z',
				hit: JSON.stringify({ createdAt: '2026-11-04T15:00:00Z' }),
			},
		},
	])('counts from the screening, not from when the case was opened: $because', ({ more }) => {
		const settings = { report_days: 10, day_kind: 'business days' };
		const given = dateOf('2026-11-05T15:00:00Z', 'UTC', settings, [], more);
		expect(wallOf(Date.parse(String(given)), 'UTC')[0]).toBe('2026-11-16');
	});

	test('is none until a person has set it', () => {
		expect(dateOf('2026-11-26T15:00:00Z', 'UTC', {}, [])).toBeNull();
	});
});
