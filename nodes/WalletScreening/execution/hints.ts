import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { wrapAsScreeningError } from '../shared/errors';
import { formatCount } from '../shared/text';
import { showHint } from '../transport/display';
import { showCounts } from './itemCounts';
import { showMissingCategories } from './missingCategories';
import type { Run, SettledItem } from './run';

/** What came of an input item, and the item that leaves for it. */
export interface ItemOutcome {
	settled: SettledItem;
	item: INodeExecutionData;
}

/** Shows what came of the run. A fault here loses no report and is only logged. */
export function showHints(run: Run, outcomes: ItemOutcome[], givesVerdict: boolean): void {
	const { context, ledger } = run;
	try {
		// Only what the node itself set. A leaving item may hold an input field of the same name.
		const ownJson = outcomes.map(({ settled, item }): IDataObject => {
			if (settled.error) return item.json;
			return givesVerdict ? settled.value.json : {};
		});
		showCounts(context, ownJson, ledger.describe());
		showRepeatedScreenings(run, outcomes);
		showMissingCategories(context, ownJson);
	} catch (error) {
		context.logger.warn(`A hint could not be shown: ${wrapAsScreeningError(error).message}`);
	}
}

/** Shows how many screenings the service may charge for more than once. */
function showRepeatedScreenings({ context, ledger }: Run, outcomes: ItemOutcome[]): void {
	const failed = outcomes.filter(({ settled }) => (settled.error?.details.sent ?? 0) > 1);
	const count = ledger.repeatedScreeningCount + failed.length;
	if (count === 0) return;
	const screenings = formatCount(count, 'screening was', 'screenings were');
	const why = 'because an answer was lost or the service failed';
	showHint(
		context,
		`${screenings} sent more than once, ${why}. The service may charge each time.`,
		'warning',
	);
}
