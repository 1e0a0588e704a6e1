import { readFile, writeFile } from 'node:fs/promises';

/**
 * Starts to watch the resident memory of a process. Linux itself keeps the peak, so that none is
 * missed between two readings.
 *
 * @returns a function that reads the peak since now, in bytes above the present level
 */
export async function watchMemory(pid: number): Promise<() => Promise<number>> {
	// This resets the peak to the present level.
	await writeFile(`/proc/${pid}/clear_refs`, '5');
	const before = await readBytes(pid, 'VmRSS');
	return async () => (await readBytes(pid, 'VmHWM')) - before;
}

/** Reads the resident memory of a process (`VmRSS`), or its peak (`VmHWM`). */
async function readBytes(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> {
	const status = await readFile(`/proc/${pid}/status`, 'utf8');
	const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)!;
	return Number(kilobytes) * 1024;
}
