import { expectAll, inSeconds, type Row, type Run, withBench } from './bench';

const addresses = 100_000;
const notGreen = addresses / 100;
const settings = { addresses, notGreen, sandbox: { limit: null, jobDurationMs: 0 } };

/**
 * A row on the memory that Only Not Green saves. Each run has a fresh n8n, because a process keeps
 * the memory that it once had.
 */
export async function memoryRows(): Promise<Row[]> {
	const only = await screened(true, notGreen);
	const all = await screened(false, addresses);
	const figures = ({ memoryBytes, nodeMs }: Run) =>
		`${(memoryBytes / 1e6).toFixed(0)} MB, in ${inSeconds(nodeMs, 1)}`;
	return [
		{
			name: 'Peak memory that n8n needs for 100,000 addresses, 1 % of them not green, in Screen and Wait with Only Not Green',
			measured: figures(only),
			against: `without Only Not Green: ${figures(all)}`,
			ratio: only.memoryBytes / all.memoryBytes,
			meaning: 'For long lists, switch on Only Not Green.',
		},
	];
}

const screened = async (onlyNotGreen: boolean, reports: number): Promise<Run> =>
	await withBench(async (bench) => {
		const options = { pollInterval: 0.01, onlyNotGreen };
		const parameters = { resource: 'bulkJob', operation: 'screenAndWait', options };
		const run = await bench({ ...settings, parameters, plan: 'enterprise', watchMemory: true });
		expectAll(run, addresses, reports);
		return run;
	});
