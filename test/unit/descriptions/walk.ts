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

/** A list of fields that a person sees together, and the way there. */
export interface Scope {
	path: string;
	fields: INodeProperties[];
}

/** The choices of a field of type `options`. */
export function choices({ type, options = [] }: INodeProperties): INodePropertyOptions[] {
	return type === 'options' ? (options as INodePropertyOptions[]) : [];
}

/** The groups of a field of type `fixedCollection`. */
export function groups({ options = [] }: INodeProperties): INodePropertyCollection[] {
	return options.filter((option): option is INodePropertyCollection => 'values' in option);
}

function within(field: INodeProperties, path: string): Scope[] {
	const inner =
		field.type === 'collection'
			? [{ path, fields: field.options as INodeProperties[] }]
			: groups(field).map(({ name, values }) => ({ path: `${path}.${name}`, fields: values }));
	return inner.flatMap((scope) => [scope, ...scopesIn(scope)]);
}

function scopesIn({ path, fields }: Scope): Scope[] {
	return fields.flatMap((field) => within(field, `${path}.${field.name}`));
}

const tops: Scope[] = [
	{ path: 'action', fields: action.properties },
	{ path: 'trigger', fields: trigger.properties },
	{ path: 'credential', fields: credential.properties },
];

/** All that a person can be shown. */
export const scopes: Scope[] = tops.flatMap((top) => [top, ...scopesIn(top)]);

function operationOf({ displayOptions }: INodeProperties): string {
	const { resource, operation } = displayOptions?.show ?? {};
	return [resource, operation].map((values) => (values ? `[${values.join()}]` : '')).join('');
}

/** All fields, and the ways there. */
export const places = scopes.flatMap(({ path, fields }) =>
	fields.map((field) => ({ path: `${path}${operationOf(field)}.${field.name}`, field })),
);

type Values = Record<string, unknown>;

/** Whether n8n shows a field where the fields beside it have these values. */
export function isShown(
	{ displayOptions: { show = {}, hide = {} } = {} }: Pick<INodeProperties, 'displayOptions'>,
	values: Values,
) {
	// The only condition in use.
	type Wanted = null | undefined | string | number | boolean | { _cnd: { not: unknown } };
	const holds = ([name, wanted]: [string, unknown]) =>
		(wanted as Wanted[]).some((one) =>
			typeof one === 'object' && one ? values[name] !== one._cnd.not : one === values[name],
		);
	return Object.entries(show).every(holds) && !Object.entries(hide).some(holds);
}
