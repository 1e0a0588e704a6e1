import { examplesOf } from '../../../tools/check/openapiExamples';

/** A document with this schema of the answer to POST /v1/screen. */
const documentOf = (schema: object, definitions = {}) => ({
	paths: {
		'/v1/screen': {
			post: { responses: { 200: { content: { 'application/json': { schema } } } } },
		},
	},
	definitions,
});

it('keeps a field whose name is a key of schemas', () => {
	const properties = { items: { enum: ['a'] }, default: { enum: ['b'] } };
	const document = documentOf({ type: 'object', properties });
	expect(examplesOf(document, 'post /screen')).toEqual([{ items: 'a', default: 'b' }]);
});

it('ends for a schema that has itself as a field', () => {
	const $ref = '#/definitions/node';
	const node = { type: 'object', properties: { level: { enum: ['red'] }, next: { $ref } } };
	const examples = examplesOf(documentOf({ $ref }, { node }), 'post /screen');
	expect(examples).toEqual([{ level: 'red', next: {} }]);
});
