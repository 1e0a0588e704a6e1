import { startSandbox } from '../../sandbox/server';
import { createEngine } from '../host/engine/engine';
import { runScript } from '../host/script';
import { credentialFor } from './credential';
import { presentList } from './list';

async function main(): Promise<void> {
	console.log(`This demo screens in n8n's engine with a sandbox of the service, both on this machine.
Its reports are made up, but every address of the US sanctions list is red.\n`);
	const sandbox = await startSandbox();
	const credential = credentialFor(sandbox);
	const engine = await createEngine({ credentials: [credential] });
	try {
		await presentList(engine, credential);
	} finally {
		await engine.close();
		await sandbox.close();
	}
	console.log(`
Next: npm run n8n
It opens the templates in a real n8n, with a month of results behind them. The first
time it downloads n8n, 2 GB.`);
}

runScript(main);
