import type { IWebhookFunctions } from 'n8n-workflow';
import { ScreeningError } from '../../../nodes/WalletScreening/service/errors';
import { createFetch, isPassing } from '../../../nodes/WalletScreening/trigger/fetch';
import { errorOf, response } from '../support/answers';
import { streamed } from '../support/context';
import { green, red } from './context';

const notFetched = new ScreeningError('invalid_response', 'not a report', '');
const named = { address: green.address, outcome: notFetched, reportId: green.report_id };
const second = { address: undefined, outcome: notFetched, reportId: 'rep_2' };

let keys = 0;
const service = { baseUrl: 'https://api.example.com', plan: 'enterprise' };
/** What a node fetches from a service that answers by the last part of the path. */
function fetchFrom(answers: Record<string, () => unknown>) {
	const seen: string[] = [];
	const context = {
		getNode: () => ({}),
		getCredentials: async () => await Promise.resolve({ apiKey: `key${++keys}`, ...service }),
		helpers: {
			httpRequestWithAuthentication: async (_type: string, { url }: { url: string }) => {
				const id = url.split('/').at(-1) ?? '';
				seen.push(id);
				return streamed(response(...((await answers[id]!()) as [number, unknown])));
			},
		},
	};
	return { seen, ...createFetch(context as unknown as IWebhookFunctions) };
}
const gives = (status: number, body: unknown) => () => [status, body];

test('reports that the service only named are fetched, and the others stay as they are', async () => {
	const whole = { address: red.address, outcome: red as never };
	const { reports, seen } = fetchFrom({ [green.report_id]: gives(200, green) });
	expect(await reports([whole])).toEqual([whole]);
	expect(seen).toEqual([]);
	const nameless = { ...named, address: undefined };
	const [one, ...others] = await reports([whole, named, nameless]);
	expect(one).toEqual(whole);
	expect(others).toEqual([named, nameless].map((each) => ({ ...each, outcome: green })));
	expect(seen).toEqual([green.report_id, green.report_id]);
});

test('an outage, a limit and a job that runs may be over later, and nothing else', () => {
	const passing = ['server', 'network', 'rate_limited', 'job_timeout'] as const;
	const classes = [...passing, 'unauthorized', 'not_found', 'invalid_input'] as const;
	const over = classes.filter((one) => isPassing(new ScreeningError(one, '', '')));
	expect(over).toEqual(passing);
});

test.each<[string, unknown, string, string]>([
	[green.report_id, [200, { ...green, address: 'bc1qanother' }], 'invalid_response', 'rep_1'],
	['../1', undefined, 'invalid_input', '../1'],
])('%s that cannot be fetched is an error: %j', async (reportId, reply, errorClass, report_id) => {
	const { reports } = fetchFrom({ [green.report_id]: () => reply });
	const [outcome] = await reports([{ ...named, reportId }]);
	expect(outcome?.outcome).toMatchObject({
		errorClass,
		known: { address: green.address, report_id },
	});
});

test('an outage is thrown if nothing was fetched, so that the sender delivers again', async () => {
	const down = gives(500, {});
	const { reports } = fetchFrom({ [green.report_id]: down, rep_2: down });
	const error = await errorOf(async () => await reports([named, second]));
	expect(error.errorClass).toBe('server');
});

test('the 25 seconds are for all of it; what was fetched by then is given, and the rest is named', async () => {
	const controller = new AbortController();
	const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(controller.signal);
	const { reports } = fetchFrom({
		[green.report_id]: gives(200, green),
		rep_2: async () => {
			setImmediate(() => controller.abort(new Error('too late')));
			return await new Promise(() => {});
		},
	});
	expect(timeout).toHaveBeenCalledWith(25_000);
	timeout.mockRestore();
	const [one, other] = await reports([named, second]);
	expect(one?.outcome).toEqual(green);
	expect(other?.outcome).toMatchObject({ errorClass: 'network', known: { report_id: 'rep_2' } });
});
