import { startFreshInstance } from '../tools/host/instance';
import { completion, deliver, hookCredential, productionUrl, report, secrets } from './support/triggers';
import { trigger, workflowOf } from './support/workflows';
async function main() {
	const n8n = await startFreshInstance('tmp-burst', { environment: { N8N_LOG_LEVEL: 'info' } });
	const credential = await n8n.saveCredential(hookCredential(secrets.body));
	const node = trigger(credential, { output: 'batch' }, 'tmp-burst');
	const saved = await n8n.saveWorkflow(workflowOf('Burst', node));
	await n8n.publishWorkflow(saved);
	const url = productionUrl(n8n, 'tmp-burst');
	for (const count of [1, 1, 1, 2, 5, 15]) {
		const t = performance.now();
		const times = await Promise.all(Array.from({ length: count }, async () => {
			const { text } = await deliver({ url }, completion(report()));
			return `${text} ${Math.round(performance.now() - t)}`;
		}));
		console.log(count, times.join(', '));
	}
	console.log(n8n.url, n8n.userFolder);
	await n8n.stop();
}
void main();
