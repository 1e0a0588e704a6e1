import { sanctionedAddresses } from '../../../sandbox/sanctions';

/** An address on OFAC's list, and the asset of its entry, such as BTC. */
interface ListedAddress {
	readonly address: string;
	readonly asset: string;
}

/** The number of entries without an address. They make the file as long as the real one: 30 MB. */
const otherEntryCount = 23_000;
const addressesPerEntry = 8;
const aliasesPerEntry = 9;
/** The first uid of the entries with addresses. No other entry has it. */
const firstAddressUid = 40_000;

/** Writes an element of a list in an entry. */
const writeElement = (name: string, content: string) =>
	`      <${name}>\r\n${content}      </${name}>\r\n`;
/** Writes an identification of an entry: e.g. a passport, or an address of a wallet. */
const writeId = (type: string, number: string, uid: number) =>
	writeElement('id', `<uid>${uid}</uid><idType>${type}</idType><idNumber>${number}</idNumber>\r\n`);

interface Entry {
	uid: number;
	name: string;
	programs: string[];
	/** The identifications, as `writeId` writes them. */
	ids: string[];
}

function writeEntry({ uid, name, programs, ids }: Entry): string {
	const aliases = Array.from({ length: aliasesPerEntry }, (_, index) => {
		const aliasUid = uid * 10 + index;
		return writeElement(
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

const writeOtherEntries = () =>
	Array.from({ length: otherEntryCount }, (_, uid) =>
		writeEntry({
			uid,
			name: `COMPANY ${uid} &amp; SONS`,
			programs: ['CUBA'],
			ids: [writeId('Passport', `A${uid}`, uid)],
		}),
	);

/**
 * Creates a file like OFAC's SDN.XML. Like the real one, it has a misspelled element at the top,
 * entries of companies, and few identifications that are addresses, and it is as long.
 */
export function createSdnXml(
	listed: readonly ListedAddress[] = sanctionedAddresses,
	published = '09/27/2024',
): string {
	const entries = writeOtherEntries();
	for (let start = 0; start < listed.length; start += addressesPerEntry) {
		const addresses = listed.slice(start, start + addressesPerEntry);
		const entry = writeEntry({
			uid: firstAddressUid + start,
			name: `GROUP ${start} &amp; CO`,
			programs: ['CYBER2', 'DPRK3'],
			ids: addresses.map(({ address, asset }, index) =>
				writeId(`Digital Currency Address - ${asset}`, address, index),
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
