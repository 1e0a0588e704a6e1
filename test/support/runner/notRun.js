const text =
	"\nNot run: a real n8n, its editor in Chromium, queue mode with Redis and PostgreSQL, zod 4, n8n's check of the package. " +
	'"npm run test:all" runs them too. CONTRIBUTING.md says what it needs.\n';

/**
 * Prints at the end of `npm test` what it has not run, so that its success is not taken for that of
 * every test.
 */
module.exports = class {
	onRunComplete() {
		// Jest prints its summary after all reporters.
		process.once('exit', () => process.stderr.write(text));
	}
};
