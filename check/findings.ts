import type { Exchange } from './exchange';
import { type OpeningId, openings } from './openings';

export type Understood = 'yes' | 'no' | 'not seen';

/** What the service does about one opening of the specification, in words without its data. */
export interface Finding {
	section: string;
	open: string;
	found: string;
	understood: Understood;
	/** The answer that the nodes do not understand. */
	exchange?: Exchange | undefined;
}

/** Collects what was seen of each opening. One `no` outweighs every `yes`. */
export function createFindings() {
	const notes = new Map<OpeningId, { found: string[]; understood: Understood; at?: Exchange }>();

	function note(id: OpeningId, found: string, understood: Understood, at?: Exchange): void {
		const before = notes.get(id) ?? { found: [], understood: 'not seen' };
		const byWeight: Understood[] = ['no', 'yes', 'not seen'];
		const worse = byWeight.find((one) => [before.understood, understood].includes(one))!;
		const failed = before.at ?? (understood === 'no' ? at : undefined);
		notes.set(id, {
			found: [...new Set([...before.found, found])],
			understood: worse,
			...(failed && { at: failed }),
		});
	}

	return {
		yes: (id: OpeningId, found: string) => note(id, found, 'yes'),
		no: (id: OpeningId, found: string, at?: Exchange) => note(id, found, 'no', at),
		open: (id: OpeningId, found: string) => note(id, found, 'not seen'),
		/** One finding for each opening, in their order. */
		all: (): Finding[] =>
			(Object.keys(openings) as OpeningId[]).map((id) => {
				const { section, open } = openings[id];
				const { found, understood, at } = notes.get(id) ?? {
					found: [laterText(id)],
					understood: 'not seen',
				};
				return { section, open, found: found.join(' '), understood, exchange: at };
			}),
	};
}

export type Findings = ReturnType<typeof createFindings>;

function laterText(id: OpeningId): string {
	const opening = openings[id];
	if (!('later' in opening)) return 'The service showed nothing of it.';
	return opening.later === 'webhook' ? 'Run npm run check-service -- --webhook.' : opening.later;
}
