import { checkAddress } from '../../address/checkAddress';
import { cleanAddress, splitList } from '../../address/input';
import { createLookalikeFinder } from '../../address/lookalike';
import { findRefusal } from '../../address/refusal';
import { addressPlaceholder, createAddressField, field } from '../../description/fields';
import { createSharedReader } from '../../description/parameters';
import type { CheckedAddressItem } from '../../description/outputItems';
import type { Operation } from '../../execution/operation';
import { rethrowUnlessScreeningError } from '../../shared/errors';
import { isNonBlankText } from '../../shared/json';

export const checkOperation: Operation = {
	name: 'Check',
	value: 'check',
	action: 'Check address',
	description: 'Find mistyped addresses and lookalikes of known ones, without a request',
	fields: [
		createAddressField('The wallet address to check'),
		field('Known Addresses', 'knownAddresses', {
			typeOptions: { rows: 4 },
			placeholder: addressPlaceholder,
			description:
				'Addresses that you pay or expect: one per line or comma-separated, or an array from an expression. The node finds another address that begins and ends like one of them.',
		}),
	],
	sendsNothing: true,
	givesNoVerdict: true,
	async execute(run) {
		const readLookalikeFinder = createSharedReader(run.context, ['knownAddresses'], (read) =>
			createLookalikeFinder(readKnownAddresses(read('knownAddresses', ''))),
		);
		return await run.mapInputItems((read, { json }) => {
			const findLookalike = readLookalikeFinder(read);
			return { ...json, check: describeAddress(read('address'), findLookalike) };
		});
	},
};

/**
 * Checks an address, and describes what a person should look at.
 * @throws {ScreeningError} `invalid_input` for a private key, and for what is no text that could be
 * checked
 */
function describeAddress(
	value: unknown,
	findLookalike: (address: string) => string | null,
): CheckedAddressItem['check'] {
	try {
		const address = cleanAddress(value, 'Address', { checkAddresses: false });
		const check = checkAddress(address);
		const lookalike_of = findLookalike(address);
		const refusal = findRefusal(address);
		const findings = [
			// A mistyped checksum is among these.
			...check.findings,
			...(refusal?.kind === 'doubtful' ? [`It ${refusal.problem}. ${refusal.advice}`] : []),
			...(lookalike_of === null ? [] : [lookalikeFinding]),
		];
		return { ...check, findings, lookalike_of };
	} catch (thrown) {
		const error = rethrowUnlessScreeningError(thrown);
		// No check could be shown without the key, or without a text.
		if (error.details.withheld || !isNonBlankText(value)) throw error;
		return { ...noAddress, chains: [], findings: [`${error.message}.`], lookalike_of: null };
	}
}

/** What is found of a text that is no address. */
const noAddress = { checksum: 'none', format: null } as const;
const lookalikeFinding =
	'It begins and ends like a known address, but is a different one. Attackers create such addresses so that they are mistaken for the real one.';

/**
 * Reads the known addresses; their checksums do not matter.
 * @throws {ScreeningError} `invalid_input` for an entry that is no address
 */
function readKnownAddresses(list: unknown): string[] {
	const label = 'Known Addresses';
	return splitList(list, label).map((entry, index) =>
		cleanAddress(entry, `${label}, entry ${index + 1}`, { checkAddresses: false }),
	);
}
