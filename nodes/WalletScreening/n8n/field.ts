import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** A parameter as the editor shows it: a text that is empty by default, unless `rest` says otherwise. */
export const field = (
	displayName: string,
	name: string,
	rest: Partial<INodeProperties>,
): INodeProperties => ({ displayName, name, type: 'string', default: '', ...rest });

/** A parameter that is a switch, off by default. */
export const toggle = (displayName: string, name: string, description: string) =>
	field(displayName, name, { type: 'boolean', default: false, description });

/** A value of a parameter of type `options`. */
export const choice = (
	name: string,
	value: string,
	description?: string,
): INodePropertyOptions => ({
	...{ name, value },
	...(description !== undefined && { description }),
});

/** The fields, shown only if all else in `show` holds. */
export function shownIf(
	show: NonNullable<IDisplayOptions['show']>,
	fields: INodeProperties[],
): INodeProperties[] {
	return fields.map(({ displayOptions, ...rest }) => ({
		...rest,
		displayOptions: { ...displayOptions, show: { ...show, ...displayOptions?.show } },
	}));
}
