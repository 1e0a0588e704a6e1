import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../host/paths';
import type { Saved, Workflow } from '../host/workflow';
import { sortByCalls } from './wiring';

export const templateFolder = join(projectFolder, 'templates');

/** The names of all templates: those of their files, without the ending. */
export const templateNames = readdirSync(templateFolder).map((file) => file.replace('.json', ''));

/** The template of this name, as a user downloads it. */
export const readTemplate = (name: string): Saved<Workflow> =>
	JSON.parse(readFileSync(join(templateFolder, `${name}.json`), 'utf8')) as Saved<Workflow>;

/** All templates, each after those that it calls. */
export const readTemplates = (): Array<Saved<Workflow>> =>
	sortByCalls(templateNames.map(readTemplate));
