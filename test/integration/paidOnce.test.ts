/** What a run says of money: gateways answer 5xx for requests that the service carried out. */
import { useService } from './engine/service';
import { addressesOf } from '../support/addresses';
import { CONTINUE, GREEN, itemsFor, SCREEN, SUBMIT, WAIT } from './engine/workflows';

const service = useService();
// The random pauses between tries become as short as they can be.
beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => jest.restoreAllMocks());

const post = ({ method }: { method: string }) => method === 'POST';
const addresses = addressesOf(3);

describe.each([
	['Submit', SUBMIT],
	['Screen and Wait', WAIT],
])('%s, whose job was made although a gateway answered 503', (_name, parameters) => {
	it.each([
		['for ever', Infinity],
		['twice', 2],
	])('%s: sends one POST, and says that the job may exist', async (_times, times) => {
		service.sandbox.addFault({ when: post, times, effect: { kind: 'gateway', status: 503 } });
		const input = itemsFor(addresses);
		const { json } = await service.run(parameters, { input, onError: CONTINUE });
		expect(service.posts().map(({ job_id }) => job_id)).toEqual([expect.any(String)]);
		expect(json).toMatchObject(
			addresses.map((address) => ({
				error: 'The service is unavailable (status 503) while a bulk job was submitted',
				details: {
					...{ errorClass: 'server', httpCode: '503', address, sent: 1 },
					description: expect.stringContaining('The service may have accepted the job'),
				},
			})),
		);
	});

	it('waits if the service itself asks for time, and sends it again', async () => {
		const headers = { 'retry-after': '0' };
		service.sandbox.addFault({
			...{ when: post, times: 2 },
			effect: { kind: 'answer', status: 503, headers },
		});
		const { json } = await service.run(parameters, { input: itemsFor(addresses) });
		expect(json[0]).not.toHaveProperty('error');
		expect(service.posts()).toHaveLength(3);
	});
});

it('screenings that were sent more than once are counted in a hint, and in their evidence', async () => {
	const [lost, failed, refused, fine] = [GREEN, ...addresses] as [string, string, string, string];
	const of = (address: string) => ({
		when: ({ body }: { body: unknown }) => (body as { address: string }).address === address,
	});
	const { addFault } = service.sandbox;
	addFault({ ...of(lost), times: 1, effect: { kind: 'reset', at: 'beforeAnswer' } });
	addFault({ ...of(failed), times: 4, effect: { kind: 'gateway', status: 502 } });
	const headers = { 'retry-after': '0' };
	addFault({ ...of(refused), times: 1, effect: { kind: 'answer', status: 503, headers } });
	const parameters = { ...SCREEN, addEvidence: true, options: { maxRetries: 2 } };
	const input = itemsFor([lost, failed, refused, fine]);
	const { json, hints } = await service.run(parameters, { input, onError: CONTINUE });
	expect(json).toMatchObject([
		{ evidence: { sent: 2 } },
		{ details: { errorClass: 'server', sent: 3 } },
		{ evidence: expect.not.objectContaining({ sent: expect.anything() }) },
		{ evidence: expect.not.objectContaining({ sent: expect.anything() }) },
	]);
	const texts = hints.filter(({ type }) => type === 'warning').map(({ message }) => message);
	expect(texts).toContainEqual(expect.stringContaining('2 screenings were sent more than once'));
});
