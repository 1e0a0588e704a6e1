import { answer, errorOf, reportBody } from '../support/answers';
import { serviceOf } from '../support/service';

test.each([0, 100, 101, 199])(
	'the status %d is no success, whatever comes with it',
	async (status) => {
		const { seen, screen } = serviceOf(answer(status, reportBody()), { maxRetries: 5 });
		const { errorClass, httpCode } = await errorOf(async () => await screen(reportBody().address));
		expect({ errorClass, httpCode }).toEqual({ errorClass: 'invalid_response', httpCode: status });
		expect(seen).toHaveLength(1);
	},
);

test.each(['screen', 'getReport', 'getPdf'] as const)(
	'the status 206 says of %s that only a part came',
	async (method) => {
		const report = reportBody();
		const service = serviceOf(answer(206, method === 'getPdf' ? '%PDF-1.7' : report), {
			maxRetries: 5,
		});
		const given = method === 'screen' ? report.address : report.report_id;
		const error = await errorOf(async () => await service[method](given));
		expect(error).toMatchObject({
			errorClass: 'invalid_response',
			httpCode: 206,
			message: expect.stringContaining('a part of') as string,
			known: { report_id: report.report_id },
		});
		expect(service.seen).toHaveLength(1);
	},
);

test.each([
	[{ metadata: { status: 'exchange', code: 'EX-1' } }, undefined],
	[{ pdf_status: 'pending' }, undefined],
	[{ screening_complete: false }, 'invalid_response'],
	[{ analysisFinished: false }, 'invalid_response'],
	[{ screening_status: 'pending' }, 'invalid_response'],
	[{ quality_status: `pending${' '.repeat(60)}` }, 'invalid_response'],
	[{ metadata: { errors: ['a provider timed out'] } }, 'invalid_response'],
	[{ meta: { code: 500 } }, 'invalid_response'],
	[{ meta: { complete: false } }, 'invalid_response'],
])('a report that describes itself by %j: %s', async (more, errorClass) => {
	const report = reportBody(more);
	const { getReport } = serviceOf(answer(200, report));
	if (errorClass === undefined) expect(await getReport(report.report_id)).toEqual(report);
	else
		expect(await errorOf(async () => await getReport(report.report_id))).toMatchObject({
			errorClass,
		});
});
