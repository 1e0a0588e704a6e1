import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { wrapAsScreeningError } from '../shared/errors';
import { formatCount } from '../shared/text';
import { showHint } from '../transport/display';
import { showCounts } from './itemCounts';
import { showMissingCategories } from './missingCategories';
import type { Run, SettledItem } from './run';

/**
 * Shows what came of the run. `items` are those that leave for `settled`. A fault here loses no
 * report and is only logged.
 */
export function showHints(
	run: Run,
	settled: SettledItem[],
	items: INodeExecutionData[],
	givesVerdict: boolean,
): void {
	const { context, account } = run;
	try {
		// Only what the node itself set. A leaving item may hold an input field of the same name.
		const ownJson = settled.map(({ value }, index): IDataObject => {
			if (!value) return items[index]!.json;
			return givesVerdict ? value.json : {};
		});
		showCounts(context, ownJson, account.describe());
		showRepeatedScreenings(run, settled);
		showMissingCategories(context, ownJson);
	} catch (error) {
		context.logger.warn(`A hint could not be shown: ${wrapAsScreeningError(error).message}`);
	}
}

/** Shows how many screenings the service may charge for more than once. */
function showRepeatedScreenings({ context, account }: Run, settled: SettledItem[]): void {
	const failed = settled.filter(({ error }) => (error?.details.sent ?? 0) > 1);
	const count = account.repeatedScreeningCount + failed.length;
	if (count === 0) return;
	const screenings = formatCount(count, 'screening was', 'screenings were');
	const why = 'because an answer was lost or the service failed';
	showHint(
		context,
		`${screenings} sent more than once, ${why}. The service may charge each time.`,
		'warning',
	);
}
