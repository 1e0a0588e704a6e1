const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * The longest tests in a real n8n. They start first, so that the run does not end with one core
 * busy and the others idle.
 */
const longest = [
	'templates/templates',
	'templates/payments',
	'templates/cases',
	'queue',
	'editor',
	'templates/killed',
	'trial',
	'restart',
	'install',
	'trigger',
	'oneCommand',
	'core',
];
const rank = ({ path }) => longest.findIndex((name) => path.endsWith(`e2e/${name}.test.ts`));

module.exports = class extends Sequencer {
	sort(tests) {
		const isLong = (test) => rank(test) !== -1;
		const long = tests.filter(isLong).sort((first, second) => rank(first) - rank(second));
		// Jest sorts the others: the largest files first.
		return [...long, ...super.sort(tests.filter((test) => !isLong(test)))];
	}
};
