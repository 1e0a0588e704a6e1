import { readTemplate } from '../../../tools/trial/templates';

/** Returns a copy of the parameters of a node of a template. The caller may change it. */
export function parametersOf(template: string, node: string): any {
	return readTemplate(template).nodes.find(({ name }) => name === node)!.parameters;
}
