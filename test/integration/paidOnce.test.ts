/**
 * Tests what a run says about double payment: a gateway may answer 5xx to a request that the
 * service has carried out.
 */
import { ethereum } from '../support/data/knownAddresses';
import { useService } from '../support/engine/sandboxService';
import { numberedAddresses } from '../support/data/addresses';
import {
	CONTINUE,
	ERROR_OUTPUT,
	itemsFor,
	GET_REPORT,
	SCREEN,
	SUBMIT,
	SCREEN_AND_WAIT,
} from '../support/engine/workflows';

const service = useService();
// The random pauses between tries become as short as they can be.
beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => jest.restoreAllMocks());

const addresses = numberedAddresses(4);

it('screenings that were sent more than once are counted in a hint, and in their evidence', async () => {
	const [lost, failed, delayed, refused, fine] = [ethereum, ...addresses] as [
		string,
		string,
		string,
		string,
		string,
	];
	const of = (address: string) => ({
		when: ({ body }: { body: unknown }) => (body as { address: string }).address === address,
	});
	const { addFault } = service.sandbox;
	addFault({ ...of(lost), times: 1, effect: { kind: 'reset', at: 'beforeAnswer' } });
	addFault({ ...of(failed), times: 4, effect: { kind: 'gateway', status: 502 } });
	const headers = { 'retry-after': '0' };
	addFault({ ...of(delayed), times: 1, effect: { kind: 'gateway', status: 503, headers } });
	addFault({ ...of(refused), times: 1, effect: { kind: 'answer', status: 429, headers } });
	const parameters = { ...SCREEN, options: { addEvidence: true, maxRetries: 2 } };
	const input = itemsFor([lost, failed, delayed, refused, fine]);
	const { json, hints } = await service.run(parameters, { input, onError: CONTINUE });
	expect(json).toMatchObject([
		{ evidence: { sent: 2 } },
		{ details: { errorClass: 'server', sent: 3 } },
		{ evidence: { sent: 2 } },
		{ evidence: expect.not.objectContaining({ sent: expect.anything() }) },
		{ evidence: expect.not.objectContaining({ sent: expect.anything() }) },
	]);
	const texts = hints.filter(({ type }) => type === 'warning').map(({ message }) => message);
	expect(texts).toContainEqual(expect.stringContaining('3 screenings were sent more than once'));
});

describe("n8n's own Retry On Fail, which repeats the whole node", () => {
	// n8n repeats a node that throws, and one whose first item is an error.
	const input = itemsFor(['a mistyped address', ...numberedAddresses(3)]);

	it.each([
		['Screen', SCREEN, undefined],
		['Screen', SCREEN, CONTINUE],
		['Screen', SCREEN, ERROR_OUTPUT],
		['Submit', SUBMIT, undefined],
		['Submit', SUBMIT, CONTINUE],
		['Screen and Wait', SCREEN_AND_WAIT, undefined],
		['Screen and Wait', SCREEN_AND_WAIT, CONTINUE],
	] as const)('keeps %s from sending anything (%o, %s)', async (_name, parameters, onError) => {
		const options = { input, retryOnFail: true, ...(onError && { onError }) };
		const { error, items } = await service.run(parameters, options);
		expect(service.requestLines()).toEqual([]);
		const failures = items.flat().map(({ json }) => json.error as string);
		if (!onError) failures.push(error!.message);
		expect(failures).toHaveLength(onError ? input.length : 1);
		for (const failure of failures) expect(failure).toMatch(/^'Retry On Fail' is on/);
	});

	it('is no matter for what the service does not bill', async () => {
		const report = service.reportOf(ethereum);
		const { json } = await service.run(GET_REPORT, { input: [{ report }], retryOnFail: true });
		expect(json).toEqual([service.itemOf(ethereum)]);
	});
});
