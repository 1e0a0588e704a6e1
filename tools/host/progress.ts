/**
 * Runs `work`, and reports on stderr that it is in progress, and then how long it took.
 *
 * @throws what `work` throws
 */
export async function reportProgress<T>(title: string, work: () => Promise<T>): Promise<T> {
	const start = Date.now();
	const end = (sign: string) =>
		process.stderr.write(`${sign} ${title} (${((Date.now() - start) / 1000).toFixed(1)} s)\n`);
	process.stderr.write(`… ${title}\n`);
	try {
		const result = await work();
		end('✓');
		return result;
	} catch (error) {
		end('✗');
		throw error;
	}
}
