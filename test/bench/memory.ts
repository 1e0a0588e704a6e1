import { expectAll, type ScreeningFigures, withFreshN8n } from './measureScreening';
import { formatCount, inSeconds, type Row } from './row';

const addressCount = 100_000;
const percentNotGreen = 1;
const notGreenCount = (addressCount * percentNotGreen) / 100;
const settings = { addressCount, notGreenCount, sandbox: { limit: null, jobDurationMs: 0 } };

/**
 * Measures the row about the memory that Only Not Green saves. Each run has a fresh n8n, because a
 * process does not give memory back.
 */
export async function memoryRows(): Promise<Row[]> {
	const reduced = await runWith({ onlyNotGreen: true, reportCount: notGreenCount });
	const whole = await runWith({ onlyNotGreen: false, reportCount: addressCount });
	const figures = ({ memoryBytes, nodeMs }: ScreeningFigures) =>
		`${(memoryBytes / 1e6).toFixed(0)} MB, in ${inSeconds(nodeMs, 1)}`;
	return [
		{
			name: `Peak memory that n8n needs for ${formatCount(addressCount)} addresses, ${percentNotGreen} % of them not green, in Screen and Wait with Only Not Green`,
			measured: figures(reduced),
			against: `without Only Not Green: ${figures(whole)}`,
			ratio: reduced.memoryBytes / whole.memoryBytes,
			meaning: 'For long lists, switch on Only Not Green.',
		},
	];
}

interface MemoryRun {
	onlyNotGreen: boolean;
	/** The number of reports that come back. */
	reportCount: number;
}

const runWith = async ({ onlyNotGreen, reportCount }: MemoryRun): Promise<ScreeningFigures> =>
	await withFreshN8n(async (measure) => {
		const options = { pollInterval: 0.01, onlyNotGreen };
		const parameters = { resource: 'bulkJob', operation: 'screenAndWait', options };
		const figures = await measure({
			...settings,
			parameters,
			plan: 'enterprise',
			watchMemory: true,
		});
		expectAll(figures, { addresses: addressCount, reports: reportCount });
		return figures;
	});
