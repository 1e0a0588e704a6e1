import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

/** A program of the system that some tests need. */
export interface SystemProgram {
	readonly name: string;
	/** The environment variable that may hold the program's path. */
	readonly variable: string;
	/** Debian's package of it. */
	readonly debian: string;
	/** The names that the program may have on the PATH, or its whole path. */
	readonly executables: readonly string[];
}

const program = (
	name: string,
	variable: string,
	debian: string,
	...executables: string[]
): SystemProgram => ({
	name,
	variable,
	debian,
	executables,
});

/** Debian keeps PostgreSQL off the PATH, each version in a folder. */
function postgresOfDebian(): string[] {
	const root = '/usr/lib/postgresql';
	const versions = existsSync(root) ? readdirSync(root).map(Number) : [];
	const newestFirst = versions.sort((one, other) => other - one);
	return newestFirst.map((version) => join(root, `${version}/bin/postgres`));
}

const applications = ['Chromium', 'Google Chrome'].map(
	(name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);
const chromiums = ['chromium', 'chromium-browser', 'google-chrome', ...applications];

export const chromium = program('Chromium', 'CHROMIUM', 'chromium', ...chromiums);
export const redis = program(
	'Redis',
	'REDIS_SERVER',
	'redis-server',
	'redis-server',
	'valkey-server',
);
export const postgres = program(
	'PostgreSQL',
	'POSTGRES',
	'postgresql',
	'postgres',
	...postgresOfDebian(),
);
/** Only `npm run film` needs it. */
export const ffmpeg = program('ffmpeg', 'FFMPEG', 'ffmpeg', 'ffmpeg');
/** The tool with which an auditor computes digests. */
export const openssl = program('OpenSSL', 'OPENSSL', 'openssl', 'openssl');
export const python = program('Python', 'PYTHON', 'python3', 'python3');

export const testPrograms: readonly SystemProgram[] = [chromium, redis, postgres, openssl, python];

/** The path of a program, if it is on this machine. */
export function locate({ variable, executables }: SystemProgram): string | undefined {
	const named = process.env[variable];
	const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
	const found = executables.flatMap((file) => folders.map((folder) => resolve(folder, file)));
	return (named ? [named] : found).find((path) => existsSync(path));
}

/**
 * The path of a program.
 *
 * @throws an error that says how to install it, if it is not on this machine
 */
export function requireProgram(wanted: SystemProgram): string {
	const path = locate(wanted);
	if (path !== undefined) return path;
	const { name, variable, debian } = wanted;
	throw new Error(`${name} is missing. As root on Debian or Ubuntu: apt-get install ${debian}. Elsewhere, install it.
${variable} can hold its path, and now holds '${process.env[variable] ?? ''}'.`);
}
