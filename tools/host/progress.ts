const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/**
 * Does `work` and shows on stderr that it is in progress and how long it has taken: as one moving line on
 * a terminal, as a line at its start and one at its end elsewhere.
 *
 * @throws what `work` throws
 */
export async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
	const { stderr } = process;
	const start = Date.now();
	const elapsed = () => `${((Date.now() - start) / 1000).toFixed(1)} s`;
	const line = (sign: string) => `${sign} ${title} (${elapsed()})`;
	// A line that wraps could not be written over.
	const show = (sign: string) => stderr.write(`\r\x1b[K${line(sign).slice(0, stderr.columns - 1)}`);

	let frame = 0;
	const spinner = stderr.isTTY
		? setInterval(() => show(frames[frame++ % frames.length] ?? ''), 100)
		: undefined;
	if (!spinner) stderr.write(`… ${title}\n`);
	const end = (sign: string) => {
		clearInterval(spinner);
		stderr.write(`${spinner ? '\r\x1b[K' : ''}${line(sign)}\n`);
	};

	try {
		const result = await work();
		end('✓');
		return result;
	} catch (error) {
		end('✗');
		throw error;
	}
}
