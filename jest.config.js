const { availableParallelism } = require('node:os');

const project = (name, options = {}) => ({
	displayName: name,
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	transform: {
		'\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }],
	},
	modulePathIgnorePatterns: ['<rootDir>/.cache/', '<rootDir>/dist/'],
	...options,
});

module.exports = {
	testSequencer: '<rootDir>/test/support/runner/longestFirst.js',
	// Half of the time a test waits for a service in its own process, so that a core carries two.
	maxWorkers: 2 * availableParallelism(),
	// A busy machine must not fail a test.
	testTimeout: 180_000,
	projects: [
		project('unit'),
		project('integration', { testPathIgnorePatterns: ['<rootDir>/test/integration/package/'] }),
		// n8n's check of the package builds and scans it several times.
		project('package', { testMatch: ['<rootDir>/test/integration/package/*.test.ts'] }),
		project('e2e', { setupFilesAfterEnv: ['<rootDir>/test/support/runner/e2eTimeout.ts'] }),
		project('zod4', {
			// The tests of what uses zod, reports, policies and names of a service, and the nodes in the
			// engine.
			testMatch: [
				'<rootDir>/test/unit/answers/{report,match}.test.ts',
				'<rootDir>/test/unit/transport/serviceNames.test.ts',
				'<rootDir>/test/unit/policy/{policy,decision}.test.ts',
				'<rootDir>/test/integration/{report,screen}.test.ts',
				'<rootDir>/test/compatibility/zod4.test.ts',
			],
			resolver: '<rootDir>/test/compatibility/zod4.resolver.js',
		}),
	],
	collectCoverageFrom: ['{nodes,credentials}/**/*.ts'],
	coverageReporters: ['text', 'html', 'json'],
	coverageThreshold: { global: { branches: 97 } },
};
