import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../../tools/host/child';
import { projectFolder } from '../../tools/host/paths';
import { wallets } from '../../tools/demo/list';
import { sanctionedAsset } from '../../sandbox/sanctions';

test('the demo screens the list, leaves alert and PDF there, and ends', async () => {
	const command = [process.execPath, '--import', 'tsx', 'tools/demo/main.ts'];
	const output = await runCommand(command, { cwd: projectFolder });

	expect(wallets.length).toBeGreaterThanOrEqual(20);
	for (const { address, note } of wallets) {
		const shortened = `${address.slice(0, 6)}…${address.slice(-6)}`;
		const line = output.split('\n').find((text) => text.includes(shortened));
		expect(line).toMatch(note);
		expect(line).toMatch(
			sanctionedAsset(address) ? / red .* block\b/ : / (green|yellow|red) .* (allow|review)\b/,
		);
	}
	expect(output).toContain(`${wallets.length} reports: `);
	expect(output).toMatch(/^ *Block: .* wallet .* is red/m);
	const saved = (name: string) => {
		const [, file = ''] = new RegExp(`${name} +(\\S+)`).exec(output) ?? [];
		return readFile(join(projectFolder, file), 'utf8');
	};
	expect(await saved('As an e-mail')).toMatch(/^<!doctype html>/i);
	const slack = JSON.parse(await saved('As Slack blocks')) as { blocks: object[] };
	expect(slack.blocks[0]).toMatchObject({ type: 'header' });
	expect(await saved('PDF report')).toMatch(/^%PDF-/);
});
