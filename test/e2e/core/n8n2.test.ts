import { defaultN8nVersion } from '../../../tools/host/versions';
import { coreSuite } from './suite';

/** The version that `npm run test:n8n` asks for. */
const version = process.env.N8N_VERSION || defaultN8nVersion;

describe(`n8n ${version}`, () => {
	coreSuite(version);
});
