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

/** Debian keeps PostgreSQL off the PATH, each version in a folder. */
function postgresOfDebian(): string[] {
	const root = '/usr/lib/postgresql';
	const versions = existsSync(root) ? readdirSync(root).map(Number) : [];
	const newestFirst = versions.sort((one, other) => other - one);
	return newestFirst.map((version) => join(root, `${version}/bin/postgres`));
}

/** Where Chromium is on macOS. */
const applications = ['Chromium', 'Google Chrome'].map(
	(name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);

export const chromium: SystemProgram = {
	name: 'Chromium',
	variable: 'CHROMIUM',
	debian: 'chromium',
	executables: ['chromium', 'chromium-browser', 'google-chrome', ...applications],
};
export const redis: SystemProgram = {
	name: 'Redis',
	variable: 'REDIS_SERVER',
	debian: 'redis-server',
	executables: ['redis-server', 'valkey-server'],
};
export const postgres: SystemProgram = {
	name: 'PostgreSQL',
	variable: 'POSTGRES',
	debian: 'postgresql',
	executables: ['postgres', ...postgresOfDebian()],
};
/** Only `npm run film` needs it. */
export const ffmpeg: SystemProgram = {
	name: 'ffmpeg',
	variable: 'FFMPEG',
	debian: 'ffmpeg',
	executables: ['ffmpeg'],
};
/** The tool with which an auditor computes digests. */
export const openssl: SystemProgram = {
	name: 'OpenSSL',
	variable: 'OPENSSL',
	debian: 'openssl',
	executables: ['openssl'],
};
export const python: SystemProgram = {
	name: 'Python',
	variable: 'PYTHON',
	debian: 'python3',
	executables: ['python3'],
};

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
	const given = process.env[variable];
	throw new Error(
		given
			? `${variable} is '${given}', where ${name} is not. Correct it, or unset it.`
			: `${name} is missing. As root on Debian or Ubuntu: apt-get install ${debian}. Elsewhere, install it. If it is not on the PATH, set ${variable} to its path.`,
	);
}
