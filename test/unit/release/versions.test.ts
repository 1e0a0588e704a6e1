import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { devDependencies, name, version } from '../../../package.json';
import lock from '../../../package-lock.json';
import { packageVersion } from '../../../nodes/WalletScreening/shared/packageVersion';
import { projectFolder } from '../../../tools/host/paths';
import { defaultN8nVersion, n8nVersions } from '../../../tools/host/versions';

it('evidence and the lock file name the version of the package', () => {
	expect([packageVersion, lock.version, lock.packages[''].version]).toEqual([
		`${name}@${version}`,
		version,
		version,
	]);
});

it('the engine of the tests and the README name the versions of n8n that are tested', () => {
	expect(devDependencies['n8n-core']).toBe(defaultN8nVersion);
	const readme = readFileSync(join(projectFolder, 'README.md'), 'utf8');
	for (const version of Object.keys(n8nVersions))
		expect(readme).toContain(`tested with ${version}`);
});
