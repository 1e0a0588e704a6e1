import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

/** A program of the system that some tests need. */
export interface Part {
	readonly name: string;
	/** The environment variable that may hold the program's path. */
	readonly variable: string;
	/** Debian's package of it. */
	readonly debian: string;
	/** The names that the program may have on the PATH, or its whole path. */
	readonly programs: readonly string[];
}

const part = (name: string, variable: string, debian: string, ...programs: string[]): Part => ({
	name,
	variable,
	debian,
	programs,
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

export const chromium = part('Chromium', 'CHROMIUM', 'chromium', ...chromiums);
export const redis = part('Redis', 'REDIS_SERVER', 'redis-server', 'redis-server', 'valkey-server');
export const postgres = part(
	'PostgreSQL',
	'POSTGRES',
	'postgresql',
	'postgres',
	...postgresOfDebian(),
);
/** Only `npm run film` needs it. */
export const ffmpeg = part('ffmpeg', 'FFMPEG', 'ffmpeg', 'ffmpeg');
/** The tool with which an auditor computes digests. */
export const openssl = part('OpenSSL', 'OPENSSL', 'openssl', 'openssl');
export const python = part('Python', 'PYTHON', 'python3', 'python3');

export const parts: readonly Part[] = [chromium, redis, postgres, openssl, python];

/** The path of a part's program, if it is on this machine. */
export function locate({ variable, programs }: Part): string | undefined {
	const named = process.env[variable];
	const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
	const found = programs.flatMap((program) => folders.map((folder) => resolve(folder, program)));
	return (named ? [named] : found).find((path) => existsSync(path));
}

/**
 * The path of a part's program.
 *
 * @throws an error that says how to install it, if it is not on this machine
 */
export function requireProgram(part: Part): string {
	const program = locate(part);
	if (program !== undefined) return program;
	const { name, variable, debian } = part;
	throw new Error(`${name} is missing. As root on Debian or Ubuntu: apt-get install ${debian}. Elsewhere, install it.
${variable} can hold the path of its program, and now holds '${process.env[variable] ?? ''}'.`);
}
