import { reportOn } from '../../../sandbox/reports';
import { greenAddress, sanctionedAddress } from '../../support/templates/templateAddresses';
import { table } from '../../support/templates/dataTable';
import { stage } from '../../support/templates/stage';
import { logInOwner } from '../../support/templates/people';

/** The form in which a colleague checks a wallet. */
export function checkAWalletTests(): void {
	test('the form shows the result, or says what to do if the service gave none', async () => {
		await table('Screening Results').clear();
		await stage.publishTemplate('check-a-wallet-form', {
			'When a Person Enters a Wallet': { webhookId: 'check-a-wallet' },
		});
		const person = await logInOwner();
		const shown = async (address: string) =>
			(await (await person.open('check-a-wallet')).send({ Address: address })).html;
		const { report_url } = reportOn(sanctionedAddress, undefined, stage.sandbox.baseUrl);
		const red = await shown(sanctionedAddress);
		for (const known of ['STOPPED: sanctions hit', 'Decision: block', 'Sanctions 0.', report_url])
			expect(red).toContain(known);
		expect(await shown(greenAddress)).toContain('Decision: allow');
		const mistyped = await shown(sanctionedAddress.replace('a', 'A'));
		expect(mistyped).toMatch(/Not screened: this is not an all-clear.*Copy the address again/s);
		expect(await table('Screening Results').rows()).toHaveLength(3);
		await stage.withdrawAll();
	});
}
