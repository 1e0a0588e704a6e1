import {
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
} from 'n8n-workflow';
import { WalletScreeningApi } from '../../../credentials/WalletScreeningApi.credentials';
import { WalletScreening } from '../../../nodes/WalletScreening/WalletScreening.node';
import { WalletScreeningTrigger } from '../../../nodes/WalletScreening/WalletScreeningTrigger.node';

export const action = new WalletScreening().description;
export const trigger = new WalletScreeningTrigger().description;
export const credential = new WalletScreeningApi();

/** Returns the choices of a field of type `options`. */
export function choices({ type, options = [] }: INodeProperties): INodePropertyOptions[] {
	return type === 'options' ? (options as INodePropertyOptions[]) : [];
}

/** Returns the groups of a field of type `fixedCollection`. */
export function groups({ options = [] }: INodeProperties): INodePropertyCollection[] {
	return options.filter((option): option is INodePropertyCollection => 'values' in option);
}

type Values = Record<string, unknown>;

/** Returns whether n8n shows a field if the fields beside it have these values. */
export function isShown(
	{ displayOptions: { show = {}, hide = {} } = {} }: Pick<INodeProperties, 'displayOptions'>,
	values: Values,
) {
	// The fields use no other condition than `not`.
	type Wanted = null | undefined | string | number | boolean | { _cnd: { not: unknown } };
	const holds = ([name, wanted]: [string, unknown]) =>
		(wanted as Wanted[]).some((one) =>
			typeof one === 'object' && one ? values[name] !== one._cnd.not : one === values[name],
		);
	return Object.entries(show).every(holds) && !Object.entries(hide).some(holds);
}
