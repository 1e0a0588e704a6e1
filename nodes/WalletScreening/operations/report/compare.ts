import { field, reportField } from '../../n8n/fields';
import { options } from '../../n8n/options';
import { numberIn, pathIn, readOnce } from '../../n8n/parameters';
import { withoutRequests } from '../../n8n/eachItem';
import { compare as compareReports, earlierField } from '../../risk/change';
import { reportAt, valueAt } from '../../risk/report';
import type { Operation } from '../operation';

export const compare: Operation = {
	name: 'Compare',
	value: 'compare',
	action: 'Compare report',
	description: 'Find what changed since an earlier report of the same address, without a request',
	fields: [
		reportField,
		field('Earlier Report Field', 'earlierField', {
			default: earlierField,
			placeholder: 'e.g. previous',
			description:
				'Name of the field that holds the earlier report, with dots for nested fields. If it is empty, the change is "first".',
		}),
		field('Smallest Change', 'scoreChange', {
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			description:
				'The score or a category counts as worse or better only if it differs by more than this',
		}),
		options('onlyChanges'),
	],
	sendsNothing: true,
	async run(context) {
		const names = ['reportField', 'earlierField', 'scoreChange'];
		const parametersIn = readOnce(context, names, (read) => ({
			path: pathIn(read('reportField', ''), 'Report Field'),
			earlier: pathIn(read('earlierField', earlierField), 'Earlier Report Field'),
			scoreChange: numberIn(
				read('scoreChange', 0),
				'Smallest Change',
				[0],
				'Enter a number, e.g. 0.05, or 0 to find every change.',
			),
		}));
		return await withoutRequests(context, async (read, { json }, { onlyChanges }) => {
			const { path, earlier, scoreChange } = parametersIn(read);
			const { report } = reportAt(json, path);
			const before = earlier.trim() === '' ? undefined : valueAt(json, earlier);
			const change = compareReports(report, before, scoreChange);
			if (onlyChanges && change.kind === 'same') return undefined;
			return { ...json, change };
		});
	},
};
