import { sanctionedAddresses } from '../../../sandbox/sanctions';

/** An address on OFAC's list. The asset is in OFAC's notation, e.g. XBT for Bitcoin. */
export interface Listed {
	readonly address: string;
	readonly asset: string;
}

/**
 * How many entries without an address the file has. They make it as long as the real one: 30 MB.
 */
const others = 19_000;
const perEntry = 8;

const element = (name: string, ...inner: string[]) =>
	`      <${name}>\r\n${inner.join('')}      </${name}>\r\n`;
const idOf = (type: string, number: string, n: number) =>
	element('id', `<uid>${n}</uid><idType>${type}</idType><idNumber>${number}</idNumber>\r\n`);

function entryOf(uid: number, name: string, programs: string[], ids: string): string {
	const aliases = Array.from({ length: 9 }, (_, n) =>
		element('aka', `<uid>${uid * 10 + n}</uid><type>a.k.a.</type><category>strong</category>\r\n`),
	);
	return [
		'  <sdnEntry>\r\n',
		`    <uid>${uid}</uid>\r\n    <lastName>${name}</lastName>\r\n    <sdnType>Entity</sdnType>\r\n`,
		`    <programList>\r\n${programs.map((one) => `      <program>${one}</program>\r\n`).join('')}    </programList>\r\n`,
		`    <idList>\r\n${ids}    </idList>\r\n`,
		`    <akaList>\r\n${aliases.join('')}    </akaList>\r\n`,
		`    <addressList>\r\n      <address><uid>${uid}</uid><city>Havana</city><country>Cuba</country></address>\r\n    </addressList>\r\n`,
		'  </sdnEntry>\r\n',
	].join('');
}

/**
 * Returns a file like OFAC's SDN.XML: with its misspelled element at the top, with entries of
 * companies, with identifications of which few are addresses, and as long as the real file.
 */
export function sdnXml(
	listed: readonly Listed[] = sanctionedAddresses,
	published = '09/27/2024',
): string {
	const entries: string[] = [];
	for (let n = 0; n < others; n++)
		entries.push(entryOf(n, `COMPANY ${n} &amp; SONS`, ['CUBA'], idOf('Passport', `A${n}`, n)));
	for (let start = 0; start < listed.length; start += perEntry) {
		const ids = listed
			.slice(start, start + perEntry)
			.map(({ address, asset }, n) => idOf(`Digital Currency Address - ${asset}`, address, n));
		// Entries with addresses stand between the others, as in the real file.
		entries.splice(
			(start * 37) % entries.length,
			0,
			entryOf(40_000 + start, `GROUP ${start} &amp; CO`, ['CYBER2', 'DPRK3'], ids.join('')),
		);
	}
	return [
		'<?xml version="1.0" standalone="yes"?>\r\n',
		'<sdnList xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/XML">\r\n',
		`  <publshInformation>\r\n    <Publish_Date>${published}</Publish_Date>\r\n    <Record_Count>${entries.length}</Record_Count>\r\n  </publshInformation>\r\n`,
		...entries,
		'</sdnList>',
	].join('');
}
