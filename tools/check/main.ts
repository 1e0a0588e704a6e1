import { createInterface } from 'node:readline/promises';
import { run } from './run';

const { stdin: input, stdout: output, stderr } = process;

async function ask(question: string): Promise<boolean> {
	if (!input.isTTY)
		throw new Error('There is no terminal to answer in. Add --yes to agree beforehand.');
	const lines = createInterface({ input, output });
	const answer = await lines.question(question).finally(() => lines.close());
	return /^\s*(?:y|yes)\s*$/i.test(answer);
}

void run(process.argv.slice(2), process.env, { print: (text) => output.write(`${text}\n`), ask })
	.catch(({ message, cause }: Error) => !stderr.write(`${message} ${cause ?? ''}\n`) && false)
	.then((isUnderstood) => (process.exitCode = isUnderstood === false ? 1 : 0));
