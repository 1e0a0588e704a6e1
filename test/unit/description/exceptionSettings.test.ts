import {
	describeIdleExceptions,
	readExceptionEntries,
} from '../../../nodes/WalletScreening/description/exceptionSettings';
import { readPolicy } from '../../../nodes/WalletScreening/policy/policy';
import { ethereum as address } from '../../support/data/knownAddresses';
import { exception } from '../../support/unit/exceptions';

const rule = { field: 'score', operator: 'gte', value: 0.5, outcome: 'block' };

test('the exceptions of fields are those of JSON, on every chain if the chain is left empty', () => {
	const spaced = exception({ address: `\u200b ${address} `, until: ' 2026-12-31\n', chain: '' });
	const { chain: _, ...anywhere } = exception();
	expect(readExceptionEntries({ entries: [spaced, exception()] })).toEqual([anywhere, exception()]);
	for (const nothing of [undefined, null, {}]) expect(readExceptionEntries(nothing)).toEqual([]);
	const read = (entries: unknown) => () => readExceptionEntries({ entries });
	expect(read([exception(), null])).toThrow('Exception 2 is not an object');
	expect(read('x')).toThrow('Exception 1 is not an object');
});

test('exceptions that do nothing are named', () => {
	const idle = exception({ until: '2026-11-20' });
	const hintsFor = (exceptions: object[], mayBeWaived: boolean, at: Date) =>
		describeIdleExceptions(readPolicy({ rules: [{ ...rule, mayBeWaived }], exceptions }), at);
	const [before, after] = [new Date('2026-11-20T23:59:59Z'), new Date('2026-11-21T00:00:00Z')];
	expect(hintsFor([idle], true, before)).toEqual([]);
	expect(hintsFor([idle], true, after)).toEqual([
		'The exception for 0xd8dA6B…A96045 ended on 2026-11-20. Renew or remove it.',
	]);
	expect(hintsFor([idle], false, before)).toEqual([
		"The exceptions do nothing: no rule has 'May Be Waived' on.",
	]);
	const renewed = exception({ until: '2026-11-21' });
	expect(hintsFor([idle, renewed], false, after)).toHaveLength(2);
	expect(hintsFor([], false, after)).toEqual([]);
});
