import type { IDataObject } from 'n8n-workflow';
import type { ErrorSite } from '../../../nodes/WalletScreening/execution/errorSites';
import {
	addInputToFailure,
	addInputToResult,
	type KeptInput,
} from '../../../nodes/WalletScreening/execution/keptInput';

type Given = [failure: IDataObject, input: IDataObject, keeps: KeptInput, site?: ErrorSite];

/** Makes the JSON that leaves with a failure. */
const leaveWith = (...[failure, input, keeps, site = 'address.screen']: Given): IDataObject =>
	addInputToFailure(failure, input, { keeps, site, onError: 'continue' });

/** Makes the JSON that leaves with a failure by the error output. */
const leaveByErrorOutput = (...[failure, input, keeps]: Given): IDataObject =>
	addInputToFailure(failure, input, { keeps, site: 'address.screen', onError: 'errorOutput' });

const WIF = 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617';
/** 20,000 lists, each in the next one: too many for `JSON.stringify`. */
const nested = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) as IDataObject;
const report = { report_id: 'r1' };
const evidence = { version: 1 };
const screened = { id: 7, outcome: 'allow', alert: { title: 'Allow' }, report, evidence };
const links = { report_id: 'r1', report_url: 'https://app.example.com/r1' };
const simplified = { ...links, highest_category: null, highest_score: 0 };
const earlier = { error: 'Earlier', details: { errorClass: 'server' }, alert: { title: 'Failed' } };
const now = { error: 'Now', details: { errorClass: 'network' } };

test.each<[because: string, keeps: KeptInput, input: IDataObject, output: IDataObject]>([
	['nothing stays', 'none', screened, now],
	['a field stays that the node does not have', 'extra', screened, { ...now, id: 7 }],
	['the operation works on the report', 'whole', screened, { ...now, id: 7, report, evidence }],
	[
		'an earlier failure is not the concern of a screening',
		'extra',
		{ id: 7, ...earlier },
		{ ...now, id: 7 },
	],
	[
		'the highest risk is a verdict, too',
		'extra',
		{ id: 7, ...simplified },
		{ ...now, id: 7, ...links },
	],
	[
		'an error of another node is not one of this node',
		'whole',
		{ error: 'late', id: 7 },
		{ ...now, id: 7 },
	],
	['an earlier failure is still true', 'whole', { id: 7, ...earlier }, { id: 7, ...earlier }],
	['no private key leaves', 'whole', { id: 7, note: `key ${WIF}` }, { ...now, id: 7 }],
	['no private key leaves as a name', 'whole', { id: 7, [WIF]: 'row 2' }, { ...now, id: 7 }],
])('beside an error, because %s (%s)', (_because, keeps, input, output) => {
	expect(leaveWith(now, input, keeps)).toEqual(output);
});

test('beside a new report there is neither the ID nor the link of an earlier one', () => {
	const screenedAgain = { level: 'green', report };
	const settings = { keeps: 'extra', givesVerdict: true } as const;
	const kept = addInputToResult(screenedAgain, { id: 7, ...simplified }, settings);
	expect(kept).toEqual({ ...screenedAgain, id: 7 });
});

describe('beside the item of a job, of the fields of the input', () => {
	const result = { job_id: 'j1', completed: false, failed: false, job: { status: 'running' } };
	const settings = { keeps: 'extra', givesVerdict: true } as const;
	const submitted = { address_count: 2, addresses: ['A', 'B'] };
	const ofAnswer = { completed: true, failed: true, unread: ['status'], job: {} };

	test.each<[because: string, job_id: IDataObject, kept: object]>([
		['those of the job stay', { job_id: 'j1' }, submitted],
		['those of the job stay, if a table has it with blanks', { job_id: ' j1 ' }, submitted],
		['those of an unnamed job stay', {}, submitted],
		['none stays that is of another job', { job_id: 'j0' }, {}],
	])('%s', (_because, job_id, kept) => {
		const input = { id: 7, ...job_id, ...submitted, ...ofAnswer };
		expect(addInputToResult(result, input, settings)).toEqual({ ...result, id: 7, ...kept });
	});

	test('none replaces one of the result', () => {
		const whole = { ...result, address_count: 3 };
		expect(addInputToResult(whole, { job_id: 'j1', ...submitted }, settings)).toEqual({
			...whole,
			addresses: submitted.addresses,
		});
	});
});

const payer = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const refused = (details: object) => ({
	error: 'Refused',
	details: { errorClass: 'invalid_input', ...details },
});
const withheld = { withheld: '(private key removed)' };

