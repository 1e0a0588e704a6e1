/** What goes wrong with a request. */
export type FaultEffect =
	/** Answer with this instead; the request has no effect. */
	| { kind: 'answer'; status: number; headers?: Record<string, string>; body?: string | Buffer }
	/**
	 * Carry the request out, and answer with this status and nothing else, as a gateway does that
	 * lost the answer.
	 */
	| { kind: 'gateway'; status: number; headers?: Record<string, string> }
	/** Wait, then go on as usual. */
	| { kind: 'delay'; ms: number }
	/**
	 * Reset the connection: before the request has an effect, or in place of the answer, when it has
	 * had its effect.
	 */
	| { kind: 'reset'; at: 'beforeEffect' | 'beforeAnswer' }
	/** Announce the whole body, send half of it, and close the connection. */
	| { kind: 'truncate' }
	/** Keep the connection open and never answer; the request has no effect. */
	| { kind: 'silence' }
	/** Send the body in pieces, spread over this time. */
	| { kind: 'dribble'; ms: number }
	/** Answer with what the function makes of the JSON of the right answer. */
	| { kind: 'rewrite'; rewrite: (body: any) => unknown };

/** A request as a fault finds it. */
export interface ReceivedRequest {
	method: string;
	/** Path, with the query if there is one. */
	path: string;
	/** Parsed JSON; `undefined` when the body is empty or no JSON. */
	body: unknown;
}

/** A fault that the sandbox provokes before it looks at anything else, even at the key. */
export interface Fault {
	/** Which requests it concerns; all if absent. */
	when?: (request: ReceivedRequest) => boolean;
	/** How many requests it hits; any number if absent. */
	times?: number;
	/** The share of these requests, from 0 to 1, that it hits at random; all if absent. */
	share?: number;
	effect: FaultEffect;
}

export interface Faults {
	/** @returns a function that removes the fault */
	add(fault: Fault): () => void;
	clear(): void;
	/**
	 * Counts the request, and returns the effect of the first fault, in the order of adding, that
	 * hits it.
	 */
	take(request: ReceivedRequest): FaultEffect | undefined;
}

export function createFaults(): Faults {
	const faults = new Map<Fault, { timesLeft: number }>();
	return {
		add(fault) {
			// Each addition is a copy, so that the same fault can be added twice.
			const added = { ...fault };
			faults.set(added, { timesLeft: fault.times ?? Infinity });
			return () => void faults.delete(added);
		},
		clear: () => faults.clear(),
		take(request) {
			for (const [fault, count] of faults) {
				const isHit =
					count.timesLeft > 0 &&
					(fault.when?.(request) ?? true) &&
					Math.random() < (fault.share ?? 1);
				if (!isHit) continue;
				count.timesLeft -= 1;
				return fault.effect;
			}
			return undefined;
		},
	};
}
