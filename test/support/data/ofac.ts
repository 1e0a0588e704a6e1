import { sanctionedAddresses } from '../../../sandbox/sanctions';

/** An address on OFAC's list, and the asset of its entry, such as BTC. */
interface Listed {
	readonly address: string;
	readonly asset: string;
}

/**
 * How many entries without an address the file has. With them it is as long as the real one: 30 MB.
 */
const otherEntryCount = 23_000;
const addressesPerEntry = 8;
const aliasesPerEntry = 9;
/** The first uid of the entries with addresses. No other entry has it. */
const firstAddressUid = 40_000;

/** Writes an element of a list in an entry. */
const elementOf = (name: string, content: string) =>
	`      <${name}>\r\n${content}      </${name}>\r\n`;
/** Writes an identification: of a company, a person or an address. */
const idOf = (type: string, number: string, uid: number) =>
	elementOf('id', `<uid>${uid}</uid><idType>${type}</idType><idNumber>${number}</idNumber>\r\n`);

interface Entry {
	uid: number;
	name: string;
	programs: string[];
	/** The identifications, as `idOf` writes them. */
	ids: string[];
}

function entryOf({ uid, name, programs, ids }: Entry): string {
	const aliases = Array.from({ length: aliasesPerEntry }, (_, index) => {
		const aliasUid = uid * 10 + index;
		return elementOf(
			'aka',
			`<uid>${aliasUid}</uid><type>a.k.a.</type><category>strong</category>\r\n`,
		);
	});
	const programList = programs.map((one) => `      <program>${one}</program>\r\n`);
	return [
		'  <sdnEntry>\r\n',
		`    <uid>${uid}</uid>\r\n    <lastName>${name}</lastName>\r\n    <sdnType>Entity</sdnType>\r\n`,
		`    <programList>\r\n${programList.join('')}    </programList>\r\n`,
		`    <idList>\r\n${ids.join('')}    </idList>\r\n`,
		`    <akaList>\r\n${aliases.join('')}    </akaList>\r\n`,
		`    <addressList>\r\n      <address><uid>${uid}</uid><city>Havana</city><country>Cuba</country></address>\r\n    </addressList>\r\n`,
		'  </sdnEntry>\r\n',
	].join('');
}

const otherEntries = () =>
	Array.from({ length: otherEntryCount }, (_, uid) =>
		entryOf({
			uid,
			name: `COMPANY ${uid} &amp; SONS`,
			programs: ['CUBA'],
			ids: [idOf('Passport', `A${uid}`, uid)],
		}),
	);

/**
 * Returns a file like OFAC's SDN.XML: with its misspelled element at the top, with entries of
 * companies, with identifications of which few are addresses, and as long as the real file.
 */
export function sdnXml(
	listed: readonly Listed[] = sanctionedAddresses,
	published = '09/27/2024',
): string {
	const entries = otherEntries();
	for (let start = 0; start < listed.length; start += addressesPerEntry) {
		const addresses = listed.slice(start, start + addressesPerEntry);
		const entry = entryOf({
			uid: firstAddressUid + start,
			name: `GROUP ${start} &amp; CO`,
			programs: ['CYBER2', 'DPRK3'],
			ids: addresses.map(({ address, asset }, index) =>
				idOf(`Digital Currency Address - ${asset}`, address, index),
			),
		});
		// Entries with addresses are spread over the file, as in the real one.
		entries.splice((start * 37) % entries.length, 0, entry);
	}
	return [
		'<?xml version="1.0" standalone="yes"?>\r\n',
		'<sdnList xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/XML">\r\n',
		`  <publshInformation>\r\n    <Publish_Date>${published}</Publish_Date>\r\n    <Record_Count>${entries.length}</Record_Count>\r\n  </publshInformation>\r\n`,
		...entries,
		'</sdnList>',
	].join('');
}
