import { textOf } from './secrets';

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
		parts.push(
			values.map((value) => (typeof value === 'string' ? value : textOf(value))).join(' '),
		);
	};
	/** Records the arguments of a method. @returns what ends that */
	const tap = <M extends string>(owner: Record<M, (...values: never[]) => unknown>, method: M) => {
		const original = owner[method];
		owner[method] = (...values) => {
			add(...values);
			return original.apply(owner, values);
		};
		return () => {
			owner[method] = original;
		};
	};
	const methods = ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const;
	const undo = [
		...methods.map((method) => tap(console, method)),
		...[process.stdout, process.stderr].map((stream) => tap(stream, 'write')),
	];
	return { add, text: () => parts.join('\n'), restore: () => undo.forEach((restore) => restore()) };
}
