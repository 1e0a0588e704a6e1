import { OutageProbe } from '../../../../nodes/WalletScreening/client/rate/outageProbe';

const MINUTE = 60_000;

test('a second 429 in a row makes it probe, until a request that left later is accepted', () => {
	const outage = new OutageProbe();
	/** Ends a request, as the pace does: it notes a 429 only if that is news. */
	function end(sentAt: number, endedAt: number, status: number): boolean {
		if (status !== 429) outage.noteNotRefused(sentAt);
		else if (outage.isNews(sentAt)) outage.noteRefused(endedAt, 0);
		return outage.isProbing;
	}
	/** The example of the doc comment. */
	const steps: Array<[sentAt: number, endedAt: number, status: number, probes: boolean]> = [
		[0, 1, 429, false],
		[0, 2, 429, false],
		[3, 4, 429, true],
		[0, 5, 200, true],
		[6, 7, 200, false],
	];
	expect(steps.map(([sentAt, endedAt, status]) => end(sentAt, endedAt, status))).toEqual(
		steps.map(([, , , probes]) => probes),
	);
});

test.each([
	[5 * MINUTE, false, 'the node waits for so long'],
	[5 * MINUTE + 1, true, 'the node does not wait for so long'],
])('a first 429 that asks for %i ms makes it probe: %s, because %s', (wait, probes) => {
	const outage = new OutageProbe();
	outage.noteRefused(0, wait);
	expect(outage.isProbing).toBe(probes);
});

test('counts the 429s in a row, and the time since the first of them', () => {
	const outage = new OutageProbe();
	const state = () => [outage.refusalsInARow, outage.msSinceFirstRefusal(10)];
	expect([outage.wasRefused, ...state()]).toEqual([false, 0, 0]);
	outage.noteRefused(3, 0);
	outage.noteRefused(7, 0);
	expect([outage.wasRefused, ...state()]).toEqual([true, 2, 7]);
	outage.noteNotRefused(8);
	expect([outage.wasRefused, ...state()]).toEqual([true, 0, 0]);
	outage.noteRefused(9, 0);
	expect(state()).toEqual([1, 1]);
});
