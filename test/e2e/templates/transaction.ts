import type { IDataObject } from 'n8n-workflow';
import { type Execution, itemsOf, type Saved, type Workflow } from '../../../host/instance';
import type { FaultEffect } from '../../../sandbox/faults';
import { pdfOf } from '../../../sandbox/pdf';
import { type Report, reportOn } from '../../../sandbox/reports';
import template from '../../../templates/screen-incoming-transaction.json';
import { greenAddress, notGreenAddress, sanctionedAddress } from './addresses';
import { type Changes, postTo, type Stage } from './stage';

const screen = 'Screen the Sender';

/** What the caller was answered, and the run behind it once it has ended. */
interface Call {
	status: number;
	body: IDataObject;
	run: Execution;
}

/** In n8n 1 a user moves the attachment to the option that it knows, as the note says. */
const attachments = {
	'Send the Team an E-Mail': {
		parameters: {
			...template.nodes.find(({ name }) => name === 'Send the Team an E-Mail')!.parameters,
			options: { appendAttribution: false, attachments: 'data' },
		},
	},
} as Changes;

/** The workflow that a system asks whether it may credit a transaction. */
export function transactionTests(stageOf: () => Stage, { isN8n1 = false } = {}): void {
	let stage: Stage;
	let workflow: Saved<Workflow>;

	const publish = async (changes: Changes = {}) => {
		const path = `transaction-${Math.random().toString(36).slice(2)}`;
		workflow = await stage.importTemplate(template, {
			...(isN8n1 && attachments),
			...changes,
			'When a Transaction Comes In': { webhookId: path, parameters: { path } },
		});
		await stage.n8n.publishWorkflow(workflow);
		return path;
	};
	const call = async (path: string, body: unknown): Promise<Call> => {
		const answer = await postTo(stage, path, body);
		const [newest] = await stage.n8n.executionsOf(workflow);
		return {
			status: answer.status,
			body: (await answer.json()) as IDataObject,
			run: await stage.n8n.finishedExecution(String(newest?.id)),
		};
	};
	const reportOf = (address: string): Report => reportOn(address, undefined, stage.sandbox.baseUrl);

	let path: string;
	beforeAll(async () => {
		stage = stageOf();
		path = await publish();
	});

	test('a green sender is let through with 200, and nobody is notified', async () => {
		const { status, body, run } = await call(path, { transaction_id: 'T-1', from: greenAddress });
		const { address, chain, risk, report_id, report_url } = reportOf(greenAddress);
		const known = { address, chain, risk, report_id, report_url };
		expect(status).toBe(200);
		expect(body).toEqual({ outcome: 'allow', reasons: [], transaction_id: 'T-1', ...known });
		expect(run.status).toBe('success');
		expect(itemsOf(run, 'Let It Through')).toHaveLength(1);
		expect([...stage.slack.messages, ...stage.mail.letters]).toEqual([]);
	});

	test('a sender to review is not let through, and Slack is notified', async () => {
		const { status, body, run } = await call(path, {
			transaction_id: 'T-2',
			from: notGreenAddress,
		});
		expect(status).toBe(409);
		expect(body).toMatchObject({
			outcome: 'review',
			transaction_id: 'T-2',
			address: notGreenAddress,
		});
		expect(run.status).toBe('success');
		expect(stage.slack.refused).toEqual([]);
		expect(stage.slack.messages).toHaveLength(1);
		const [message] = stage.slack.messages;
		expect(message?.channel).toBe('#compliance');
		expect(message?.text).toMatch(/^Transaction T-2: .*1 review/);
		for (const known of [
			notGreenAddress,
			'Transaction T-2',
			reportOf(notGreenAddress).report_url,
		]) {
			expect(JSON.stringify(message?.blocks)).toContain(known);
		}
		expect(stage.mail.letters).toEqual([]);
	});

	test('a sanctioned sender is blocked; Slack is notified, and an e-mail brings the PDF', async () => {
		const transaction = { transaction_id: 'T-3', from: sanctionedAddress, chain: 'ETH' };
		const { status, body, run } = await call(path, transaction);
		const report = reportOf(sanctionedAddress);
		expect(status).toBe(409);
		expect(body).toMatchObject({ outcome: 'block', report_id: report.report_id });
		expect(run.status).toBe('success');

		expect(stage.mail.letters).toHaveLength(1);
		const [letter] = stage.mail.letters;
		expect(letter?.subject).toMatch(/^Block: /);
		expect(letter?.from?.address).toBe('n8n@example.com');
		expect(letter?.to?.[0]?.address).toBe('compliance@example.com');
		for (const text of [letter?.text, letter?.html]) {
			expect(text).toContain(sanctionedAddress);
			expect(text).toContain(report.report_url);
		}
		expect(letter?.attachments).toEqual([
			expect.objectContaining({
				filename: `${report.report_id}.pdf`,
				mimeType: 'application/pdf',
				disposition: 'attachment',
			}),
		]);
		const pdf = Buffer.from(letter?.attachments[0]?.content as ArrayBuffer);
		expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
		expect(pdf.equals(await pdfOf(report))).toBe(true);

		expect(stage.slack.refused).toEqual([]);
		expect(stage.slack.messages.map(({ text }) => text)).toEqual([
			expect.stringMatching(/^Transaction T-3: .*1 block/),
		]);
	});

	const failures: Array<[string, FaultEffect]> = [
		['refuses the key', { kind: 'answer', status: 401 }],
		['is down', { kind: 'answer', status: 503 }],
		['breaks the connection', { kind: 'reset', at: 'beforeRead' }],
		['answers with no report', { kind: 'answer', status: 200, body: '{"ok":true}' }],
		['answers with a page', { kind: 'answer', status: 200, body: '<html>ok</html>' }],
		[
			'answers with a report that has no level',
			{ kind: 'rewrite', rewrite: ({ risk: _, ...report }) => ({ ...report, risk: { score: 0 } }) },
		],
	];
	test.each(failures)(
		'when the service %s, nothing is let through, and Slack is notified',
		async (_, effect) => {
			stage.sandbox.addFault({ effect });
			const { status, body, run } = await call(path, { transaction_id: 'T-4', from: greenAddress });
			expect(status).toBe(503);
			expect(body).toMatchObject({
				outcome: 'review',
				error: expect.stringMatching(/\w/),
				error_class: expect.stringMatching(/\w/),
				transaction_id: 'T-4',
				address: greenAddress,
			});
			expect(run.status).toBe('success');
			expect(stage.slack.refused).toEqual([]);
			expect(stage.slack.messages).toHaveLength(1);
			const told = JSON.stringify(stage.slack.messages);
			expect(told).toMatch(/1 failed/i);
			expect(told).toContain(greenAddress);
			expect(told).toContain('Transaction T-4');
		},
	);

	test.each([
		['no address', { transaction_id: 'T-5' }],
		['an empty body', {}],
		['a list of transactions', [{ transaction_id: 'T-5', from: greenAddress }]],
		['an address with a space in it', { from: `${greenAddress} ${sanctionedAddress}` }],
	])('%s is answered 400, and Slack is notified', async (_what, transaction) => {
		const { status, body } = await call(path, transaction);
		expect(status).toBe(400);
		expect(body).toMatchObject({ outcome: 'review', error_class: 'invalid_input' });
		expect(stage.slack.refused).toEqual([]);
		expect(stage.slack.messages).toHaveLength(1);
		expect(stage.sandbox.requests).toEqual([]);
	});

	test('a caller without the header is turned away before anything is screened', async () => {
		const { status } = await postTo(stage, path, { from: greenAddress }, {});
		expect(status).toBe(403);
		expect(stage.sandbox.requests).toEqual([]);
	});

	test('values that mean something to Slack are shown as they are', async () => {
		const transaction_id = '<!channel> *urgent* & `x`';
		await call(path, { transaction_id, from: notGreenAddress });
		expect(stage.slack.refused).toEqual([]);
		const [message] = stage.slack.messages;
		expect(message?.blocks?.[0]).toMatchObject({ type: 'header', text: { type: 'plain_text' } });
		const { blocks, text } = message!;
		expect(JSON.stringify(blocks?.slice(1)) + text).not.toContain('<!channel>');
	});

	test('Slack and e-mail name a block even if its PDF cannot be downloaded', async () => {
		stage.sandbox.addFault({
			when: ({ path: asked }) => asked.endsWith('/pdf'),
			effect: { kind: 'answer', status: 404 },
		});
		const { status } = await call(path, { transaction_id: 'T-6', from: sanctionedAddress });
		expect(status).toBe(409);
		expect(stage.mail.letters).toHaveLength(1);
		expect(stage.mail.letters[0]?.subject).toContain('PDF missing');
		expect(stage.mail.letters[0]?.html).toContain(sanctionedAddress);
		expect(stage.mail.letters[0]?.attachments).toEqual([]);
		expect(stage.slack.messages).toHaveLength(1);
	});

	test('Slack names an e-mail that cannot be sent, beside the block itself', async () => {
		stage.mail.isDown = true;
		const { status } = await call(path, { transaction_id: 'T-7', from: sanctionedAddress });
		expect(status).toBe(409);
		expect(stage.slack.refused).toEqual([]);
		expect(stage.slack.messages.map(({ text }) => text).sort()).toEqual([
			expect.stringMatching(/^:warning: The e-mail about a blocked transaction was not sent/),
			expect.stringMatching(/^Transaction T-7: .*1 block/),
		]);
	});

	test('if Slack is down, the caller has its answer, the e-mail is sent, and the run fails', async () => {
		stage.slack.isDown = true;
		const { status, run } = await call(path, { transaction_id: 'T-8', from: sanctionedAddress });
		expect(status).toBe(409);
		expect(stage.mail.letters).toHaveLength(1);
		expect(run.status).toBe('error');
	});

	test('if the screening failed and Slack is down, the caller still has its answer', async () => {
		stage.slack.isDown = true;
		stage.sandbox.addFault({ effect: { kind: 'answer', status: 401 } });
		const { status, run } = await call(path, { transaction_id: 'T-10', from: greenAddress });
		expect(status).toBe(503);
		expect(run.status).toBe('error');
	});

	test('nothing is let through if the decision was switched off by mistake', async () => {
		const undecided = await publish({ [screen]: { parameters: { addDecision: false } } });
		const { status, body } = await call(undecided, { transaction_id: 'T-9', from: greenAddress });
		expect(status).toBe(409);
		expect(body).toMatchObject({ outcome: 'review' });
		expect(stage.slack.messages).toHaveLength(1);
	});
}
