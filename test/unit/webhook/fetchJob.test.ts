import { ScreeningError } from '../../../nodes/WalletScreening/shared/errors';
import { isTemporary } from '../../../nodes/WalletScreening/webhook/fetchJob';

test('a word that the node does not know will not be known later', () => {
	const proposedNames = { complete: ['baked'] };
	expect(isTemporary(new ScreeningError('job_timeout', '', '', { proposedNames }))).toBe(false);
});

test('an outage, a limit and a job that runs may be over later, and nothing else', () => {
	const temporary = ['server', 'network', 'rate_limited', 'job_timeout'] as const;
	const classes = [...temporary, 'unauthorized', 'not_found', 'invalid_input'] as const;
	expect(classes.filter((one) => isTemporary(new ScreeningError(one, '', '')))).toEqual(temporary);
});
