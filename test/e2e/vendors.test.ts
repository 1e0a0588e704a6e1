import { itemsOf, type N8n, startFreshInstance } from '../../tools/host/instance';
import { deliver, hookCredential, secrets, startTrigger } from '../support/triggers';
import { serveVendors, vendors } from '../support/vendors';
import {
	measure,
	type Nodes,
	type Taught,
	taughtByCheckService,
	together,
	told,
	trialCredential,
} from '../support/vendorTrial';
import { screeningNode, screeningWorkflow, triggerNode } from '../support/workflows';

const apiKey = 'key-of-the-vendors';
const ids = vendors.map(({ id }) => id);

describe('twenty vendors that know nothing of the nodes, in a real n8n', () => {
	let service: Awaited<ReturnType<typeof serveVendors>>;
	let n8n: N8n;
	let nodes: Nodes;

	beforeAll(async () => {
		service = await serveVendors(apiKey);
		n8n = await startFreshInstance('e2e-vendors');
		nodes = await nodesIn(n8n);
	});
	afterAll(async () => {
		await n8n?.stop();
		await service?.close();
	});

	let proposed: Taught;

	test('are understood as they come, most of them whole', async () => {
		const figures = await measure(nodes, service);
		({ proposed } = figures);
		process.stderr.write(`As they come\n${told(figures)}\n`);
		expect(figures).toMatchObject({ harm: [], single: ids, delivered: ids });
		expect(figures.whole.length).toBeGreaterThanOrEqual(17);
		expect(figures.failedEnds.length).toBeGreaterThanOrEqual(18);
	});

	test('are understood after one paste of check-service', async () => {
		const figures = await measure(nodes, service, await taughtByCheckService(apiKey, service));
		process.stderr.write(`After check-service\n${told(figures)}\n`);
		expect(figures).toMatchObject({ harm: [], single: ids, whole: ids, delivered: ids });
	});

	test('are understood after at most two pastes of what the errors propose, their failures too', async () => {
		const once = await measure(nodes, service, proposed);
		const isEnough = once.whole.length === ids.length && once.failedKnown.length >= 18;
		const then = isEnough ? once : await measure(nodes, service, together(proposed, once.proposed));
		expect(then).toMatchObject({ harm: [], single: ids, whole: ids, delivered: ids });
		expect(then.failedKnown.length).toBeGreaterThanOrEqual(18);
	});
});

async function nodesIn(n8n: N8n): Promise<Nodes> {
	const credential = await n8n.saveCredential({
		...{ name: 'Vendors', type: 'walletScreeningApi' },
		data: { apiKey, ...trialCredential },
	});
	const hook = await n8n.saveCredential(hookCredential(secrets.body));
	const options = { ignoreRepeats: false };
	const trigger = await startTrigger(n8n, hook, { signedContent: 'body', options });
	let taught = '{}';
	let seen = 0;
	return {
		async run(parameters, input) {
			const given = [input, parameters, credential, 'continueRegularOutput'] as const;
			const workflow = await n8n.saveWorkflow(screeningWorkflow(...given));
			return itemsOf(await n8n.runWorkflow(workflow), screeningNode);
		},
		async deliver(body, serviceNames) {
			if (serviceNames !== taught) {
				await n8n.changeCredential(hook, hookCredential(secrets.body, { serviceNames }).data);
				taught = serviceNames;
			}
			await deliver(trigger, body);
			const [newest, ...others] = await n8n.executionsOf(trigger.workflow);
			if (!newest || others.length < seen) return [];
			seen++;
			return itemsOf(await n8n.finishedExecution(newest.id), triggerNode).map(({ json }) => json);
		},
	};
}
