import { isSameForAll } from '../../../nodes/WalletScreening/transport/credentialReader';

test.each<[expressions: string[], because: string]>([
	[[], 'there is no expression'],
	[['={{ $secrets.vault.screening-key }}'], 'a secret has no item'],
	[['={{$vars.url}}', '={{ $secrets.vault.key }}'], 'a variable of n8n has no item either'],
])('a credential with the expressions %j is the same for all items, because %s', (expressions) => {
	expect(isSameForAll({ expressions: JSON.stringify(expressions) })).toBe(true);
});

test.each<[expressions: string[], because: string]>([
	[['={{ $json.key }}'], 'it reads the item'],
	[['={{ $vars[$json.region] }}'], 'a part of it reads the item'],
	[['={{ $secrets.vault.key + $json.end }}'], 'a part of it reads the item'],
	[['={{ $secrets.vault.key }}{{ $json.end }}'], 'the second part reads the item'],
	[['=key {{ $json.end }}'], 'a text stands before it'],
	[['={{ $now }}'], 'it is not known'],
	[['={{ $vars.url }}', '={{ $json.key }}'], 'one of them reads the item'],
	[['[object Object]'], 'a text in an object may be an expression'],
])('a credential with the expressions %j may differ, because %s', (expressions) => {
	expect(isSameForAll({ expressions: JSON.stringify(expressions) })).toBe(false);
});

test.each([undefined, '', '{}', 'true', '={{ JSON.stringify([]) }}'])(
	'a credential may differ if n8n does not tell what was entered, but %j',
	(expressions) => expect(isSameForAll({ expressions })).toBe(false),
);
