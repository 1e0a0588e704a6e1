import type { IDataObject } from 'n8n-workflow';
import type { Saved, Workflow } from '../../../tools/host/workflow';
import { sanctionedAddresses } from '../../../sandbox/sanctions';
import { createSdnXml } from '../../support/data/ofac';
import { createListener, type LocalServer, serve } from '../../support/servers/server';
import { greenAddress, greenAddresses } from '../../support/templates/templateAddresses';
import { table } from '../../support/templates/dataTable';
import {
	foundation,
	tellWhatStops,
	type ScreeningResult,
} from '../../support/templates/foundation';
import { stage, untilQuiet } from '../../support/templates/stage';
import { daysAgo } from '../../support/templates/times';
import { callWorkflow } from '../../support/templates/workflowCalls';
import { yearlySchedule } from '../../support/templates/schedules';

/** The Treasury's list, of a stand-in that serves the real format at the real length. */
export function treasuryTests(): void {
	const lists = table('Screening Sanctions');
	const ofac = { status: 200, body: '' };
	let server: LocalServer;
	let reading: Saved<Workflow>;
	const whole = [...sanctionedAddresses, { address: greenAddress, asset: 'ETH' }];
	beforeAll(async () => {
		server = await serve(
			createListener((_, answer) => answer(ofac.status, ofac.body, { 'content-type': 'text/xml' })),
		);
		reading = await stage.publishTemplate('treasury-list', {
			'Every Day': yearlySchedule,
			"Read OFAC's List": { parameters: { url: `${server.url}/SDN.XML` }, retryOnFail: false },
		});
	});
	afterAll(async () => {
		await stage.withdrawAll();
		await lists.clear();
		await server.close();
	});
	/**
	 * Reads the list as n8n does every day. n8n deletes a successful execution of this workflow: then
	 * it is not found.
	 */
	const read = async () => {
		await stage.runFrom(reading, 'Every Day').catch((error: Error) => {
			if (!error.message.startsWith('n8n keeps no execution')) throw error;
		});
		await untilQuiet();
	};
	beforeEach(async () => {
		Object.assign(ofac, { status: 200, body: createSdnXml(whole) });
		await lists.clear();
		await read();
		expect(await row()).toMatchObject({ count: whole.length });
	});
	const screen = async (...addresses: string[]) =>
		await callWorkflow<ScreeningResult>(
			foundation.screening,
			addresses.map((address) => ({ address })),
		);
	const row = async () => (await lists.rows<IDataObject>())[0]!;

	test('each address of it is read, with its entry, and is a sanctions hit for Our Screening', async () => {
		await lists.clear();
		expect(await screen(greenAddress)).toMatchObject([{ outcome: 'allow' }]);
		await read();
		const { addresses, entries, published, count } = await row();
		expect([published, count]).toEqual(['2024-09-27', whole.length]);
		const listed = (JSON.parse(`${addresses}`) as string[]).sort();
		expect(listed).toEqual(whole.map(({ address }) => address).sort());
		const entry = (JSON.parse(`${entries}`) as IDataObject[]).find(
			({ address, asset }) =>
				address === sanctionedAddresses[8]!.address && asset === sanctionedAddresses[8]!.asset,
		);
		expect(entry).toEqual({
			...sanctionedAddresses[8]!,
			uid: '40008',
			name: 'GROUP 8 & CO',
			program: 'CYBER2, DPRK3',
		});
		const [onList, other] = await screen(greenAddress.toLowerCase(), greenAddresses[1]!);
		expect(onList).toMatchObject({ outcome: 'block', sanctions: true });
		expect(onList!.summary).toContain("on the sanctions list 'OFAC SDN of 2024-09-27'");
		expect(other).toMatchObject({ outcome: 'allow', sanctions: false });
		expect(stage.slack.messages).toEqual([]);
	});

	test('a list that is more than three days old makes everything a review, and the team is told once a day', async () => {
		await lists.setAll({ read_at: daysAgo(2.9) });
		expect(await screen(greenAddresses[1]!)).toMatchObject([{ outcome: 'allow' }]);
		expect(stage.slack.messages).toEqual([]);
		await lists.setAll({ read_at: daysAgo(3.1) });
		for (const _ of [1, 2])
			expect(await screen(greenAddresses[1]!, greenAddress)).toMatchObject([
				{ outcome: 'review', sanctions: false },
				{ outcome: 'block', sanctions: true },
			]);
		await table('Screening Told').clear();
		for (const _ of [1, 2]) await tellWhatStops();
		const words = 'The OFAC list is outdated';
		const texts = stage.slack.messages.map(({ text }) => text ?? '');
		expect(texts.filter((text) => text.includes(words))).toHaveLength(1);
	});

	test('what is not the whole list replaces no list, and the team is told', async () => {
		const unreadable = { address: 'two words', asset: 'ETH' };
		const answers = {
			'cut off': { body: createSdnXml(whole).slice(0, -20) },
			'a page of words': { body: '<html>Sorry</html>' },
			'an answer 503': { status: 503 },
			'half of it': { body: createSdnXml(whole.slice(0, 300)) },
			'without a date': { body: createSdnXml(whole, '') },
			'with an address that cannot be read': { body: createSdnXml([...whole, unreadable]) },
		};
		const before = await row();
		for (const [name, answer] of Object.entries(answers)) {
			Object.assign(ofac, { status: 200, body: createSdnXml(whole) }, answer);
			await read();
			expect([name, await row()]).toEqual([name, before]);
			const told = stage.slack.messages.splice(0).map(({ text }) => text);
			const words = "The Treasury's list could not be read";
			expect([name, told]).toEqual([name, [expect.stringContaining(words)]]);
		}
	});
}
