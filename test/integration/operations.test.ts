import { resources } from '../../nodes/WalletScreening/actions';
import { operations } from '../support/engine/operations';

const all = resources.flatMap(({ value: resource, operations: own }) =>
	own.map(({ value, sendsNothing = false }) => ({ name: `${resource}.${value}`, sendsNothing })),
);

test('the inventory has every operation', () => {
	expect(Object.keys(operations).sort()).toEqual(all.map(({ name }) => name).sort());
});

test('every operation that sends requests meets the faults', () => {
	const faulty = Object.keys(operations).filter((name) => operations[name]!.faults);
	const sending = all.filter(({ sendsNothing }) => !sendsNothing).map(({ name }) => name);
	expect(faulty.sort()).toEqual(sending.sort());
});
