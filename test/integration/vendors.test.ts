import { createEngine, type Engine } from '../../tools/host/engine';
import { serveVendors, vendors } from '../support/vendors';
import {
	type Figures,
	measure,
	type Nodes,
	type Taught,
	taughtByCheckService,
	together,
	told,
	trialCredential,
} from '../support/vendorTrial';
import { createTrigger, signed } from '../unit/trigger/context';
import { CONTINUE, CREDENTIAL, screeningWorkflow } from './engine/workflows';

const apiKey = 'key-of-the-vendors';
const ids = vendors.map(({ id }) => id);
let service: Awaited<ReturnType<typeof serveVendors>>;
let engine: Engine;

beforeAll(async () => {
	service = await serveVendors(apiKey);
	const credential = { type: 'walletScreeningApi', data: { apiKey, ...trialCredential } };
	engine = await createEngine({ credentials: { [CREDENTIAL]: credential } });
});
afterAll(async () => {
	await engine.close();
	await service.close();
});

const nodes: Nodes = {
	async run(parameters, input) {
		const workflow = screeningWorkflow(parameters, { onError: CONTINUE });
		const { error, items } = await engine.run(workflow, { input });
		if (error) throw error;
		return items[0]!;
	},
	async deliver(body, serviceNames) {
		const { deliver } = createTrigger({ credential: { serviceNames } });
		return (await deliver({ body, headers: signed(body) })).items ?? [];
	},
};

async function measured(taught?: Taught): Promise<Figures> {
	const figures = await measure(nodes, service, taught);
	if (process.env['VENDORS']) process.stderr.write(`${told(figures)}\n`);
	return figures;
}

describe('twenty vendors that know nothing of the nodes', () => {
	let plain: Figures;
	beforeAll(async () => (plain = await measured()));

	it('are understood as they come, most of them whole', () => {
		expect(plain).toMatchObject({ harm: [], single: ids, delivered: ids });
		expect(plain.whole.length).toBeGreaterThanOrEqual(17);
		expect(plain.failedEnds.length).toBeGreaterThanOrEqual(18);
	});

	it('are understood after one paste of check-service', async () => {
		const checked = await measured(await taughtByCheckService(apiKey, service));
		expect(checked).toMatchObject({ harm: [], single: ids, whole: ids, delivered: ids });
	});

	it('are understood after at most two pastes of what the errors propose, their failures too', async () => {
		const once = await measured(plain.proposed);
		const isEnough = once.whole.length === ids.length && once.failedKnown.length >= 18;
		const then = isEnough ? once : await measured(together(plain.proposed, once.proposed));
		expect(then).toMatchObject({ harm: [], single: ids, whole: ids, delivered: ids });
		expect(then.failedKnown.length).toBeGreaterThanOrEqual(18);
	});
});
