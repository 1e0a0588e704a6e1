import { createEngine, type WorkflowJson } from '../../tools/host/engine/engine';

const workflow: WorkflowJson = {
	nodes: [
		{
			id: 'start',
			name: 'Start',
			type: 'n8n-nodes-base.manualTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
	],
	connections: {},
};

it('returns with each run the lines of the log that it wrote, and no earlier ones', async () => {
	const engine = await createEngine();
	try {
		const first = (await engine.run(workflow)).log.split('\n');
		const second = (await engine.run(workflow)).log.split('\n');
		expect(first[0]).not.toBe('');
		expect(second).toHaveLength(first.length);
		expect(second[0]).toBe(first[0]);
	} finally {
		await engine.close();
	}
});
