import { inspect } from 'node:util';

const CONSOLE_METHODS = ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const;

type Write = typeof process.stdout.write;

/** Everything that was printed or logged since `captureOutput()`, as one text. */
export interface CapturedOutput {
	add(...values: unknown[]): void;
	text(): string;
	restore(): void;
}

/** Records what goes to the console and to the process's streams, without holding it back. */
export function captureOutput(): CapturedOutput {
	const parts: string[] = [];
	const add = (...values: unknown[]) => {
		parts.push(values.map(asText).join(' '));
	};
	const undo = [
		...CONSOLE_METHODS.map((method) => tapConsole(method, add)),
		tapStream(process.stdout, add),
		tapStream(process.stderr, add),
	];
	return { add, text: () => parts.join('\n'), restore: () => undo.forEach((restore) => restore()) };
}

function asText(value: unknown): string {
	if (typeof value === 'string') return value;
	return inspect(value, { depth: null, showHidden: true, maxArrayLength: null });
}

function tapConsole(method: (typeof CONSOLE_METHODS)[number], add: CapturedOutput['add']) {
	const original = console[method].bind(console);
	console[method] = (...values: unknown[]) => {
		add(...values);
		original(...values);
	};
	return () => {
		console[method] = original;
	};
}

function tapStream(stream: NodeJS.WriteStream, add: CapturedOutput['add']) {
	const original = stream.write;
	stream.write = ((...values: Parameters<Write>) => {
		add(values[0]);
		return original.apply(stream, values);
	}) as Write;
	return () => {
		stream.write = original;
	};
}
