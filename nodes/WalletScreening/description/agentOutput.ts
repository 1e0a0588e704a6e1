import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { requireChoice } from '../shared/userInput';
import { choice, field, select, shownIf } from './fields';
import type { Options } from './options';
import type { ParameterReader } from './parameters';
import { fieldsSelectableForAgent } from './reportFields';

/*
 * The parameters of the node as the tool of an AI agent: how much of a report the agent gets. Its
 * context is short, and too many fields confuse it.
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

/** The parameters Output, with the choices `others` before its own, and Output Fields. */
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

/**
 * Reads what a tool gives of each report, once, from the first item. `others` are the values of
 * Output for which no report leaves.
 * @throws {ScreeningError} `invalid_input`
 */
export function readAgentOutput(
	read: ParameterReader,
	others: readonly string[],
): Pick<Options, 'simplify' | 'outputFields'> {
	const output = requireChoice(read('output', 'simplified'), outputLabel, [
		...others,
		...agentOutputs,
	]);
	// For one of `others`, neither value matters: no report leaves.
	if (output !== 'selected') return { simplify: output === 'simplified', outputFields: undefined };
	const names = fieldsSelectableForAgent.map(({ value }) => String(value));
	const selected = [read('outputFields', outputFields.default)].flat();
	return {
		simplify: false,
		outputFields: selected.map((name) => requireChoice(name, outputFields.displayName, names)),
	};
}
