import type { IHookFunctions, INodeProperties, IWebhookFunctions } from 'n8n-workflow';
import type { ServiceNames } from '../answers/standardNames';
import { choice, select, shownIf } from '../description/fields';
import { createOptionsField, readOptions } from '../description/options';
import { createWebhookReader } from '../description/parameters';
import {
	decisionFields,
	noReportSettings,
	readTriggerSettings,
	type ReportSettings,
} from '../description/reportSettings';
import { requireChoice } from '../shared/userInput';
import type { Credential } from '../transport/credential';
import { readServiceNames } from '../transport/serviceNames';

/*
 * The parameters of the trigger node that say what becomes of a delivery that the service signed: how
 * the editor shows them, and how they are read.
 */

const outputField = select('Output', 'output', 'reports', [
	choice('Batch', 'batch', 'One item with everything that was delivered'),
	choice('Reports', 'reports', 'One item per report'),
]);

/** The options that are also for Output Batch. */
const batchOptions = ['fetchResults', 'ignoreRepeats'] as const;

/**
 * All options. `readTriggerSettings` reads `addEvidence` and `reference`, and this file reads the
 * others.
 */
const optionsField = createOptionsField(
	...batchOptions,
	'addEvidence',
	'alertText',
	'onlyNotGreen',
	'reference',
	'simplify',
);

/** These fields in the order of the editor. Output Batch hides what is about single reports. */
export const deliveryOptionFields: INodeProperties[] = [
	outputField,
	...shownIf({ output: ['reports'] }, decisionFields),
	{
		...optionsField,
		options: optionsField.options.flatMap((one) =>
			batchOptions.some((name) => name === one.name)
				? one
				: shownIf({ '/output': ['reports'] }, [one]),
		),
	},
];

/** How the node treats a delivery that the service signed. */
export interface DeliveryOptions {
	/** Whether the workflow starts with one item of all that was delivered. */
	isBatch: boolean;
	/** Whether results that the body lacks are fetched. */
	fetchResults: boolean;
	/** Whether a delivery that was accepted before starts nothing. */
	ignoreRepeats: boolean;
	onlyNotGreen: boolean;
	alertText: boolean;
	simplify: boolean;
	/** What becomes of each report. */
	reportSettings: ReportSettings;
	/** The names that the user added for this service. */
	serviceNames: ServiceNames | undefined;
}

/**
 * Reads from the node's parameters, and from Service Names of its credential, how it treats
 * deliveries.
 * @throws {ScreeningError} `invalid_input`
 */
export function readDeliveryOptions(
	context: IHookFunctions | IWebhookFunctions,
	{ serviceNames }: Credential,
): DeliveryOptions {
	const read = createWebhookReader(context);
	const output = requireChoice(read('output'), outputField.displayName, ['batch', 'reports']);
	const isBatch = output === 'batch';
	const reportSettings = isBatch ? noReportSettings : readTriggerSettings(read);
	return {
		isBatch,
		...readOptions(read, [...batchOptions, 'onlyNotGreen', 'alertText', 'simplify']),
		reportSettings,
		serviceNames: readServiceNames(serviceNames),
	};
}
