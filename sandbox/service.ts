import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Ajv from 'ajv/dist/2020';
import type {
	FastifyError,
	FastifyInstance,
	FastifyRequest,
	FastifySchemaValidationError,
} from 'fastify';
import { parse } from 'yaml';
import type { Jobs } from './bulk';
import { isAddress } from './chains';
import type { Dialect } from './dialects';
import { pageHeaders } from './page';
import { webPage } from './reportPage';
import { pdfOf } from './pdf';
import type { DatedReport, Reports } from './reports';
import { maxDay, scenarioOf, type Timeline } from './scenarios';

export type KeyName = 'readWrite' | 'readOnly';

interface ServiceParts {
	reports: Reports;
	jobs: Jobs;
	timeline: Timeline;
	/**
	 * Takes one request from the limit of a key, and returns the seconds to wait; `undefined` if the
	 * service has no limit.
	 */
	takeTurn: ((key: KeyName) => number) | undefined;
	dialect: Dialect;
}

interface ById {
	Params: { id: string };
}

/** The codes of errors by status. Section 7 names the statuses, but shows no code. */
const errorCodes: Record<number, string> = {
	400: 'bad_request',
	401: 'unauthorized',
	403: 'forbidden',
	404: 'not_found',
	429: 'rate_limited',
	500: 'server_error',
};

// Strict mode is off, because only parts of an OpenAPI description are schemas.
const ajv = new Ajv({ strict: false }).addSchema(
	parse(readFileSync(join(__dirname, 'openapi.yaml'), 'utf8')),
	'openapi.yaml',
);

/**
 * Body of an error answer (section 7), in the sandbox's own shape. A status without a code of its
 * own has that of 400 or 500.
 *
 * @example errorBody(503, 'Closed') // { error: { code: 'server_error', message: 'Closed' } }
 */
export function errorBody(status: number, message: string) {
	return { error: { code: errorCodes[statusWithCode(status)], message } };
}

/** The status, or 400 or 500 for a status without a code of its own. */
function statusWithCode(status: number): number {
	if (status in errorCodes) return status;
	return status < 500 ? 400 : 500;
}

/**
 * @throws an error with status 400 if one of the texts is no address, or is a test address that the
 * service rejects
 */
function requireAddresses(addresses: readonly string[]): void {
	const rejected = addresses.find(
		(address) => scenarioOf(address)?.isRejected || !isAddress(address),
	);
	if (rejected !== undefined) throw httpError(400, `The address ${rejected} cannot be screened`);
}

/** An error that the service answers with this status. */
function httpError(statusCode: number, message: string): Error {
	return Object.assign(new Error(message), { statusCode });
}

/**
 * Adds the endpoints of section 4. Two paths need no key: the web page that `report_url` leads to,
 * and `/sandbox/day`, the sandbox's own call.
 */
export function addService(app: FastifyInstance, parts: ServiceParts): void {
	app.setValidatorCompiler(({ schema }) => ajv.compile(schema));
	app.setSchemaErrorFormatter(([problem]) => new Error(wordsOf(problem!)));
	app.setErrorHandler<FastifyError>(({ statusCode = 500, message }, _request, reply) => {
		const status = statusWithCode(statusCode);
		return reply.code(status).send(errorBody(status, message));
	});
	app.get<ById>('/reports/:id', async ({ params }, reply) =>
		reply.headers(pageHeaders).send(webPage(findReport(parts.reports, params.id))),
	);
	addTimeline(app, parts.timeline);
	app.register(async (api) => {
		addKeyCheck(api, parts.takeTurn);
		api.setNotFoundHandler(({ method, url }) => {
			throw httpError(404, `There is no ${method} ${url}`);
		});
		addReportEndpoints(api, parts.reports);
		addBulkEndpoints(api, parts);
	});
}

/** The problem of a body, with the name of a field that it may not have. */
function wordsOf({ instancePath, message, params }: FastifySchemaValidationError): string {
	const { additionalProperty } = params;
	const name = additionalProperty === undefined ? '' : `, such as "${String(additionalProperty)}"`;
	return `The body${instancePath} ${message}${name}`;
}

/** @throws an error with status 404 if there is no such report */
function findReport(reports: Reports, id: string): DatedReport {
	const report = reports.find(id);
	if (!report) throw httpError(404, `There is no report ${id}`);
	return report;
}

function addTimeline(app: FastifyInstance, timeline: Timeline): void {
	app.get('/sandbox/day', async () => timeline);
	app.put('/sandbox/day', async ({ body }) => {
		const day = Number.isInteger(body) ? (body as number) : -1;
		if (day < 0 || day > maxDay) {
			throw httpError(400, `The body must be a whole number from 0 to ${maxDay}`);
		}
		timeline.day = day;
		return timeline;
	});
}

/** Refuses requests without a key (section 7), and those beyond its rate limit (section 8). */
function addKeyCheck(api: FastifyInstance, takeTurn: ServiceParts['takeTurn']): void {
	api.addHook('preValidation', async ({ record: { key } }, reply) => {
		if (!key) throw httpError(401, 'The API key is missing or not valid');
		const secondsToWait = takeTurn?.(key) ?? 0;
		if (secondsToWait === 0) return;
		reply.header('retry-after', secondsToWait);
		throw httpError(429, 'The rate limit of the API key is exceeded');
	});
}

/**
 * The options of a route whose body has this schema, and which needs write scope (sections 4.1 and
 * 4.3).
 */
const writing = (schema: 'ScreenRequest' | 'BulkRequest') => ({
	schema: { body: { $ref: `openapi.yaml#/components/schemas/${schema}` } },
	preValidation: async ({ record, mediaType, body }: FastifyRequest) => {
		if (record.key === 'readOnly') throw httpError(403, 'The API key is read-only');
		if (mediaType !== 'application/json' || body === undefined) {
			throw httpError(400, 'The body must be JSON, with Content-Type: application/json');
		}
	},
});

/** Adds the endpoints of sections 4.1, 4.2 and 4.5. */
function addReportEndpoints(api: FastifyInstance, reports: Reports): void {
	api.post<{ Body: { address: string; chain?: string } }>(
		'/v1/screen',
		writing('ScreenRequest'),
		async ({ body: { address, chain } }) => {
			requireAddresses([address]);
			await pause(scenarioOf(address)?.slowMs ?? 0, undefined, { ref: false });
			return reports.create(address, chain);
		},
	);
	api.get<ById>('/v1/reports/:id', async ({ params }) => findReport(reports, params.id).report);
	api.get<ById>('/v1/reports/:id/pdf', async ({ params }, reply) => {
		// Only an ID that the sandbox gave is known to be allowed in a header.
		const report = findReport(reports, params.id);
		reply.header('content-disposition', `attachment; filename="${params.id}.pdf"`);
		return reply.type('application/pdf').send(await pdfOf(report));
	});
}

/** Adds the endpoints of sections 4.3 and 4.4. */
function addBulkEndpoints(
	api: FastifyInstance,
	{ jobs, dialect }: Pick<ServiceParts, 'jobs' | 'dialect'>,
): void {
	api.post<{ Body: { addresses: string[] } }>(
		'/v1/bulk',
		writing('BulkRequest'),
		async ({ body, record }, reply) => {
			requireAddresses(body.addresses);
			const job = jobs.submit(body.addresses);
			record.job_id = job.job_id;
			return reply.code(202).send(dialect(job));
		},
	);
	api.get<ById>('/v1/bulk/:id', async ({ params: { id } }) => {
		const job = jobs.find(id);
		if (!job) throw httpError(404, `There is no job ${id}`);
		return dialect(job);
	});
}
