import { scenarioAddress } from '../../../sandbox/scenarios';
import {
	greenAddress as green,
	greenAddresses,
	notGreenAddress,
	otherGreen as other,
	sanctionedAddress,
	thirdGreen as third,
} from '../../support/templates/templateAddresses';
import { where } from '../../support/templates/dataTable';
import { stage, untilQuiet } from '../../support/templates/stage';
import { Watch } from '../../support/templates/watch';
import { pastTime } from '../../support/templates/times';
import { takeSlackMessages } from '../../support/templates/slackMessages';

const rejected = scenarioAddress('rejected');

/** The workflow that screens the payments to watched addresses, and tells the team. */
export function watchScreeningTests(): void {
	let watch: Watch;
	beforeAll(async () => void (watch = await Watch.publish()));
	afterAll(async () => await watch?.close());
	beforeEach(async () => await watch.clear());

	test('what was not screened stays open, is named, and is screened the next time', async () => {
		const all = [rejected, green, sanctionedAddress, notGreenAddress];
		await watch.received.insert(
			...all.map((address) => ({ wallet: 'w', reference: address, address })),
		);
		const when = ({ body }: { body: any }) => [green, notGreenAddress].includes(body?.address);
		stage.sandbox.addFault({ when, effect: { kind: 'answer', status: 401 } });
		await watch.screen();
		const outcomes = async () => (await watch.receivedRows()).map(({ outcome }) => outcome);
		expect(await outcomes()).toEqual(['', '', 'block', '']);
		expect(takeSlackMessages()).toHaveLength(4);
		await watch.screen();
		expect(takeSlackMessages()).toEqual([]);
		stage.sandbox.clearFaults();
		await watch.received.setAll({ tell_at: pastTime }, where('address', green));
		await watch.screen();
		expect(await outcomes()).toEqual(['', 'allow', 'block', 'review']);
		// Who heard that it is open hears that it is allowed, and of a review at once.
		expect(takeSlackMessages().join()).toMatch(/Payment to w: allow.*Payment to w: review/);
	});

	test('rows that are being screened are claimed, and what is in doubt is named, not sent again', async () => {
		const all = greenAddresses.slice(0, 30);
		await watch.received.insert(
			...all.map((address) => ({ wallet: 'w', reference: address, address })),
		);
		stage.sandbox.addFault({ effect: { kind: 'delay', ms: 1500 } });
		await Promise.all([watch.screen(), watch.screen(), watch.screen()]);
		expect((await watch.receivedRows()).map(({ outcome }) => outcome)).toEqual(
			Array(30).fill('allow'),
		);
		const posted = stage.sandbox.requests.filter(({ method }) => method === 'POST');
		const sent = posted.flatMap(({ body }: { body: any }) => body.addresses ?? [body.address]);
		expect(sent.map((one) => one.address ?? one).sort()).toEqual([...all].sort());
		stage.clear();
		await watch.received.insert({ wallet: 'w', reference: 'lost', address: other });
		stage.sandbox.addFault({ effect: { kind: 'answer', status: 502 } });
		await watch.screen();
		stage.sandbox.clearFaults();
		const asked = stage.sandbox.requests.length;
		await watch.screen();
		expect((await watch.receivedRows()).at(-1)).toMatchObject({ outcome: 'in doubt' });
		// A run that was killed leaves its claim.
		const claim = { wallet: 'w', reference: 'killed', address: third, outcome: 'screening' };
		await watch.received.insert(claim);
		await watch.received.setAll({ tell_at: pastTime }, where('reference', 'killed'));
		await watch.screen();
		expect(takeSlackMessages().join()).toMatch(
			/Payment to w: in doubt.*lost.*Payment to w: in doubt.*killed/,
		);
		expect(stage.sandbox.requests).toHaveLength(asked);
	});

	test('what the team did not hear comes again, and is not screened again', async () => {
		await watch.received.insert({ wallet: 'w', reference: 'r', address: sanctionedAddress });
		stage.setDown('slack', 'mail');
		await stage.runToFailure(watch.screener, 'Every Ten Minutes');
		expect(await watch.receivedRows()).toMatchObject([
			{ outcome: 'block', tell_at: expect.anything() },
		]);
		// n8n hands the failure to Tell the Team.
		await untilQuiet();
		stage.setDown();
		await watch.received.setAll({ tell_at: pastTime });
		// Two runs at once say it once.
		await Promise.all([watch.screen(), watch.screen()]);
		expect(takeSlackMessages()).toHaveLength(1);
		expect(await watch.receivedRows()).toMatchObject([{ tell_at: null }]);
		expect(stage.sandbox.requests).toHaveLength(1);
	});
}
