import { coreSuite } from './suite';

describe('n8n 1.123.81', () => {
	coreSuite('1.123.81');
});
