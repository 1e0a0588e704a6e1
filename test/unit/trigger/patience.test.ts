import { createPatience } from '../../../nodes/WalletScreening/trigger/patience';

const HOUR = 60 * 60 * 1000;
const NOW = Date.UTC(2026, 10, 20);
const subject = { node: 'workflow1 node1', key: 'job' };

test('the sender is asked again for an hour since the first time', () => {
	const patience = createPatience();
	expect(patience.again(subject, {}, NOW)).toEqual({ job: NOW });
	expect(patience.again(subject, {}, NOW + HOUR - 1)).toEqual({ job: NOW });
	expect(patience.again(subject, {}, NOW + HOUR)).toBeUndefined();
	expect(patience.again(subject, {}, NOW + 2 * HOUR)).toBeUndefined();
});

test('the hour is known after a restart, for three days', () => {
	expect(createPatience().again(subject, { job: NOW }, NOW + HOUR - 1)).toEqual({ job: NOW });
	expect(createPatience().again(subject, { job: NOW }, NOW + 71 * HOUR)).toBeUndefined();
	expect(createPatience().again(subject, { job: NOW }, NOW + 72 * HOUR)).toEqual({
		job: NOW + 72 * HOUR,
	});
});

test('each job of each node has its own hour', () => {
	const patience = createPatience();
	patience.again(subject, {}, NOW);
	const others = [
		{ ...subject, key: 'other' },
		{ ...subject, node: 'workflow1 node2' },
	];
	for (const other of others) {
		expect(patience.again(other, {}, NOW + HOUR)).toHaveProperty(other.key, NOW + HOUR);
	}
});

test('a wait that is over leaves nothing behind', () => {
	const patience = createPatience();
	const stored = patience.again(subject, { other: NOW }, NOW)!;
	expect(stored).toEqual({ job: NOW, other: NOW });
	expect(patience.over(subject, stored)).toEqual({ other: NOW });
	expect(patience.over(subject, { other: NOW })).toBeUndefined();
	expect(patience.again(subject, {}, NOW + HOUR)).toHaveProperty('job', NOW + HOUR);
});

test('at most 1,000 jobs are remembered, in this process', () => {
	const patience = createPatience();
	const ask = (job: number, now: number) =>
		patience.again({ ...subject, key: `job${job}` }, {}, now)!;
	for (let job = 0; job <= 1000; job++) ask(job, NOW);
	expect(ask(1, NOW + 1)).toHaveProperty('job1', NOW);
	expect(ask(0, NOW + 1)).toHaveProperty('job0', NOW + 1);
});

test('at most 1,000 jobs are remembered, in what is stored', () => {
	const patience = createPatience();
	let stored = {};
	for (let index = 0; index <= 1000; index++) {
		stored = patience.again({ ...subject, key: `job${index}` }, stored, NOW + index)!;
	}
	expect(Object.keys(stored)).toHaveLength(1000);
	expect(stored).not.toHaveProperty('job0');
});
