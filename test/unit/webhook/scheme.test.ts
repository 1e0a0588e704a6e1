import {
	checkTemplate,
	defaultSignatureSettings,
	resolveScheme,
} from '../../../nodes/WalletScreening/webhook/scheme';

test.each<[template: string, fault: string | undefined, because: string]>([
	['{body}', undefined, 'the body is all that must be signed'],
	['v0:{timestamp}:{body}', undefined, 'any text may stand between the places'],
	['{url}{id}{timestamp}{body}.', undefined, 'places may have nothing between them'],
	['{timestamp}{timestamp}{body}', undefined, 'only the body counts once'],
	['', 'needs {body} exactly once', 'a signature over nothing fits every body'],
	['{timestamp}.', 'needs {body} exactly once', 'the body could be any'],
	['{body}{body}', 'needs {body} exactly once', 'no service signs it twice'],
	['{time}.{body}', "contains '{time}'", 'there is no such place'],
	['{Body}', "contains '{Body}'", 'places are written small'],
	['{{body}}', "contains '{'", 'braces of an expression are left over'],
	['{body', "contains '{body'", 'the brace is not closed'],
	['body}{body}', "contains 'body}'", 'the brace was not opened'],
	['constructor.{body}', undefined, 'a text that JavaScript knows is a text'],
])('the template %j: %s, because %s', (template, fault) => {
	expect(checkTemplate(template)).toEqual(
		fault === undefined ? undefined : expect.stringContaining(fault),
	);
});

test.each<[typed: string, template: string, because: string]>([
	['{timestamp}\\n{body}\\n', '{timestamp}\n{body}\n', 'the field has one line'],
	['{timestamp}\n{body}', '{timestamp}\n{body}', 'an expression can give a line break'],
	['{timestamp}\\t{body}n', '{timestamp}\\t{body}n', 'other signs stand for themselves'],
])('the field Signed Template with %j means %j, because %s', (signedTemplate, template) => {
	const settings = { ...defaultSignatureSettings, signedTemplate };
	expect(resolveScheme({ ...settings, signedContent: 'custom' }, {})).toMatchObject({ template });
});
