import type { IDataObject } from 'n8n-workflow';
import { parseReport } from '../../answers/report';
import { field } from '../../description/fields';
import { readReportPath, reportField, requireReport } from '../../description/inputReport';
import { createOptionsField } from '../../description/options';
import { createSharedReader } from '../../description/parameters';
import { sortFields } from '../../execution/itemFields';
import type { ComparisonItem } from '../../execution/outputItems';
import type { Operation } from '../../execution/runOperation';
import { compareReports } from '../../policy/change';
import { valueAt } from '../../shared/fieldPath';
import { isGiven } from '../../shared/json';
import { requireFieldPath, requireNumber } from '../../shared/userInput';

/** The field that holds the earlier report, unless the user names another. */
const defaultEarlierField = 'previous';

export const compareOperation: Operation = {
	name: 'Compare',
	value: 'compare',
	action: 'Compare report with earlier one',
	description: 'Find what changed since an earlier report of the same address, without a request',
	fields: [
		reportField,
		field('Earlier Report Field', 'earlierField', {
			default: defaultEarlierField,
			placeholder: 'e.g. previous',
			description:
				'Name of the field that holds the earlier report, with dots for nested fields. If that is empty, the change is "first".',
		}),
		field('Smallest Change', 'scoreChange', {
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			description:
				'The score or a category counts as worse or better only if it differs by more than this',
		}),
		createOptionsField('onlyChanges'),
	],
	sendsNothing: true,
	async execute(run) {
		const names = ['reportField', 'earlierField', 'scoreChange'] as const;
		const parametersIn = createSharedReader(run.context, names, (read) => ({
			path: readReportPath(read),
			earlierPath: requireFieldPath(
				read('earlierField', defaultEarlierField),
				'Earlier Report Field',
			),
			scoreChange: requireNumber(
				read('scoreChange', 0),
				'Smallest Change',
				[0],
				'Enter a number, e.g. 0.05, or 0 to find every change.',
			),
		}));
		return await run.mapInputItems((read, { json }) => {
			const { path, earlierPath, scoreChange } = parametersIn(read);
			const given = valueAt(json, earlierPath);
			const earlier = isGiven(given) ? parseReport(given) : undefined;
			const change: ComparisonItem['change'] = compareReports(
				earlier,
				requireReport(json, path),
				scoreChange,
			);
			if (run.options.onlyChanges && change.kind === 'same') return undefined;
			return sortFields({ ...json, change: change as unknown as IDataObject });
		});
	},
};
