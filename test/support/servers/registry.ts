import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { npm, quiet, runCommand } from '../../../tools/host/child';
import { projectFolder } from '../../../tools/host/paths';

interface Manifest {
	readonly name: string;
	readonly version: string;
	readonly repository: { readonly url: string };
}

/** What npm's provenance statement about a package names. */
interface Provenance {
	/** The commit from which the package was built. */
	readonly commit: string;
	/** GitHub's archive of that commit; absent if GitHub does not know the commit. */
	readonly archive?: Buffer;
}

const predicateType = 'https://slsa.dev/provenance/v1';

/**
 * Returns the answer of npm's registry about the provenance of a version, with the fields that
 * n8n's scanner reads.
 */
function attestationsOf({ repository: { url } }: Manifest, { commit }: Provenance): object {
	const source = { uri: `${url}@refs/heads/main`, digest: { gitCommit: commit } };
	const statement = { predicate: { buildDefinition: { resolvedDependencies: [source] } } };
	const payload = Buffer.from(JSON.stringify(statement)).toString('base64');
	return { attestations: [{ predicateType, bundle: { dsseEnvelope: { payload } } }] };
}

/**
 * Reads from the code of n8n's scanner where the registry is, because the scanner ignores npm's
 * settings.
 */
async function readRegistryUrl(): Promise<URL> {
	const folder = join(projectFolder, 'node_modules', '@n8n', 'scan-community-package');
	const source = await readFile(join(folder, 'scanner', 'scanner.mjs'), 'utf8');
	const [, url] = /const registry = '(.+)'/.exec(source) ?? [];
	if (url === undefined) throw new Error("n8n's scanner names its registry in another way now.");
	return new URL(url);
}

/** A stand-in for npm's registry, and for the part of GitHub from which sources are downloaded. */
export interface Registry {
	/** What answers at each host. */
	readonly sites: Readonly<Record<string, RequestListener>>;
	/**
	 * Publishes the package in a folder as the latest version.
	 *
	 * @param provenance what its provenance statement names; without it, the version has no statement
	 * @returns its checksum, as `npm view … dist.integrity` prints it
	 */
	publish(folder: string, provenance?: Provenance): Promise<string>;
}

export async function createRegistry(): Promise<Registry> {
	const { host, href } = await readRegistryUrl();
	const versions: Record<string, object> = {};
	/** The content of each answer, by its path. */
	const contents = new Map<string, Buffer>();
	const addJson = (path: string, content: object) =>
		contents.set(path, Buffer.from(JSON.stringify(content)));
	const site: RequestListener = ({ url = '' }, response) => {
		const path = decodeURIComponent(url.split('?')[0]!.replace(/^\/+/, ''));
		const content = contents.get(path);
		response.writeHead(content ? 200 : 404).end(content ?? '{}');
	};

	function addProvenance(manifest: Manifest, provenance: Provenance): void {
		const { name, version } = manifest;
		addJson(`-/npm/v1/attestations/${name}@${version}`, attestationsOf(manifest, provenance));
		const [, repository = ''] = /github\.com\/(.+)\.git$/.exec(manifest.repository.url) ?? [];
		const { archive, commit } = provenance;
		if (archive) contents.set(`${repository}/tar.gz/${commit}`, archive);
	}

	return {
		sites: { [host]: site, 'codeload.github.com': site },
		async publish(folder, provenance) {
			const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
			const { name, version } = manifest;
			const tarball = await packFolder(folder);
			const path = `${name}/-/${name}-${version}.tgz`;
			const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
			const dist = {
				tarball: `${href}${path}`,
				integrity,
				...(provenance && { attestations: { provenance: { predicateType } } }),
			};
			versions[version] = { ...manifest, dist };
			contents.set(path, tarball);
			addJson(name, { name, 'dist-tags': { latest: version }, versions });
			for (const tag of [version, 'latest']) addJson(`${name}/${tag}`, versions[version]!);
			if (provenance) addProvenance(manifest, provenance);
			return integrity;
		},
	};
}

/** Packs the package in a folder, as npm publishes it. @returns the tarball */
async function packFolder(folder: string): Promise<Buffer> {
	const command = [...npm, 'pack', '--ignore-scripts', ...quiet];
	const fileName = (await runCommand(command, { cwd: folder })).trim();
	return await readFile(join(folder, fileName));
}
