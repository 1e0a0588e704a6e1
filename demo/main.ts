import { step } from '../host/progress';
import { openEngine } from './engine';
import { type Nights, nightText } from './nights';
import { present } from './present';
import { openService } from './service';

async function presentNights(engine: Nights, nextDay: () => void): Promise<void> {
	const compared = await step('Screening two customers on two nights', () =>
		engine.compareNights(nextDay),
	);
	console.log(`\nReport: Compare finds who changed overnight:\n\n${nightText(compared)}\n`);
}

async function main(): Promise<void> {
	const service = await openService(process.env);
	try {
		console.log(`Screening in n8n's engine, with ${service.description}.\n`);
		const engine = await openEngine(service.credential);
		try {
			if (!(await present(engine, service))) process.exitCode = 1;
			if (service.nextDay) await presentNights(engine, service.nextDay);
		} finally {
			await engine.close();
		}
	} finally {
		await service.close();
	}
	console.log(`Next: npm run n8n
It opens the same workflows in the editor of a real n8n. The first time it
downloads n8n, 2 GB.`);
}

// By itself, a signal would leave the engine's folder behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
main().catch((error: unknown) => {
	console.error((error as Error).message);
	process.exitCode = 1;
});
