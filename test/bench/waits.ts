import { numberedAddress } from '../support/data/addresses';
import { openPolicyForm, previewPolicy, publishDraftForm } from '../support/templates/policyForms';
import { stage } from '../support/templates/stage';
import { formatCount, type Row } from './row';
import { describeTiming, measureTime } from './stageTiming';
import { type Person } from '../support/browser/person';

/** The newest decisions of the log, on which the form of a policy tries a draft. */
const previewSize = 5000;
/** The rows of a payout run. */
const payoutSize = 3000;
/** The number of the first address in a payout run. No other table has these addresses. */
const firstPayoutNumber = 20_000;

/**
 * Measures the row about how long a person waits, and how long n8n gives no answer to others
 * meanwhile. There is nothing to compare it with.
 */
export async function measureWait(
	name: string,
	act: () => Promise<unknown>,
	meaning: string,
): Promise<Row> {
	const measured = describeTiming(await measureTime(act));
	return { name, measured, against: '', ratio: undefined, meaning };
}

/**
 * Measures the row about the preview of a policy.
 *
 * @param resultCount the results in the log, at least `previewSize`
 */
export async function policyRow(person: Person, resultCount: number): Promise<Row> {
	await publishDraftForm();
	const form = await openPolicyForm(person);
	const preview = async () => {
		const { words } = await previewPolicy(form, {
			rules: 'mixer at least 0.5: block',
			otherwise: 'Allow it, whatever its level',
			reason: 'Why',
		});
		if (!words.includes(`of ${previewSize} decisions`))
			throw new Error(`No preview on ${previewSize} decisions: ${words}`);
	};
	const title = `The preview of a policy, with ${formatCount(resultCount)} results in the log`;
	const meaning = `How long the form tries a draft on the newest ${formatCount(previewSize)} decisions.`;
	return await measureWait(title, preview, meaning);
}

/** Measures the row about a payout run. */
export async function payoutRow(person: Person): Promise<Row> {
	await stage.publishTemplate('screen-a-payout-run', {
		'When a Person Uploads a File': { webhookId: 'payout-run' },
	});
	const lines = Array.from(
		{ length: payoutSize },
		(_, index) => `R-${index};${numberedAddress(firstPayoutNumber + index)};1 ETH`,
	);
	const file = new File([['reference;address;amount', ...lines].join('\n')], 'run.csv');
	const form = await person.open('payout-run');
	const upload = async () => {
		const { words } = await form.send({ 'CSV file': file });
		if (!words.includes(`of ${payoutSize} rows`) || !words.includes('Not screened 0'))
			throw new Error(`No payout run of ${payoutSize} screened rows: ${words}`);
	};
	const title = `A payout run of ${formatCount(payoutSize)} rows`;
	return await measureWait(title, upload, 'How long a person waits for the two files.');
}
