import { type AddressRequest, cleanAddressRequest } from '../../address/input';
import type { Client, Screening } from '../../client/client';
import { createAgentOutputFields, readReportForm } from '../../description/reportForm';
import { createAddressField, field } from '../../description/fields';
import {
	createOptionsField,
	readOptions,
	reportOptions,
	requestOptions,
} from '../../description/options';
import { optionalPdfFields, readWantedPdf } from '../../description/pdfOutput';
import { createSettingsReader, decisionFields } from '../../description/reportSettings';
import { createReportItemWithPdf, type ReportItemRequest } from '../../execution/reportWithPdf';
import type { OutputItem, Run } from '../../execution/run';
import type { Operation } from '../../execution/operation';

export const screenOperation: Operation = {
	name: 'Screen',
	value: 'screen',
	action: 'Screen address',
	description:
		'Get the risk report of one wallet address per item. For many addresses use Bulk Job: Screen and Wait.',
	builderHint: {
		propertyHint:
			'For a single address or one at a time, e.g. of a payment. Set addDecision to true and switch on outcome.',
	},
	fields: [
		createAddressField('The wallet address to screen'),
		field('Chain', 'chain', {
			placeholder: 'e.g. ETH',
			description:
				"Use the service's name, e.g. ETH. Leave empty to let the service determine the chain.",
		}),
		...optionalPdfFields,
		...decisionFields,
		...createAgentOutputFields(),
		createOptionsField(...requestOptions, ...reportOptions, 'checkAddresses'),
	],
	isBilled: true,
	async execute(run) {
		const { checkAddresses } = readOptions(run.readFirst, ['checkAddresses']);
		const form = readReportForm(run.context);
		const readSettings = createSettingsReader(run);
		const requests = await run.readItems((read, itemIndex) => ({
			...cleanAddressRequest(
				{ value: read('address'), label: 'Address' },
				{ value: read('chain', ''), label: 'Chain' },
				{ checkAddresses },
			),
			settings: readSettings(read, itemIndex),
			form,
			pdf: readWantedPdf(read),
		}));
		return await run.mapRequests(requests, screen);
	},
};

/** Without a chain the service determines it. */
interface ScreenRequest extends AddressRequest, ReportItemRequest {}

/** Makes the item of a new report. */
async function screen(run: Run, client: Client, request: ScreenRequest): Promise<OutputItem> {
	const { address, chain } = request;
	const { report, sent } = await requestScreening(run, client, request);
	const received = { report, sent, address, chain, screenedAt: new Date() };
	return await createReportItemWithPdf(run, client, received, request);
}

/**
 * Asks for a new report (section 4.1), which the service may bill. Notes in the run that the report
 * exists, or that the screening may have been carried out.
 * @throws {ScreeningError} why there is no report
 * @throws the reason of the signal, if the run is over and such a screening has no report
 */
async function requestScreening(
	run: Run,
	client: Client,
	{ address, chain }: AddressRequest,
): Promise<Screening> {
	const { value: screening, error } = await run.settle(
		async () => await client.screen(address, chain),
	);
	if (screening) {
		run.ledger.noteReport(screening.report.report_id, screening.sent);
		return screening;
	}
	if (error.details.sent !== undefined) {
		run.ledger.noteUnsureScreening();
		// The failure that ended the run is the one to show.
		run.signal.throwIfAborted();
	}
	throw error;
}
