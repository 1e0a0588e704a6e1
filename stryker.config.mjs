import { createRequire } from 'node:module';

const [unit] = createRequire(import.meta.url)('./jest.config.js').projects;
const code = 'nodes/WalletScreening';

/** What a wrong decision, a lost address or a forged delivery would come from. */
export default {
	mutate: [
		`${code}/address/**/*.ts`,
		`${code}/webhook/**/*.ts`,
		`${code}/policy/**/*.ts`,
		`${code}/messages/**/*.ts`,
		`${code}/client/**/*.ts`,
		`${code}/answers/*.ts`,
		`${code}/execution/{run,runEnd,runOperation,errorItems,nodeErrors,privateKeysInError,toolFailure,keptInput,itemFields,resultItems}.ts`,
		`${code}/description/reportFields.ts`,
		`${code}/actions/bulkJob/*.ts`,
	],
	testRunner: 'jest',
	jest: {
		config: {
			...unit,
			projects: [],
			// Only the tests of these folders: others load much and say little about them.
			testMatch: [
				'<rootDir>/test/unit/{actions,address,answers,client,execution,messages,policy,webhook}/**/*.test.ts',
			],
			// A slow machine must not look like a test that found something.
			testTimeout: 60_000,
		},
	},
	coverageAnalysis: 'perTest',
	// A mutant in a constant of a module needs every test again, after a reload of all modules.
	ignoreStatic: false,
	disableTypeChecks: false,
	// A mutant that ends by time counts as found, so time has to be so long that only endless loops run out of it.
	timeoutMS: 60_000,
	timeoutFactor: 5,
	concurrency: 2,
	ignorePatterns: ['.cache', 'dist', 'coverage', 'demo-output', 'tools', 'test/e2e'],
	tempDirName: '.cache/stryker',
	reporters: ['clear-text', 'html', 'json'],
	clearTextReporter: { allowColor: false, reportTests: false },
	htmlReporter: { fileName: 'coverage/mutation/report.html' },
	jsonReporter: { fileName: 'coverage/mutation/report.json' },
	thresholds: { high: 95, low: 85, break: 85 },
};
