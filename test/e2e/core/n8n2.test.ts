import { coreSuite } from './suite';

describe('n8n 2.41.1', () => {
	coreSuite('2.41.1');
});
