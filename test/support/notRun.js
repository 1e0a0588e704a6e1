const text =
	"\nNot run: a real n8n (2 and 1), its editor in Chromium, queue mode with Redis and PostgreSQL, zod 4, n8n's check of the package. " +
	'"npm run test:all" runs them too; CONTRIBUTING.md says what it needs.\n';

/** Says at the end of `npm test` what it leaves out, so that nobody takes it for everything. */
module.exports = class {
	onRunComplete() {
		// Jest prints its summary after all reporters.
		process.once('exit', () => process.stderr.write(text));
	}
};
