const { default: Sequencer } = require('@jest/test-sequencer');

/** The longest tests in a real n8n, so that no core waits for one of them at the end. Jest itself begins with the largest files. */
const longest = [
	'templates/payments',
	'templates/templates',
	'queue',
	'editor/editor',
	'templates/killed',
	'together',
	'install',
	'trigger',
];
const rank = ({ path }) => longest.findIndex((name) => path.endsWith(`e2e/${name}.test.ts`));

module.exports = class extends Sequencer {
	sort(tests) {
		const isLong = (test) => rank(test) !== -1;
		const long = tests.filter(isLong).sort((one, other) => rank(one) - rank(other));
		return [...long, ...super.sort(tests.filter((test) => !isLong(test)))];
	}
};
