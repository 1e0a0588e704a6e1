import { type Service, startService } from './engine/service';
import { readWorkflowCase, workflowFiles } from './engine/workflows';

describe('workflow files', () => {
	let service: Service;

	beforeAll(async () => {
		service = await startService();
	});
	afterAll(async () => await service.close());
	beforeEach(() => service.reset());

	it.each(workflowFiles)('%s', async (file) => {
		const { expected, requests, ...workflow } = readWorkflowCase(file, service.sandbox.baseUrl);
		const { itemsOf, error } = await service.runWorkflow(workflow);
		expect(error).toBeUndefined();
		for (const [node, outputs] of Object.entries(expected)) {
			expect(itemsOf(node)).toMatchObject(outputs);
		}
		expect(service.requested()).toEqual(requests);
	});
});
