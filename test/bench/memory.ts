import { expectAllReports, type ScreeningFigures, withFreshN8n } from './measureScreening';
import { formatCount, formatSeconds, type Row } from './row';

const addressCount = 100_000;
const percentNotGreen = 1;
const notGreenCount = (addressCount * percentNotGreen) / 100;
const setup = { addressCount, notGreenCount, sandbox: { limit: null, jobDurationMs: 0 } };

/**
 * Measures the row about the memory that Only Not Green saves. Each run has a fresh n8n, because a
 * process does not give memory back.
 */
export async function memoryRows(): Promise<Row[]> {
	const reduced = await measureRun({ onlyNotGreen: true, reportCount: notGreenCount });
	const whole = await measureRun({ onlyNotGreen: false, reportCount: addressCount });
	const formatFigures = ({ memoryBytes, nodeMs }: ScreeningFigures) =>
		`${(memoryBytes / 1e6).toFixed(0)} MB, in ${formatSeconds(nodeMs, 1)}`;
	return [
		{
			name: `Peak memory that n8n needs for ${formatCount(addressCount)} addresses, ${percentNotGreen} % of them not green, in Screen and Wait with Only Not Green`,
			measured: formatFigures(reduced),
			against: `without Only Not Green: ${formatFigures(whole)}`,
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

const measureRun = async ({ onlyNotGreen, reportCount }: MemoryRun): Promise<ScreeningFigures> =>
	await withFreshN8n(async (measure) => {
		const options = { pollInterval: 0.01, onlyNotGreen };
		const parameters = { resource: 'bulkJob', operation: 'screenAndWait', options };
		const figures = await measure({
			...setup,
			parameters,
			plan: 'enterprise',
			watchMemory: true,
		});
		expectAllReports(figures, { addresses: addressCount, reports: reportCount });
		return figures;
	});
