import { name, version } from '../../../package.json';
import { packageVersion } from '../../../nodes/WalletScreening/n8n/packageVersion';

it('evidence names the package and its version', () => {
	expect(packageVersion).toBe(`${name}@${version}`);
});
