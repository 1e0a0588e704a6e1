import { setBounded } from '../shared/maps';
import { day } from '../shared/time';

/*
 * What is noted of the deliveries to a workflow: a mark of each, under its keys. `deliveryMemory.ts`
 * decides by the marks, and keeps them in the memory of this process and in static data.
 */

/** How long a mark counts, in milliseconds. */
const maxAge = day;

/**
 * Marks of one workflow. In static data they are 80 KB, which n8n writes to its database each time.
 * A failed delivery has two.
 */
export const maxMarks = 2000;

const states = ['deferred', 'failed', 'accepted'] as const;
type State = (typeof states)[number];

/** The state of a delivery since a time in milliseconds of Unix time. */
export interface Mark {
	state: State;
	since: number;
}

/** Marks by key, the latest one last. */
export type Marks = Map<string, Mark>;

/** The marks as static data holds them: since when, by state and key. */
export type StoredMarks = Partial<Record<State, Readonly<Record<string, number>>>>;

/** Adds the mark of a delivery under its keys, as the latest one. */
export function addMark(marks: Marks, keys: string[], mark: Mark): void {
	for (const key of keys) setBounded(marks, key, mark, maxMarks);
}

/**
 * Merges the marks in memory and in static data, without those that are too old. Of two marks under
 * one key, the later one counts.
 */
export function mergeMarks(remembered: Marks, stored: StoredMarks, now: number): Marks {
	const storedMarks = states.flatMap((state) =>
		Object.entries(stored[state] ?? {}).map(([key, since]) => [key, { state, since }] as const),
	);
	const known = [...remembered, ...storedMarks]
		.filter(([, { since }]) => now - since < maxAge)
		.sort(([, one], [, other]) => one.since - other.since);
	const marks: Marks = new Map();
	for (const [key, mark] of known) addMark(marks, [key], mark);
	return marks;
}

/** Brings marks into the form of static data. */
export function toStoredMarks(marks: Marks): StoredMarks {
	const times = { deferred: emptyTimes(), failed: emptyTimes(), accepted: emptyTimes() };
	for (const [key, { state, since }] of marks) times[state][key] = since;
	return times;
}

/** A thousand new keys take 3 ms in an ordinary object, and 0.05 ms in one without a prototype. */
const emptyTimes = () => Object.create(null) as Record<string, number>;
