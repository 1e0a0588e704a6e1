import {
	type RequestWindow,
	WindowOfBucket,
	WindowWithoutBucket,
} from '../../../../nodes/WalletScreening/client/rate/requestWindow';

/** The examples of the doc comments. */
type Step = [because: string, act: (window: RequestWindow) => void, size: number];

const accepted = (latency: number) => (window: RequestWindow) => window.noteNotRefused(latency);
const failed = (latency: number) => (window: RequestWindow) => window.noteFailed(latency);
const refused = (window: RequestWindow) => window.noteRefused();
const halved = (window: RequestWindow) => window.halve();

function expectSizes(window: RequestWindow, steps: Step[]) {
	const sizes = steps.map(([because, act]) => {
		act(window);
		return [because, Math.round(window.size * 100) / 100];
	});
	expect(sizes).toEqual(steps.map(([because, , size]) => [because, size]));
}

test('the window of a bucket grows slowly until it is wider than the bucket', () => {
	const window = new WindowOfBucket(1, 46, 5000);
	expectSizes(window, [
		['a quarter of the growth time', accepted(250), 1.25],
		['a quarter of the growth time', accepted(250), 1.5],
		['one request more, at most', failed(30_000), 2.5],
		['the pace decides whether it halves', refused, 2.5],
		['the pace did', halved, 1.25],
	]);
	for (let answers = 0; answers < 177; answers++) window.noteNotRefused(250);
	expectSizes(window, [
		['not wider than the bucket', accepted(0), 45.5],
		['wider than the bucket', accepted(1000), 200],
	]);
});

test('the window without a bucket doubles until the first 429, then grows by one', () => {
	expectSizes(new WindowWithoutBucket(), [
		['no answer was quicker', accepted(100), 101],
		['slow: more than three times the quickest one', accepted(400), 101],
		['a failure that is as slow', failed(400), 101],
		['no answer counts as the quickest any more', refused, 101],
		['the pace did', halved, 50.5],
		['50 answers make it one wider', accepted(400), 50.52],
	]);
});
