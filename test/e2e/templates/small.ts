import type { IDataObject } from 'n8n-workflow';
import { parse } from 'csv-parse/sync';
import { decide } from '../../../nodes/WalletScreening/risk/decision';
import { policyOfJson } from '../../../nodes/WalletScreening/risk/policy';
import { addressesOf } from '../../support/addresses';
import { numbersFrom, seed } from '../../support/random';
import { reportOn } from '../../../sandbox/reports';
import { greenAddress, notGreenAddress, sanctionedAddress, scenarioAddress } from './addresses';
import { table, where } from './dataTable';
import { breakPolicy, callWorkflow, foundation } from './foundation';
import { hostileRows } from './hostile';
import { logInPerson } from './person';
import { chosen, outputOf, postTo, stage, untilQuiet } from './stage';

const refusedAddress = scenarioAddress('0013');
/** How many random policies the form previews; 1,000 is what it is meant to hold. */
const previews = Number(process.env.PREVIEWS ?? 3);

/** The workflows that work on their own first. */
export function smallTests(): void {
	/** What "Replace" makes of the node, with *Our Screening* selected. */
	const replaced = () => {
		const parameters = { workflowId: chosen('id', foundation.screening.id), options: {} };
		const node = { type: 'n8n-nodes-base.executeWorkflow', typeVersion: 1.2, parameters };
		return { Screen: node };
	};

	test('the form shows the result, or says what to do if the service gave none', async () => {
		await table('Screening Results').clear();
		await stage.publishTemplate('check-a-wallet-form', {
			'When Somebody Enters a Wallet': { webhookId: 'check-a-wallet' },
		});
		const person = await logInPerson(stage.n8n.url, stage.n8n.login);
		const shown = async (address: string) =>
			(await (await person.open('check-a-wallet')).send(address, '')).html;
		const { report_url } = reportOn(sanctionedAddress, undefined, stage.sandbox.baseUrl);
		const red = await shown(sanctionedAddress);
		for (const known of ['Decision: block', sanctionedAddress, report_url])
			expect(red).toContain(known);
		expect(await shown(greenAddress)).toContain('Decision: allow');
		const mistyped = await shown(sanctionedAddress.replace('a', 'A'));
		expect(mistyped).toMatch(/Not screened: this is no all-clear.*Copy the address again/s);
		expect(await table('Screening Results').rows()).toHaveLength(3);
		await stage.withdrawAll();
	});

	describe.each([
		['on its own', false],
		['with Our Screening in the place of Screen', true],
	])('%s', (_, isReplaced) => {
		const changes = () => (isReplaced ? replaced() : {});

		test('the starter goes one of three ways', async () => {
			const workflow = await stage.importTemplate('screen-a-wallet', changes());
			const ends = async (address: string) => {
				const run = await stage.runFrom(workflow, 'Enter an Address', outputOf({ address }));
				expect(run.status).toBe('success');
				return ['Go On', 'Ask a Person'].filter((node) => run.data.resultData.runData[node]);
			};
			expect(await ends(greenAddress)).toEqual(['Go On']);
			expect(await ends(sanctionedAddress)).toEqual(['Ask a Person']);
			expect(await ends('two words')).toEqual(['Ask a Person']);
		});

		describe('an incoming transaction', () => {
			beforeAll(async () => {
				await stage.publishTemplate('screen-incoming-transaction', {
					...changes(),
					'When a Transaction Comes In': { webhookId: 'incoming-transaction' },
				});
			});
			afterAll(() => stage.withdrawAll());
			const post = async (body: unknown, headers?: Record<string, string>) => {
				const response = await postTo('incoming-transaction', body, headers);
				await untilQuiet();
				const text = await response.text();
				const { status } = response;
				return { status, body: status === 403 ? {} : (JSON.parse(text) as IDataObject) };
			};

			test.each([
				[greenAddress, 200, 'allow'],
				[notGreenAddress, 409, 'review'],
				[sanctionedAddress, 409, 'block'],
				['two words', 400, 'not screened'],
				[refusedAddress, 400, 'not screened'],
			])('of %s is answered %i', async (from, status, outcome) => {
				const answer = await post({ transaction_id: 'T-1', from, chain: 'ETH' });
				const body = { outcome, transaction_id: 'T-1', address: from };
				expect(answer).toMatchObject({ status, body });
				expect(stage.slack.refused).toEqual([]);
				expect(stage.slack.messages).toHaveLength(outcome === 'allow' ? 0 : 1);
			});

			test('that holds a private key repeats it nowhere', async () => {
				const key = '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ';
				const answer = await post({ transaction_id: 'T-3', from: key });
				expect(answer.body).toMatchObject({ address: '(private key removed)' });
				const { slack, mail } = stage;
				const rows = await table('Screening Results').rows();
				expect(JSON.stringify([answer, slack.messages, mail.letters, rows])).not.toContain(key);
				expect(slack.messages).toHaveLength(1);
			});

			test('whose sender is markup mentions nobody and links to nothing', async () => {
				await post({ transaction_id: 'T-4', from: '<!channel> <https://evil.example|Release>' });
				const said = JSON.stringify(stage.slack.messages);
				expect(said).toContain('evil.example');
				expect(said).not.toMatch(/<!|<https|:\/\/evil/);
				for (const { html } of stage.mail.letters) expect(html).not.toMatch(/<!channel|<https/);
			});

			test('that names no address is answered 400, and of a caller without the header 403', async () => {
				expect((await post({ from: greenAddress }, {})).status).toBe(403);
				expect(stage.sandbox.requests).toEqual([]);
				for (const body of [{}, [], { from: null }, { from: { a: 1 } }]) {
					expect((await post(body)).status).toBe(400);
				}
			});

			test('that is not screened is answered 503, and an unreadable policy is said once', async () => {
				const twice = async () => {
					for (const transaction_id of ['T-5', 'T-6'])
						expect((await post({ transaction_id, from: greenAddress })).status).toBe(503);
					return stage.slack.messages.splice(0).length;
				};
				stage.sandbox.addFault({ effect: { kind: 'answer', status: 401 } });
				expect(await twice()).toBe(2);
				if (!isReplaced) return;
				stage.sandbox.clearFaults();
				const mend = await breakPolicy();
				expect(await twice()).toBe(1);
				await mend();
			});
		});
	});

	test('the weekly report has counts, the worst, and every row as CSV without formulas', async () => {
		await table('Screening Results').clear();
		await callWorkflow(foundation.screening, [
			...[greenAddress, sanctionedAddress].map((address) => ({ address, reference: 'W' })),
			{ address: '=HYPERLINK("https://evil.example")', reference: '+1' },
		]);
		const failed = { address: greenAddress, reference: 'W-2', outcome: 'not screened' };
		const hostile = hostileRows(50, ['policy', 'report_id'], seed);
		await table('Screening Results').insert(failed, ...hostile);
		await callWorkflow(foundation.screening, [{ address: greenAddress, reference: 'W-2' }]);
		const weekly = await stage.importTemplate('weekly-report');
		expect((await stage.runFrom(weekly, 'Every Monday at Eight')).status).toBe('success');
		const [letter] = stage.mail.letters;
		const counts = `1 block, ${hostile.length + 1} not screened, 2 allow: `;
		expect(letter?.subject?.startsWith(counts)).toBe(true);
		for (const known of [sanctionedAddress, 'Reference: W', 'Failed before'])
			expect(letter?.html).toContain(known);
		const [file] = letter!.attachments;
		const csv = Buffer.from(file!.content as ArrayBuffer);
		const rows = parse(csv, { columns: true }) as IDataObject[];
		const outcomes = rows.map(({ outcome }) => outcome).filter(Boolean);
		expect(outcomes).toEqual(['allow', 'block', 'not screened', 'not screened', 'allow']);
		for (const value of rows.flatMap((row) => Object.values(row))) {
			expect(String(value)).not.toMatch(/^[=+@\s-]/);
		}
	});

	test('a policy is changed by a form: refused with the words of the node, tried on the log, told', async () => {
		const [results, policies] = [table('Screening Results'), table('Screening Policies')];
		await results.clear();
		const hostile = '<img src=x onerror=alert(1)>{{ 7777 * 7 }}';
		const [green, red] = [greenAddress, sanctionedAddress];
		await callWorkflow(foundation.screening, [
			{ address: green, reference: 'P-1' },
			{ address: red, reference: hostile },
		]);
		const before = await policies.rows();
		stage.clear();
		await stage.publishTemplate('change-the-policy', {
			'When Somebody Opens It': { webhookId: 'screening-policy' },
		});
		const person = await logInPerson(stage.n8n.url, stage.n8n.login);
		const otherwise = 'Allow it if its level is green, else review it';
		const first = await (await person.open('screening-policy')).send(undefined);
		expect(first.html).toContain('>level is red: block</textarea>');
		const rule = 'sanctions at least 0.05: Block, may be waived';
		const wrong = 'mixer above 0.5: review';
		const refused = await first.send(undefined, wrong, otherwise, '', '', '', 'Why');
		expect(refused.words).toContain("Rule 1 has a wrong 'operator' (above)");
		expect(refused.html).toContain(`>${wrong}</textarea>`);
		const until = `${red} until 2099-12-31 by MLRO: ${hostile}`;
		const change = [undefined, rule, otherwise, `Ours: block: ${green}`, until, '', 'Audit 7'];
		const page = await refused.send(...change);
		expect(page.words).toMatch(
			/2 of 2 decisions .* block 1 1 review 0 1 allow 1 0 .* block → Review, because .* P-1, .* allow → Block, because .*Ours/,
		);
		expect(page.words).toMatch(/New: version 2 level is red: block .* sanctions at least 0\.05/);
		expect(page.html).not.toMatch(/<img|54439/);
		const again = await page.send(undefined, undefined, 'Change it again');
		expect(again.html).toContain(`>${rule}</textarea>`);
		expect(await policies.rows()).toEqual(before);
		const last = await again.send(...change);
		const changed_by = stage.n8n.login.email;
		const { words } = await last.send(undefined, undefined, 'Publish it');
		expect(words).toMatch(/Version 2 is in force .*, \d\d:\d\d \(.*Why: Audit 7 What changed/);
		for (const known of [`Published by ${changed_by}`, 'each new payment by this version'])
			expect(words).toContain(known);
		// Both policies have the same last line, which is no change.
		expect(words).toMatch(/Added: sanctions at least .* Removed: level is red: block What happens/);
		expect(words).not.toContain('Otherwise');
		const row = { name: 'Our policy', version: '2', changed_by, reason: 'Audit 7' };
		expect((await policies.rows()).at(-1)).toMatchObject(row);
		for (const known of [changed_by, 'Audit 7', `Added:\n${rule}`, 'Removed:\nlevel is red'])
			expect(stage.mail.letters[0]?.text).toContain(known);
		expect(stage.sandbox.requests).toEqual([]);
		const decided = await callWorkflow(foundation.screening, [{ address: green }]);
		expect(decided).toMatchObject([{ outcome: 'block', policy_version: '2' }]);
		const stranger = await fetch(`${stage.n8n.url}/form/screening-policy`, { redirect: 'manual' });
		expect(await stranger.text()).not.toContain('Begin');
		await policies.setAll({ policy: null }, where('version', '2'));
		await stage.withdrawAll();
	});

	test(
		`the preview of ${previews} random policies is what Decide says (TEST_SEED=${seed})`,
		async () => {
			const results = table('Screening Results');
			await results.clear();
			const addresses = [notGreenAddress, sanctionedAddress, ...addressesOf(6)];
			const all = addresses.map((address) => ({ address }));
			await callWorkflow(foundation.screening, all);
			await stage.publishTemplate('change-the-policy', {
				'When Somebody Opens It': { webhookId: 'screening-policy' },
			});
			const person = await logInPerson(stage.n8n.url, stage.n8n.login);
			const rows = await results.rows<{ outcome: string; report: string }>();
			const random = numbersFrom(seed);
			const oneOf = <T>(choices: readonly T[]) => choices[Math.floor(random() * choices.length)]!;
			const randomRule = () => {
				const field = oneOf(['level', 'score', 'sanctions', 'mixer', 'tx_count']);
				const isLevel = field === 'level';
				const operators = { is: 'equals', 'is not': 'notEquals' };
				const limits = { 'at least': 'gte', 'at most': 'lte' };
				const [word, operator] = oneOf(Object.entries(isLevel ? operators : limits));
				const number = Math.round(random() * (field === 'tx_count' ? 50_000 : 100)) / 100;
				const value = isLevel ? oneOf(['green', 'yellow', 'red']) : number;
				const outcome = oneOf(['block', 'review']);
				return {
					sentence: `${field} ${word} ${value}: ${outcome}`,
					rule: { field, operator, value, outcome },
				};
			};
			const otherwise = {
				...{ 'Review it': 'review', 'Allow it, whatever its level': 'allow' },
				'Allow it if its level is green, else review it': 'allowGreen',
			};
			const opened = async () => await (await person.open('screening-policy')).send(undefined);
			let write = await opened();
			for (let n = 0; n < previews; n++) {
				// n8n limits how often a person opens a form, and gets slower with each round in one.
				if (n > 0 && n % 50 === 0) write = await opened();
				const rules = Array.from({ length: 1 + Math.floor(random() * 4) }, randomRule);
				const [said, meant] = oneOf(Object.entries(otherwise));
				const sentences = rules.map(({ sentence }) => sentence).join('\n');
				const look = await write.send(undefined, sentences, said, '', '', '', 'Why');
				const { words } = look;
				write = await look.send(undefined, undefined, 'Change it again');
				const policy = policyOfJson({ otherwise: meant, rules: rules.map(({ rule }) => rule) });
				const decided = rows.map(({ outcome: before, report }) => {
					const { outcome } = decide(JSON.parse(report) as never, policy, { at: new Date() });
					return { before, outcome };
				});
				const counts = ['block', 'review', 'allow'].map((one) => {
					const [before, after] = (['before', 'outcome'] as const).map(
						(name) => decided.filter((row) => row[name] === one).length,
					);
					return `${one} ${before} ${after}`;
				});
				const changed = decided.filter(({ before, outcome }) => before !== outcome).length;
				expect({ sentences, said, words }).toEqual({
					...{ sentences, said, words: expect.stringContaining(counts.join(' ')) },
				});
				expect(words).toContain(`${changed} of ${rows.length} decisions`);
			}
			await stage.withdrawAll();
		},
		120_000 + previews * 10_000,
	);
}
