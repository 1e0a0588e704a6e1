import { until } from '../../../tools/host/until';
import { greenAddress, notGreenAddress, sanctionedAddress } from './addresses';
import { breakPolicy } from './foundation';
import { press } from './slack';
import { postTo, said, stage, untilQuiet } from './stage';

/** The workflow in which one person answers in Slack. */
export function reviewTests(): void {
	beforeAll(async () => {
		await stage.publishTemplate('review-by-one-person', {
			'When a Payment Comes In': { webhookId: 'review-a-payment' },
			'Ask One Person': { parameters: { approvers: ['ANN'] } },
			Release: { parameters: { url: `${stage.team.url}/release` }, retryOnFail: false },
		});
	});
	afterAll(() => stage.withdrawAll());

	let count = 0;
	const post = async (address: string, waits = false, changes = {}) => {
		const payment = { payment_id: `R-${++count}`, address, chain: 'ETH', amount: '5', ...changes };
		const { status } = await postTo('review-a-payment', payment);
		expect(status).toBe(202);
		if (waits) await until('the question', async () => stage.slack.messages[0]);
		await untilQuiet();
		return payment;
	};
	const click = async (user: string, label: string, signingSecret = stage.slack.signingSecret) => {
		const [question] = stage.slack.messages;
		const status = await press({ signingSecret }, stage.n8n.url, question!, { user, label });
		await untilQuiet();
		return status;
	};

	test('what is allowed is released, what is blocked or not screened never', async () => {
		const { payment_id } = await post(greenAddress);
		const released = { key: payment_id, body: { decided_by: 'policy' } };
		expect(stage.team.requests).toMatchObject([released]);
		expect(stage.slack.messages).toEqual([]);
		stage.team.down.add('/release');
		const failed = await post(greenAddress);
		expect(said()).toContain(`Payment ${failed.payment_id} is NOT released`);
		for (const address of [sanctionedAddress, 'two words']) {
			stage.clear();
			const { payment_id: id } = await post(address);
			expect(said()).toContain(`Payment ${id} is NOT released`);
			expect(stage.team.requests).toEqual([]);
		}
	});

	test('only a listed person releases, once, and n8n hands on who it was', async () => {
		const { payment_id, address } = await post(notGreenAddress, true);
		for (const known of [payment_id, address, '/reports/']) expect(said()).toContain(known);
		await click('ZOE', 'Release');
		const refusal = await until('Slack to say no', async () => stage.slack.calls[0]);
		expect(refusal.method).toBe('chat.postEphemeral');
		expect(stage.team.requests).toEqual([]);
		for (let again = 0; again < 3; again++) await click('ANN', 'Release');
		const body = { address, decided_by: 'ANN@example.com' };
		expect(stage.team.requests).toMatchObject([{ key: payment_id, body }]);
	});

	test('nothing is released of which a part is no plain text, and nothing of it is changed', async () => {
		for (const changes of [
			...[{ payment_id: '2026#17' }, { payment_id: '' }, { address: `\u041e${greenAddress}` }],
			...[{ amount: '€5' }, { amount: '5\nTo: x <b>' }, { chain: 'ETH/2' }],
		]) {
			stage.clear();
			await post(greenAddress, false, changes);
			expect(said()).toContain('is NOT released');
			expect(said()).not.toMatch(/\\nTo: x|<b>/);
			expect(stage.team.requests).toEqual([]);
		}
	});

	test('a policy that cannot be read is said once, not for each payment', async () => {
		const mend = await breakPolicy();
		for (let n = 0; n < 2; n++) await post(greenAddress);
		expect(stage.slack.messages).toHaveLength(1);
		expect(stage.team.requests).toEqual([]);
		await mend();
	});

	test('a rejection releases nothing, nor does a click that Slack did not sign', async () => {
		const { payment_id } = await post(notGreenAddress, true);
		expect(await click('ANN', 'Release', 'another')).toBe(401);
		await click('ANN', 'Reject');
		expect(said()).toContain(`Payment ${payment_id} is NOT released`);
		expect(said()).toContain('Rejected by ANN');
		expect(stage.team.requests).toEqual([]);
	});

	test('until somebody chooses people, nobody can answer', async () => {
		await stage.publishTemplate('review-by-one-person', {
			'When a Payment Comes In': { webhookId: 'unset', parameters: { path: 'unset' } },
			Release: { parameters: { url: `${stage.team.url}/release` } },
		});
		const payment = { payment_id: 'U', address: notGreenAddress, chain: '', amount: '1' };
		await postTo('unset', payment);
		await until('the question', async () => stage.slack.messages[0]);
		await click('ANN', 'Release');
		expect(stage.team.requests).toEqual([]);
	});
}
