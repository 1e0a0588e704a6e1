import type { N8n } from '../../../tools/host/instance';

interface SearchedTexts {
	/** The texts that n8n must not keep. */
	secrets: readonly string[];
	/** A text that its files must have: it proves that the search reads them. */
	stored: string;
	/** A text that its log must have: it proves that the search reads it. */
	logged: string;
}

/** Expects that n8n keeps none of the secrets in its execution data, its log or any other file. */
export async function expectNoSecrets(
	n8n: N8n,
	{ secrets, stored, logged }: SearchedTexts,
): Promise<void> {
	const places = { log: Buffer.from(await n8n.log()), stored: await n8n.bytesOfUserFolder() };
	expect([places.log.includes(logged), places.stored.includes(stored)]).toEqual([true, true]);
	const found = Object.entries(places).flatMap(([place, bytes]) =>
		secrets.filter((secret) => bytes.includes(secret)).map((secret) => `${secret} in ${place}`),
	);
	expect(found).toEqual([]);
}
