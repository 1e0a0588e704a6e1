import { TokenBucket } from '../../../../nodes/WalletScreening/client/rate/tokenBucket';

const start = (rate = 10) => new TokenBucket(rate, 46, 0);

/** How many tokens there are: takes them. */
function count(bucket: TokenBucket, now: number): number {
	let taken = 0;
	for (; bucket.msUntilToken(now) === 0; taken++) bucket.take(0);
	return taken;
}

test('begins full, then gives a token with each tenth of a second, and saves no more than its size', () => {
	const bucket = start();
	expect([count(bucket, 0), bucket.msUntilToken(0)]).toEqual([46, 100]);
	expect(count(bucket, 1000)).toBe(10);
	expect(count(bucket, 60_000)).toBe(46);
});

test('the example of the doc comment', () => {
	const bucket = start();
	const waits = [bucket.msUntilToken(0)];
	const then = (act: () => void) => {
		act();
		waits.push(bucket.msUntilToken(0));
	};
	then(() => bucket.take(0));
	then(() => bucket.leaveAtMost(0));
	then(() => (bucket.rate = 5));
	then(() => bucket.stop(1000));
	expect(waits).toEqual([0, 0, 100, 200, 1200]);
	expect(count(bucket, 60_000)).toBe(23);
});

test('a request waits for the extra tokens of the one before, as long as the bucket can hold them', () => {
	const bucket = start();
	bucket.leaveAtMost(1);
	bucket.take(0.5);
	expect(bucket.msUntilToken(0)).toBe(150);
	// A rate of 0.1 has a bucket of one token.
	bucket.rate = 0.1;
	expect(bucket.msUntilToken(0)).toBe(10_000);
});

test('a token that is owed has to come first', () => {
	const bucket = start();
	bucket.leaveAtMost(-0.5);
	expect(bucket.msUntilToken(0)).toBe(150);
});

test('a stop lets no token come, and an earlier end does not shorten it', () => {
	const bucket = start();
	bucket.leaveAtMost(0);
	bucket.stop(1000);
	bucket.stop(500);
	expect([bucket.msUntilResume(0), bucket.msUntilResume(1000)]).toEqual([1000, 0]);
	expect(count(bucket, 1100)).toBe(1);
});

test('is unused since it was last looked at, or since the end of a stop', () => {
	const bucket = start();
	bucket.fill(400);
	expect(bucket.msUnused(1000)).toBe(600);
	bucket.stop(900);
	expect(bucket.msUnused(1000)).toBe(100);
});
