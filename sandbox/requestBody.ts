import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2020';
import { parse } from 'yaml';

const description = parse(readFileSync(join(__dirname, 'openapi.yaml'), 'utf8'));

// Not strict: the document is an OpenAPI description, of which only parts are schemas.
const ajv = new Ajv({ strict: false }).addSchema(description, 'openapi.yaml');

/**
 * What is wrong with the body of a request, by its schema in openapi.yaml (sections 4.1 and 4.3);
 * `undefined` when nothing is.
 *
 * @param body the parsed JSON; `undefined` where the body is not JSON
 */
export function problemWith(
	schema: 'ScreenRequest' | 'BulkRequest',
	body: unknown,
): string | undefined {
	if (body === undefined)
		return 'The body must be JSON, with the header Content-Type: application/json';
	const valid = ajv.validate(`openapi.yaml#/components/schemas/${schema}`, body);
	return valid ? undefined : ajv.errorsText(ajv.errors, { dataVar: 'body' });
}