describe('beside an error, the input address is', () => {
	test.each<[because: string, keeps: KeptInput, details: object, isKept: boolean]>([
		['kept: the whole of what was refused', 'extra', { address: '0xd8dA6BF269…' }, true],
		['absent: another text was refused', 'extra', { address: '0xd8dA6BF260…' }, false],
		['absent: a private key was refused', 'extra', withheld, false],
		['kept: the error names no address', 'extra', { parameter: 'Policy' }, true],
		['kept: the operation works on the item', 'whole', { address: '0xd8dA6BF260…' }, true],
	])('%s (%s)', (_because, keeps, details, isKept) => {
		const input = { address: ` ${payer}`, id: 7 };
		const failure = refused(details);
		const json = leaveWith(failure, input, keeps);
		expect(json).toEqual({ ...failure, id: 7, ...(isKept && { address: input.address }) });
		// What is set to undefined, n8n does not add.
		const forErrorOutput = leaveByErrorOutput(failure, input, keeps);
		expect({ ...input, ...forErrorOutput }.address).toBe(isKept ? input.address : undefined);
	});

	test('that of the failure, if it names one', () => {
		const failure = { ...refused({ address: 'B', ...withheld }), address: 'B' };
		expect(leaveWith(failure, { address: payer }, 'extra')).toEqual(failure);
	});

	test('not added by n8n to an item that keeps nothing, if another text was refused', () => {
		const json = leaveByErrorOutput(
			refused({ address: 'r9cZA1mLK5R5…' }),
			{ address: payer },
			'none',
		);
		expect({ address: payer, ...json }.address).toBeUndefined();
	});
});

describe('beside an error, the fields of the job of the input are', () => {
	const job = { job_id: 'old', completed: true, failed: false, addresses: ['A'], job: {} };
	const ofJob = (errorClass: string, job_id?: string) => ({
		error: 'Failed',
		details: { errorClass, ...(job_id !== undefined && { job_id }) },
	});

	test.each<[because: string, failure: IDataObject, input: IDataObject, isKept: boolean]>([
		['absent: another job failed', ofJob('not_found', 'new'), job, false],
		['absent: a new job was not accepted', ofJob('server'), job, false],
		['kept: this job failed', ofJob('job_timeout', 'old'), { ...job, job_id: ' old' }, true],
		['kept: the number of this job', ofJob('job_timeout', '17'), { ...job, job_id: 17 }, true],
		['kept: the node refused the input', ofJob('invalid_input'), job, true],
		['kept: they are of no job', ofJob('server'), { completed: true, addresses: ['A'] }, true],
	])('%s', (_because, failure, input, isKept) => {
		const kept = { ...failure, id: 7, ...(isKept && input) };
		const given = { ...input, id: 7 };
		expect(leaveWith(failure, given, 'extra')).toEqual(kept);
		expect({ ...given, ...leaveByErrorOutput(failure, given, 'none') }).toEqual(kept);
	});

	test('kept if n8n could not read the key to get the job with', () => {
		const failure = ofJob('network');
		expect(leaveWith(failure, job, 'extra', 'bulkJob.get')).toEqual({ ...failure, ...job });
		expect(leaveWith(failure, job, 'extra', 'bulkJob.submit')).toEqual(failure);
	});

	test('kept if the operation works on the item', () => {
		const failure = ofJob('server');
		expect(leaveWith(failure, job, 'whole')).toEqual({ ...failure, ...job });
	});
});

const mayBeDropped = ['outcome', 'level', 'alert', 'report', 'evidence', 'note', 'id', 'address'];
const verdict = ['outcome', 'level'];
const ofReport = ['alert', 'report', 'evidence'];

test.each<[because: string, keeps: KeptInput, input: IDataObject, absent: string[]]>([
	['all is of an earlier screening', 'extra', screened, [...verdict, ...ofReport]],
	['the operation works on the report', 'whole', screened, [...verdict, 'alert']],
	['the alert of an earlier failure is still true', 'whole', earlier, verdict],
	['no private key leaves', 'none', { note: WIF }, [...verdict, ...ofReport, 'note']],
	[
		'a private key cannot be found in what is nested too deeply',
		'none',
		{ note: nested },
		[...verdict, ...ofReport, 'note'],
	],
])('n8n adds not all fields to a failure, because %s (%s)', (_because, keeps, input, absent) => {
	const json = leaveByErrorOutput(now, input, keeps);
	const blocked = mayBeDropped.filter((name) => name in json && json[name] === undefined);
	expect(blocked).toEqual(absent);
});
