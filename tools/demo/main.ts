import { createHash } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import type { Change } from '../../nodes/WalletScreening/risk/change';
import { canonical, sanctionedAddresses, sanctionedAsset } from '../../sandbox/sanctions';
import { scenarios } from '../../sandbox/scenarios';
import { startSandbox } from '../../sandbox/server';
import { step } from '../host/progress';
import { credentialFor } from './credential';
import { type DemoEngine, openEngine } from './engine';
import { presentList } from './list';

const screenAndWait: INodeParameters = { resource: 'bulkJob', operation: 'screenAndWait' };

/** Every sanctioned address, and as many that nobody has listed, the same in every run. */
function addressesForBulk(): string[] {
	const sanctioned = new Map(
		sanctionedAddresses.map(({ address }) => [canonical(address), address]),
	);
	return [...sanctioned.values()].flatMap((address, number) => {
		const digest = createHash('sha256').update(`unlisted ${number}`).digest('hex');
		return [address, `0x${digest.slice(0, 40)}`];
	});
}

async function presentBulk({ run }: DemoEngine): Promise<void> {
	const addresses = addressesForBulk();
	const title = `Screening ${addresses.length.toLocaleString('en')} addresses in bulk`;
	const input = addresses.map((address) => ({ address }));
	const items = await step(title, () => run(screenAndWait, input));
	const reports = items.map(({ json }) => json as { address: string; risk: { level: string } });
	const line = (name: string, isListed: boolean) => {
		const those = reports.filter(
			({ address }) => (sanctionedAsset(address) !== undefined) === isListed,
		);
		const counts = ['green', 'yellow', 'red'].map(
			(level) => `${those.filter(({ risk }) => risk.level === level).length} ${level}`,
		);
		return `${those.length} ${name}: ${counts.join(', ')}.`;
	};
	console.log(`\n${line('addresses of the US sanctions list', true)}`);
	console.log(`${line('other addresses', false)}\n`);
}

/** Screens a customer who turns red overnight and one who stays green, on two days. */
async function presentNights({ run }: DemoEngine, nextDay: () => void): Promise<void> {
	const ending = (digits: string) =>
		scenarios.find(({ address }) => address.endsWith(digits))!.address;
	const customers = [
		{ customer: 'Northwind Trading', address: ending('20') },
		{ customer: 'Blue Harbour Cafe', address: ending('06') },
	];
	const screen = () => run({ ...screenAndWait, options: { includeInputFields: true } }, customers);
	const compared = await step('Screening two customers on two nights', async () => {
		const before = await screen();
		nextDay();
		const after = await screen();
		return run(
			{ resource: 'report', operation: 'compare' },
			after.map(({ json }, index) => ({ ...json, previous: before[index]!.json })),
		);
	});
	console.log('\nReport: Compare finds who changed overnight:\n');
	for (const { json } of compared) {
		const { kind, fields } = json.change as unknown as Change;
		const shown = fields
			.filter(({ field }) => ['level', 'score', 'sanctions'].includes(field))
			.map(({ field, before, after }) => `${field} ${String(before)} → ${String(after)}`);
		console.log(`  ${String(json.customer)}: ${[kind, ...shown].join(', ')}`);
	}
}

async function main(): Promise<void> {
	console.log(`This demo screens in n8n's engine with a sandbox of the service, both on this machine.
Its reports are made up, but every address of the US sanctions list is red.\n`);
	const sandbox = await startSandbox();
	const engine = await openEngine(credentialFor(sandbox));
	try {
		await presentList(engine);
		await presentBulk(engine);
		await presentNights(engine, () => sandbox.setDay(1));
	} finally {
		await engine.close();
		await sandbox.close();
	}
	console.log(`
Next: npm run n8n
It opens this workflow and the templates in the editor of a real n8n. The first
time it downloads n8n, 2 GB.`);
}

// By itself, a signal would leave the engine's folder behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
main().catch((error: unknown) => {
	console.error((error as Error).message);
	process.exitCode = 1;
});
