import type { IDataObject } from 'n8n-workflow';
import { parseReport } from '../../answers/report';
import { field } from '../../description/fields';
import { readReportPath, reportField, requireReport } from '../../description/inputReport';
import { createOptionsField, readOptions } from '../../description/options';
import { createSharedReader, type ParameterReader } from '../../description/parameters';
import { sortFields } from '../../execution/itemFields';
import type { ComparisonItem } from '../../description/outputItems';
import type { Operation } from '../../execution/operation';
import { compareReports } from '../../policy/change';
import { valueAt } from '../../shared/fieldPath';
import { hasValue } from '../../shared/json';
import { requireFieldPath, requireNumber, requireText } from '../../shared/userInput';

const earlierField = field('Earlier Report Field', 'earlierField', {
	default: 'previous',
	placeholder: 'e.g. previous',
	description:
		'Name of the field that holds the earlier report, with dots for nested fields. If an item has none there, its change is "first".',
});

export const compareOperation: Operation = {
	name: 'Compare',
	value: 'compare',
	action: 'Compare report with earlier one',
	description: 'Find what changed since an earlier report of the same address, without a request',
	fields: [
		reportField,
		earlierField,
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
	givesNoVerdict: true,
	async execute(run) {
		const { onlyChanges } = readOptions(run.readFirst, ['onlyChanges']);
		const names = ['reportField', 'earlierField', 'scoreChange'] as const;
		const readParameters = createSharedReader(run.context, names, (read) => ({
			path: readReportPath(read),
			earlierPath: readEarlierPath(read),
			scoreChange: requireNumber(
				read('scoreChange', 0),
				'Smallest Change',
				[0],
				'Enter a number, e.g. 0.05, or 0 to find every change.',
			),
		}));
		return await run.mapInputItems((read, { json }) => {
			const { path, earlierPath, scoreChange } = readParameters(read);
			const report = requireReport(json, path);
			const given = valueAt(json, earlierPath);
			const earlier = hasValue(given) ? parseReport(given) : undefined;
			const change: ComparisonItem['change'] = compareReports(earlier, report, scoreChange);
			if (onlyChanges && change.kind === 'same') return undefined;
			return sortFields({ ...json, change: change as unknown as IDataObject });
		});
	},
};

/**
 * Reads the name in Earlier Report Field.
 * @throws {ScreeningError} `invalid_input`
 */
function readEarlierPath(read: ParameterReader<'earlierField'>): string {
	const label = earlierField.displayName;
	const path = requireFieldPath(read('earlierField', earlierField.default), label);
	const advice = 'Enter the name of the field that holds the earlier report, e.g. previous.';
	return requireText(path, label, advice);
}
