import { expectAll, type Run, withBench } from './bench';
import { formatCount, inSeconds, type Row } from './row';

const addresses = 100_000;
const percentNotGreen = 1;
const notGreen = (addresses * percentNotGreen) / 100;
const settings = { addresses, notGreen, sandbox: { limit: null, jobDurationMs: 0 } };

/**
 * Measures the row about the memory that Only Not Green saves. Each run has a fresh n8n, because a
 * process keeps the memory that it once had.
 */
export async function memoryRows(): Promise<Row[]> {
	const reduced = await runWith({ onlyNotGreen: true, expected: notGreen });
	const whole = await runWith({ onlyNotGreen: false, expected: addresses });
	const figures = ({ memoryBytes, nodeMs }: Run) =>
		`${(memoryBytes / 1e6).toFixed(0)} MB, in ${inSeconds(nodeMs, 1)}`;
	return [
		{
			name: `Peak memory that n8n needs for ${formatCount(addresses)} addresses, ${percentNotGreen} % of them not green, in Screen and Wait with Only Not Green`,
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
	expected: number;
}

const runWith = async ({ onlyNotGreen, expected }: MemoryRun): Promise<Run> =>
	await withBench(async (bench) => {
		const options = { pollInterval: 0.01, onlyNotGreen };
		const parameters = { resource: 'bulkJob', operation: 'screenAndWait', options };
		const run = await bench({ ...settings, parameters, plan: 'enterprise', watchMemory: true });
		expectAll(run, addresses, expected);
		return run;
	});
