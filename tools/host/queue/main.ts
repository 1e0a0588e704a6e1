import { once } from 'node:events';
import { startFreshCluster } from './cluster';

async function main(): Promise<void> {
	const cluster = await startFreshCluster('queue', { workers: 4, concurrency: 10 });
	const { url, login, userFolder } = cluster.main;
	const workers = await Promise.all(cluster.workers.map(async (worker) => worker.processId()));
	console.log(`n8n in queue mode: ${url}  (e-mail ${login.email}, password ${login.password})`);
	console.log(`Its main's folder: ${userFolder}`);
	console.log(`Its four workers: processes ${workers.join(', ')}. Ctrl+C ends it all.`);
	await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
	await cluster.stop();
}

main().catch((error: unknown) => {
	console.error((error as Error).message);
	process.exitCode = 1;
});
