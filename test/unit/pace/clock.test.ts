import { steadyTime } from '../../../nodes/WalletScreening/pace/clock';

test('steady time goes on with the clock, and stands still where that is set back', () => {
	const readings = [100, 150, 150, 40, 50, 90, 10, 11, 5000];
	const time = steadyTime({ now: () => readings.shift()!, sleep: async () => {} });
	const times = Array.from({ length: 9 }, time);
	expect(times).toEqual([100, 150, 150, 150, 160, 200, 200, 201, 5190]);
});
