import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workflow } from '../../../tools/host/workflow';

const root = join(__dirname, '../../..');

/** The folder of the pictures in the documents. */
export const pictureFolder = join(root, 'docs/images');
/** The file that lists what each of them shows. */
export const pictureList = join(pictureFolder, 'pictures.json');

/** What a picture showed when it was taken. */
export interface Picture {
	/**
	 * Whether it shows the canvas of a template, or the pages and messages that a template makes for
	 * people.
	 */
	readonly shows?: 'canvas' | 'result';
	/** The templates on it, each with the digest of what can be seen of it (`digestOf`). */
	readonly templates?: Readonly<Record<string, string>>;
	/** The text on it. */
	readonly text?: string;
}

/** Reads what each picture showed, by its file name without `.png`. */
export const readPictures = () =>
	JSON.parse(readFileSync(pictureList, 'utf8')) as Record<string, Picture>;

/**
 * Returns a digest of the parts of a template that a picture depends on: its canvas, or everything
 * that shapes its pages and messages.
 */
export function digestOf(template: string, shows: 'canvas' | 'result'): string {
	const path = join(root, 'templates', `${template}.json`);
	const { nodes, connections } = JSON.parse(readFileSync(path, 'utf8')) as Workflow;
	const isStickyNote = (type: string) => type.endsWith('.stickyNote');
	const shown =
		shows === 'canvas'
			? nodes.map(({ name, type, position, parameters }) => [
					name,
					type,
					position,
					isStickyNote(type) ? parameters : {},
				])
			: nodes
					.filter(({ type }) => !isStickyNote(type))
					.map(({ name, type, parameters }) => [name, type, parameters]);
	const content = JSON.stringify([shown, connections]);
	return createHash('sha256').update(content).digest('hex').slice(0, 16);
}
