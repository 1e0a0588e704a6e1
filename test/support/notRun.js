/** Says at the end of `npm test` what it leaves out, so that nobody takes it for everything. */
module.exports = class {
	onRunComplete() {
		process.stderr.write(
			'\nNot run: a real n8n (2 and 1), its editor in Chromium, queue mode with Redis and PostgreSQL, zod 4. ' +
				'"npm run test:all" runs them too; CONTRIBUTING.md says what it needs.\n',
		);
	}
};
