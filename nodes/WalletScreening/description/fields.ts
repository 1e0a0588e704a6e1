import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** A parameter as the editor shows it: a text, empty by default, unless `rest` says otherwise. */
export const field = (
	displayName: string,
	name: string,
	rest: Partial<INodeProperties>,
): INodeProperties => ({ displayName, name, type: 'string', default: '', ...rest });

/** A parameter that is a switch, off by default. */
export const toggle = (displayName: string, name: string, description: string) =>
	field(displayName, name, { type: 'boolean', default: false, description });

/** A parameter whose value is one of `options`. */
export const select = (
	displayName: string,
	name: string,
	value: string,
	options: INodePropertyOptions[],
	rest: Partial<INodeProperties> = {},
) => field(displayName, name, { type: 'options', default: value, options, ...rest });

/** A value of a parameter of type `options`. */
export const choice = (
	name: string,
	value: string,
	description?: string,
): INodePropertyOptions => ({
	name,
	value,
	...(description !== undefined && { description }),
});

/** Copies the fields, and adds `show` to the conditions for showing them. */
export function shownIf(
	show: NonNullable<IDisplayOptions['show']>,
	fields: INodeProperties[],
): INodeProperties[] {
	return fields.map(({ displayOptions, ...rest }) => ({
		...rest,
		displayOptions: { ...displayOptions, show: { ...show, ...displayOptions?.show } },
	}));
}

export const addressPlaceholder = 'e.g. 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

export const createAddressField = (description: string) =>
	field('Address', 'address', { required: true, placeholder: addressPlaceholder, description });

export const reportIdField = field('Report', 'reportId', {
	type: 'resourceLocator',
	required: true,
	default: { mode: 'id', value: '' },
	description: 'A report that the service made earlier',
	modes: [
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. rep_9f2c41d0',
			hint: "The 'report_id' of an earlier screening",
		},
		{
			displayName: 'By URL',
			name: 'url',
			type: 'string',
			placeholder: 'e.g. https://app.example.com/reports/rep_9f2c41d0',
			hint: "The 'report_url' of an earlier screening",
		},
	],
});
