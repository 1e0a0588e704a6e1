import { textOf } from './secrets';

/** Records what goes to the console and to the process's streams, without holding it back. */
export function captureOutput() {
	const parts: string[] = [];
	const add = (...values: unknown[]) => {
		const texts = values.map((value) => (typeof value === 'string' ? value : textOf(value)));
		parts.push(texts.join(' '));
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
	return {
		add,
		/** All since the start. */
		text: () => parts.join('\n'),
		restore: () => undo.forEach((restore) => restore()),
	};
}
