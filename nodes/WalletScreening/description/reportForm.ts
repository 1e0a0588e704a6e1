import type { IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { requireChoice } from '../shared/userInput';
import { isTool } from '../transport/onError';
import { choice, field, select, shownIf } from './fields';
import { readOptions } from './options';
import { createItemReader, type ParameterReader } from './parameters';
import { fieldsSelectableForAgent } from './reportFields';

/*
 * How much of a report leaves the node. In a workflow, the user chooses it with the option Simplify. In
 * a tool of an AI agent there is the parameter Output instead: the context of an agent is short, and
 * too many fields confuse it.
 */

const outputLabel = 'Output';
const outputChoices = [
	choice('Raw', 'raw', 'All fields, with the report as the service sent it'),
	choice('Selected Fields', 'selected', 'The fields that you select'),
	choice('Simplified', 'simplified', 'The most useful fields'),
];
/** The values of Output with which an agent gets reports. */
export const agentOutputs = outputChoices.map(({ value }) => String(value));

const outputFields = field('Output Fields', 'outputFields', {
	type: 'multiOptions',
	default: ['address', 'level', 'outcome', 'score', 'summary'],
	description:
		'The fields that the agent gets. It always gets the report ID, the outcome of a decision, the mark of a sanctions hit, and the requested chain if the report is for a different one.',
	options: fieldsSelectableForAgent,
});

/** Makes the parameters Output, with the choices `others` before its own, and Output Fields. */
export function createAgentOutputFields(
	preselected = 'simplified',
	others: INodePropertyOptions[] = [],
): INodeProperties[] {
	return shownIf({ '@tool': [true] }, [
		select(outputLabel, 'output', preselected, [...others, ...outputChoices], {
			description: 'How much of a report the agent gets',
		}),
		...shownIf({ output: ['selected'] }, [outputFields]),
	]);
}

/** Which fields of the item of a report leave the node. Each part is off by default. */
export interface ReportForm {
	/** The fields of a simplified item, without the report and the reasons. */
	simplify?: boolean;
	alertText?: boolean;
	/** The fields that an agent gets; undefined: those that `simplify` leaves. */
	outputFields?: readonly string[] | undefined;
}

/**
 * Reads which fields leave of each report, once, from the first item: by Output in a tool, else by
 * Simplify. `others` are the values of Output with which no report leaves.
 * @throws {ScreeningError} `invalid_input`
 */
export function readReportForm(
	context: IExecuteFunctions,
	others: readonly string[] = [],
): ReportForm {
	const read = createItemReader(context, 0);
	const { alertText, simplify } = readOptions(read, ['alertText', 'simplify']);
	if (!isTool(context)) return { alertText, simplify };
	const outputs = [...others, ...agentOutputs];
	const output = requireChoice(read('output', 'simplified'), outputLabel, outputs);
	// For one of `others`, the form does not matter: no report leaves.
	if (output !== 'selected') return { alertText, simplify: output === 'simplified' };
	return { alertText, outputFields: readOutputFields(read) };
}

/** @throws {ScreeningError} `invalid_input` for a field that an agent cannot get */
function readOutputFields(read: ParameterReader<'outputFields'>): string[] {
	const names = fieldsSelectableForAgent.map(({ value }) => String(value));
	const selected = [read('outputFields', outputFields.default)].flat();
	return selected.map((name) => requireChoice(name, outputFields.displayName, names));
}
