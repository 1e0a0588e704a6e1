import { remember } from '../../../nodes/WalletScreening/shared/maps';

test('what was found for the latest keys is remembered, also that there is nothing', () => {
	const asked: string[] = [];
	const find = remember((key) => {
		asked.push(key);
		return key === 'none' ? undefined : key.length;
	}, 2);
	expect(['none', 'one', 'none', 'one'].map(find)).toEqual([undefined, 3, undefined, 3]);
	expect(asked).toEqual(['none', 'one']);
	// A third key takes the place of the earliest.
	expect(['three', 'one', 'none'].map(find)).toEqual([5, 3, undefined]);
	expect(asked).toEqual(['none', 'one', 'three', 'none']);
});
