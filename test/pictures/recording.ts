import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Page } from 'playwright-core';
import { ffmpeg, requireProgram } from '../../tools/host/programs';

const captionOf = (text: string) =>
	`<div style="position:fixed;left:50%;bottom:28px;transform:translateX(-50%);padding:14px 24px;border-radius:8px;
	background:#1f2a44;color:#fff;font:600 22px sans-serif;white-space:nowrap">${text}</div>`;

/**
 * Records what a page shows, in real time, until `stop`. `output` are the file and its format, as
 * ffmpeg wants them.
 */
export async function record(page: Page, output: readonly string[]) {
	const input = ['-use_wallclock_as_timestamps', '1', '-f', 'mjpeg', '-i', 'pipe:0'];
	const encoder = spawn(requireProgram(ffmpeg), ['-y', '-loglevel', 'error', ...input, ...output], {
		stdio: ['pipe', 'inherit', 'inherit'],
	});
	const ended = once(encoder, 'exit');
	const size = page.viewportSize()!;
	await page.screencast.start({ size, onFrame: ({ data }) => encoder.stdin.write(data) });
	await page.screencast.showActions({ style: { title: 'display: none' } });
	let caption: { dispose(): Promise<void> } | undefined;
	return {
		/** Shows a caption until the next one, and gives time to read it. */
		async say(text: string): Promise<void> {
			await caption?.dispose();
			caption = await page.screencast.showOverlay(captionOf(text));
			await page.waitForTimeout(1500 + 50 * text.length);
		},
		async stop(): Promise<void> {
			await caption?.dispose();
			await page.screencast.stop();
			encoder.stdin.end();
			const [code] = (await ended) as [number | null];
			if (code !== 0) throw new Error(`ffmpeg ended with ${code}.`);
		},
	};
}
