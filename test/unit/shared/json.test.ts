import { tryStringify } from '../../../nodes/WalletScreening/shared/json';
import { excerptJson } from '../../../nodes/WalletScreening/shared/text';

test('a body that is nested too deeply to be shown or compared does no harm', () => {
	const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown;
	expect(excerptJson(deep)).toMatch(/deeply/);
	expect(tryStringify(deep)).toBeUndefined();
});
