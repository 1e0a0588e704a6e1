import { createInterface } from 'node:readline/promises';
import { run } from './run';

const { stdin, stdout, stderr } = process;

async function ask(question: string): Promise<boolean> {
	const lines = createInterface({ input: stdin, output: stdout });
	try {
		return /^\s*(?:y|yes)\s*$/i.test(await lines.question(question));
	} finally {
		lines.close();
	}
}

run(process.argv.slice(2), process.env, {
	print: (text) => stdout.write(`${text}\n`),
	ask: stdin.isTTY && stdout.isTTY ? ask : undefined,
}).catch((error: Error & { description?: string }) => {
	stderr.write(`${error.message}\n`);
	if (error.description) stderr.write(`${error.description}\n`);
	process.exitCode = 1;
});
