import type { IExecuteFunctions } from 'n8n-workflow';
import { type Policy, policyOfFields } from '../risk/policy';
import { own, ScreeningError } from '../service/errors';
import { settle } from './outcomes';

/** Reads a parameter of the node. */
type Read = (name: string, otherwise: unknown) => unknown;

/** The decision rules; undefined where the user wants no decision. Throws `invalid_input`. */
export function readRules(read: Read): Policy | undefined {
	const wanted = read('addDecision', false);
	if (wanted !== true && wanted !== 'true') return undefined;
	const collection = read('decisionRules', {});
	try {
		return policyOfFields(collection);
	} catch (error) {
		throw own(error).with({ parameter: 'Decision Rules' });
	}
}

/** The decision rules of every input item, so that one that cannot be right is known before any request. */
export interface ItemRules {
	/** No entry where the user wants no decision. */
	readonly rules: ReadonlyMap<number, Policy>;
	/** The items whose rules cannot be right. */
	readonly refused: ReadonlyMap<number, ScreeningError>;
}

export async function readItemRules(context: IExecuteFunctions): Promise<ItemRules> {
	const rules = new Map<number, Policy>();
	const refused = new Map<number, ScreeningError>();
	const read = async (itemIndex: number) =>
		await settle(context, async () =>
			readRules((name, otherwise) => context.getNodeParameter(name, itemIndex, otherwise)),
		);
	const differ = holdsExpression(context);
	const first = await read(0);
	for (let itemIndex = 0; itemIndex < context.getInputData().length; itemIndex++) {
		const own = differ ? await read(itemIndex) : first;
		if (own instanceof ScreeningError) refused.set(itemIndex, own);
		else if (own) rules.set(itemIndex, own);
	}
	return { rules, refused };
}

/** Only then the rules can differ from item to item. */
function holdsExpression(context: IExecuteFunctions): boolean {
	const { addDecision, decisionRules } = context.getNode().parameters;
	return JSON.stringify([addDecision, decisionRules]).includes('"=');
}
