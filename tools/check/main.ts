import { createInterface } from 'node:readline/promises';
import { runScript } from '../host/script';
import { runCheck } from './run';

const { stdin: input, stdout: output } = process;

async function ask(question: string): Promise<boolean> {
	if (!input.isTTY)
		throw new Error('There is no terminal to answer in. Add --yes to agree beforehand.');
	const lines = createInterface({ input, output });
	const answer = await lines.question(question).finally(() => lines.close());
	return /^\s*(?:y|yes)\s*$/i.test(answer);
}

async function main(): Promise<void> {
	const terminal = { print: (text: string) => void output.write(`${text}\n`), ask };
	const isSuccess = await runCheck(process.argv.slice(2), process.env, terminal);
	process.exitCode = isSuccess ? 0 : 1;
}

runScript(main);
