import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workflow } from '../../tools/host/workflow';

const root = join(__dirname, '../..');

/** Where the pictures of the documents are, and what each of them shows. */
export const pictureFolder = join(root, 'docs/images');
export const pictureList = join(pictureFolder, 'pictures.json');

/** What was on a picture when it was taken. */
export interface Picture {
	/** Whether it shows the canvas of a template, or what a template gives to people. */
	readonly shows?: 'canvas' | 'result';
	/** The templates that it shows, with a digest of what it shows of each. */
	readonly templates?: Readonly<Record<string, string>>;
	/** The words on it. */
	readonly text?: string;
}

/** The pictures by their names, without `.png`. */
export const readPictures = () =>
	JSON.parse(readFileSync(pictureList, 'utf8')) as Record<string, Picture>;

/** A digest of what a picture shows of a template: its canvas, or all that decides what people get. */
export function digestOf(template: string, shows: 'canvas' | 'result'): string {
	const path = join(root, 'templates', `${template}.json`);
	const { nodes, connections } = JSON.parse(readFileSync(path, 'utf8')) as Workflow;
	const isNote = (type: string) => type.endsWith('.stickyNote');
	const shown =
		shows === 'canvas'
			? nodes.map(({ name, type, position, parameters }) => [
					...[name, type, position, isNote(type) ? parameters : {}],
				])
			: nodes
					.filter(({ type }) => !isNote(type))
					.map(({ name, type, parameters }) => [name, type, parameters]);
	const content = JSON.stringify([shown, connections]);
	return createHash('sha256').update(content).digest('hex').slice(0, 16);
}
