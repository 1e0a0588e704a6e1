import { defaultN8nVersion } from '../../tools/host/versions';
import { addressRows } from './addresses';
import { nightSize } from './customersStage';
import { largeTableRows } from './largeTables';
import { memoryRows } from './memory';
import { packageRows } from './package';
import { policyRows } from './policy';
import { queueRows } from './queue';
import { queueTableRows } from './queueTables';
import { readingRows } from './reading';
import { formatCount, type Row } from './row';
import { screenRows } from './screen';
import { nightRows, templateRows } from './templates';
import { triggerRows } from './trigger';

/** A part of the bench, which measures the rows of one section of the page. */
export interface Part {
	/** The heading of its section. */
	readonly title: string;
	readonly measureRows: () => Promise<Row[]>;
	/** Where the rows are measured, as a part of a sentence. */
	readonly place: string;
}

const realN8n = `in a real n8n ${defaultN8nVersion} with the packed package`;
const queueMode = `${realN8n}, in queue mode with PostgreSQL`;
const engineAlone = `in the engine of n8n ${defaultN8nVersion} alone`;
const loaderAlone = `with the loader of n8n ${defaultN8nVersion} alone`;
const codeAlone = 'in the code of the package alone';

/** The parts by the names that `npm run bench` takes, in the order of their sections. */
export const parts: Readonly<Record<string, Part>> = {
	screen: { title: 'Screening', measureRows: screenRows, place: realN8n },
	memory: { title: 'Memory', measureRows: memoryRows, place: realN8n },
	policy: {
		title: 'Decisions, comparisons and digests',
		measureRows: policyRows,
		place: engineAlone,
	},
	queue: { title: 'Queue mode', measureRows: queueRows, place: queueMode },
	reading: { title: 'Reading answers', measureRows: readingRows, place: codeAlone },
	addresses: { title: 'Checking addresses', measureRows: addressRows, place: codeAlone },
	templates: { title: 'Lists in the workflows', measureRows: templateRows, place: realN8n },
	night: {
		title: `A night of ${formatCount(nightSize)} customers`,
		measureRows: nightRows,
		place: realN8n,
	},
	largeTables: { title: 'Large tables', measureRows: largeTableRows, place: realN8n },
	queueTables: {
		title: 'Large tables in queue mode',
		measureRows: queueTableRows,
		place: queueMode,
	},
	trigger: { title: 'Webhooks', measureRows: triggerRows, place: realN8n },
	package: { title: 'Loading', measureRows: packageRows, place: loaderAlone },
};
