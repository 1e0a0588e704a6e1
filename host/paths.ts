import { join, resolve } from 'node:path';

export const projectFolder = resolve(__dirname, '..');

/** Everything that is made here and can be made again; git ignores it. */
export const cacheFolder = join(projectFolder, '.cache');
