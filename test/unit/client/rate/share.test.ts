import { Share } from '../../../../nodes/WalletScreening/client/rate/share';

/** Section 8. */
const plan = { planRate: 10, burst: 50 };

test.each([
	{ sharedBy: 2, accepted: 30, share: 4.6, because: 'half of 9.2' },
	{ sharedBy: undefined, accepted: 30, share: 3.75, because: '30 of 80 tokens came here' },
	{
		sharedBy: undefined,
		accepted: 0,
		share: 0.575,
		because: 'it is never below a sixteenth of 9.2',
	},
	{ sharedBy: 8, accepted: 30, share: 1.15, because: 'the stated number counts' },
	{ sharedBy: 1e9, accepted: 30, share: 0.046, because: 'no more than 200 processes count' },
])(
	'the first 429 after 3 s leaves $share, if $sharedBy processes are stated and $accepted requests were accepted: $because',
	({ sharedBy, accepted, share: expected }) => {
		const share = new Share({ ...plan, sharedBy }, 1000);
		for (let count = 0; count < accepted; count++) share.noteNotRefused();
		expect(share.atFirstRefusal(4000)).toBeCloseTo(expected, 9);
	},
);

test.each([
	{ sharedBy: 2, equalPart: 4.6, minRate: 4.6, because: 'both are the part of a stated process' },
	{
		sharedBy: undefined,
		equalPart: 2.3,
		minRate: 0.575,
		because: '4 are assumed, and no more than 16',
	},
])('of $sharedBy processes: $because', ({ sharedBy, equalPart, minRate }) => {
	const share = new Share({ ...plan, sharedBy }, 0);
	expect(share.equalPart).toBeCloseTo(equalPart, 9);
	expect(share.minRate).toBeCloseTo(minRate, 9);
});
