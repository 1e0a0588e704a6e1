import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../tools/host/until';
import { numbersFrom, seed } from '../../support/data/random';
import { greenAddresses, sanctionedAddress } from '../../support/templates/templateAddresses';
import { table } from '../../support/templates/dataTable';
import { type Explorers, startExplorers } from '../../support/servers/explorers';
import { timeoutMs, killCount, killsInName } from '../../support/templates/kills';
import { stage } from '../../support/templates/stage';
import { publishWatch } from '../../support/templates/watch';
import { everyFiveSeconds } from '../../support/templates/schedules';
import { pastTime } from '../../support/templates/times';
import { slackMessagesAsText } from '../../support/templates/slackMessages';

const paymentsPerKill = 10;
const wallet = '17SkEw2md5avVNyYgj6RiXuQKNwkXaxFyQ';

const received = table('Screening Received');
const rows = async () => await received.rows<{ reference: string; outcome: string | null }>();

/** Pays to the watched address, in turn from a sanctioned and from a green address. */
function pay(explorers: Explorers, round: number): void {
	for (let n = 0; n < paymentsPerKill; n++) {
		const address = n % 2 ? greenAddresses[n]! : sanctionedAddress;
		explorers.bitcoin.push({
			txid: createHash('sha256').update(`${round} ${n}`).digest('hex'),
			inputs: [{ address, value: 2 }],
			outputs: [{ address: wallet, value: 1 }],
		});
	}
}

/** Whether all payments are screened, and those of the sanctioned address are in Slack. */
async function isAllTold({ bitcoin }: Explorers): Promise<boolean> {
	const all = await rows();
	if (all.length < bitcoin.length || all.some(({ outcome }) => !outcome)) return false;
	const messages = slackMessagesAsText();
	const hits = bitcoin.filter(({ inputs }) => inputs[0]!.address === sanctionedAddress);
	return hits.every(({ txid }) => messages.includes(txid));
}

export function killedWatchTests(): void {
	test(`each payment to a watched address is stored once, screened and told, ${killsInName}`, async () => {
		const random = numbersFrom(seed);
		const explorers = await startExplorers();
		await publishWatch('bitcoin', { explorer: explorers.urls.bitcoin }, everyFiveSeconds);
		await stage.publishTemplate('watch-screen', { 'Every Ten Minutes': everyFiveSeconds });
		await table('Screening Watch').insert({ wallet, network: 'bitcoin' });
		for (let kill = 0; kill < killCount; kill++) {
			pay(explorers, kill);
			const before = explorers.requests.length;
			await until('a look', async () => explorers.requests.length > before || undefined, {
				timeoutMs,
			});
			await sleep(random() * 3000);
			await stage.killAndRestart();
		}
		await until(
			'all to be told',
			async () => {
				// What a killed run was about to say comes again after 15 minutes.
				const isDue = { columnName: 'tell_at', condition: 'gt', value: pastTime } as const;
				await received.setAll({ tell_at: pastTime }, [isDue]);
				return (await isAllTold(explorers)) || undefined;
			},
			{ timeoutMs, pauseMs: 2000 },
		);
		const stored = (await rows()).map(({ reference }) => reference);
		expect(stored.sort()).toEqual(explorers.bitcoin.map(({ txid }) => txid).sort());
		await explorers.close();
	});
}
