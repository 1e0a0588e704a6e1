import { requireJson } from '../../nodes/WalletScreening/client/answerBody';
import { maxPlacesAndFields } from '../../nodes/WalletScreening/answers/places';
import { Reader } from '../../nodes/WalletScreening/answers/reader';
import { matchResults } from '../../nodes/WalletScreening/answers/match';
import { reportOn } from '../../sandbox/reports';
import { numberedAddresses } from '../support/data/addresses';
import { formatCount, formatKilobytes, type Row } from './row';
import { medianMs } from './statistics';

const reportCount = 1000;
const rounds = 41;
/** There are fewer rounds for unusual answers, because each takes up to seconds to read. */
const oddRounds = 5;
/** With these names, an answer has nearly as many places and fields as the node accepts. */
const oddNameCount = maxPlacesAndFields - 1000;

/** Measures rows about the time that the nodes need to read an answer. */
export async function readingRows(): Promise<Row[]> {
	return [usualAnswerRow(), oddAnswersRow()];
}

const reportsOf = (addresses: string[]) =>
	addresses.map((address) => reportOn(address, undefined, 'https://app.example.com'));
const jobOf = (results: unknown, more: object = {}) => ({
	job_id: 'job_1',
	status: 'completed',
	results,
	...more,
});

const readAnswer = (reader: Reader, body: Buffer) =>
	reader.readJob({ body: requireJson(body, 200), status: 200 }, 'job_1');
const measureParseMs = (body: Buffer, times = rounds) =>
	medianMs(times, () => JSON.parse(body.toString()) as unknown);

function usualAnswerRow(): Row {
	const addresses = numberedAddresses(reportCount);
	const body = Buffer.from(JSON.stringify(jobOf(reportsOf(addresses))));
	const reader = new Reader();
	const read = () => matchResults(addresses, readAnswer(reader, body));
	const found = read().filter(({ value }) => value).length;
	if (found !== reportCount) throw new Error(`${reportCount} addresses: ${found} reports`);
	const readMs = medianMs(rounds, read);
	const parseMs = measureParseMs(body);
	return {
		name: `Reading a job of ${formatCount(reportCount)} reports (${formatKilobytes(body.length)}), and matching them with their addresses`,
		measured: `${readMs.toFixed(1)} ms (median of ${rounds})`,
		against: `JSON.parse of the same text: ${parseMs.toFixed(1)} ms`,
		ratio: readMs / parseMs,
		meaning: 'What the node adds to the time that the service takes for a job.',
	};
}

const listOf = <T>(length: number, create: (index: number) => T) =>
	Array.from({ length }, (_, index) => create(index));
const longText = (start: string) => start.padEnd(250_000, 'a1');

/**
 * Makes answers by what they contain. A reader whose time is not linear would take long for them.
 */
function createOddAnswers(): Record<string, object> {
	const [report] = reportsOf(numberedAddresses(1));
	const names = Object.fromEntries(
		listOf(oddNameCount, (index) => [`odd_${index}_State`, index % 2 ? index : `text ${index}`]),
	);
	const texts = listOf(10, (index) => [longText(`0x${index}`), longText(`text ${index} `)]);
	return {
		[`${formatCount(oddNameCount)} odd names`]: jobOf([report], names),
		'40,000 objects': jobOf([report], {
			odd: listOf(40_000, (index) => ({ id: index, of: {} })),
		}),
		'20,000 lists with a report': jobOf(
			Object.fromEntries(listOf(20_000, (index) => [`list_${index}`, [report]])),
		),
		'4,000 results of one address': jobOf(
			listOf(4000, (index) => ({ ...report, report_id: `rep_${index}` })),
		),
		'texts of 250,000 characters': jobOf([report, ...texts.flat()], Object.fromEntries(texts)),
	};
}

function oddAnswersRow(): Row {
	const reader = new Reader();
	const timings = Object.entries(createOddAnswers()).map(([name, answer]) => {
		const body = Buffer.from(JSON.stringify(answer));
		const readMs = medianMs(oddRounds, () => readAnswer(reader, body));
		return { name, readMs, parseMs: measureParseMs(body, oddRounds) };
	});
	const slowestFirst = timings.toSorted((one, other) => other.readMs - one.readMs);
	const [slowest] = slowestFirst;
	const figures = slowestFirst.map(({ name, readMs }) => `${name} ${readMs.toFixed(0)} ms`);
	return {
		name: 'Reading an unusual answer: meanwhile n8n does nothing else',
		measured: `${figures.join(', ')} (medians of ${oddRounds})`,
		against: `JSON.parse of the slowest answer: ${slowest!.parseMs.toFixed(0)} ms`,
		ratio: slowest!.readMs / slowest!.parseMs,
		meaning: 'How long such an answer stops n8n.',
	};
}
