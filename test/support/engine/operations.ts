/*
 * All operations, each with the runs in which the integration tests check its output and its errors.
 * The names to which saved workflows refer are in unit/contract/contract.jsonl.
 */

import type { INodeParameters } from 'n8n-workflow';
import { ethereum, sanctionedMixer } from '../data/knownAddresses';
import { GET_JOB, GET_REPORT, SCREEN, SUBMIT, VERIFY, SCREEN_AND_WAIT } from './workflows';

interface RequestPattern {
	method: 'GET' | 'POST';
	path: RegExp;
}

/** A run whose items have to match the schema of the operation. */
interface OutputRun {
	parameters: INodeParameters;
	/** The input: an item for each address (the default), for each report, or for each job. */
	input?: 'addresses' | 'reports' | 'jobs';
}

/** A run in which one kind of request meets every fault. */
export interface FaultyRun {
	/** Tells two runs of one operation apart in the names of tests. */
	what?: string;
	parameters: INodeParameters;
	request: RequestPattern;
	/** The field that its errors name. */
	namedField: 'address' | 'report_id' | 'job_id';
}

interface OperationTests {
	outputs: OutputRun[];
	/** Runs with a fault; absent for an operation that sends nothing. */
	faults?: FaultyRun[];
}

const screenRequest: RequestPattern = { method: 'POST', path: /^\/v1\/screen$/ };
const reportRequest: RequestPattern = { method: 'GET', path: /^\/v1\/reports\/[^/]+$/ };
const pdfRequest: RequestPattern = { method: 'GET', path: /^\/v1\/reports\/[^/]+\/pdf/ };
/** If it is sent twice, the service makes a second job, and bills both. */
export const submitRequest: RequestPattern = { method: 'POST', path: /^\/v1\/bulk$/ };
const statusRequest: RequestPattern = { method: 'GET', path: /^\/v1\/bulk\/[^/]+$/ };

const exception = {
	address: sanctionedMixer,
	until: '2099-12-31',
	reason: 'Ticket 4711',
	approvedBy: 'Head of Compliance',
};
const policy = {
	name: 'Payouts',
	version: '1',
	rules: [
		{ field: 'sanctions', operator: 'gte', value: 0.5, outcome: 'block' },
		{ field: 'score', operator: 'gte', value: 0.5, outcome: 'block', mayBeWaived: true },
		{ all: [{ field: 'score', operator: 'gte', value: 0 }], outcome: 'review' },
		{ field: { input: 'amount' }, operator: 'gte', value: 1, outcome: 'review' },
	],
	lists: [{ name: 'Own', outcome: 'review', addresses: [ethereum] }],
	exceptions: [exception],
};
/** A decision with every kind of reason, evidence and a reference. */
const decisionParameters: INodeParameters = {
	addDecision: true,
	decisionOptions: { addEvidence: true, reference: 'Payment 17' },
	rulesSource: 'json',
	rulesJson: JSON.stringify(policy),
};
/** A screening with everything that adds a field. */
export const screenWithAll: INodeParameters = {
	...SCREEN,
	...decisionParameters,
	options: { alertText: true },
};
const alertText = { options: { alertText: true } };
const reportOutput: INodeParameters = { ...GET_JOB, output: 'reports' };
const download: INodeParameters = { ...GET_REPORT, operation: 'downloadPdf' };
const compare: INodeParameters = { resource: 'report', operation: 'compare' };

/** The tests of each operation, by `resource.operation`. */
export const operations: Record<string, OperationTests> = {
	'address.check': {
		outputs: [
			{
				parameters: { resource: 'address', operation: 'check', address: '={{ $json.address }}' },
			},
		],
	},
	'address.screen': {
		outputs: [{ parameters: SCREEN }, { parameters: { ...screenWithAll, chain: 'BTC' } }],
		faults: [
			{ parameters: SCREEN, request: screenRequest, namedField: 'address' },
			{
				what: 'its PDF',
				parameters: { ...SCREEN, includePdf: true },
				request: pdfRequest,
				namedField: 'address',
			},
		],
	},
	'alert.createDigest': {
		outputs: [{ parameters: { resource: 'alert', operation: 'createDigest' }, input: 'reports' }],
	},
	'bulkJob.get': {
		outputs: [
			{ parameters: GET_JOB, input: 'jobs' },
			{ parameters: { ...reportOutput, ...decisionParameters, ...alertText }, input: 'jobs' },
		],
		faults: [
			{ parameters: GET_JOB, request: statusRequest, namedField: 'job_id' },
			{ what: 'reports', parameters: reportOutput, request: statusRequest, namedField: 'job_id' },
		],
	},
	'bulkJob.screenAndWait': {
		outputs: [
			{ parameters: SCREEN_AND_WAIT },
			{ parameters: { ...SCREEN_AND_WAIT, ...decisionParameters, ...alertText } },
		],
		faults: [{ parameters: SCREEN_AND_WAIT, request: submitRequest, namedField: 'address' }],
	},
	'bulkJob.submit': {
		outputs: [{ parameters: SUBMIT }, { parameters: { ...SUBMIT, chainField: 'chain' } }],
		faults: [{ parameters: SUBMIT, request: submitRequest, namedField: 'address' }],
	},
	'decision.decide': {
		outputs: [
			{
				parameters: { resource: 'decision', operation: 'decide', ...decisionParameters },
				input: 'reports',
			},
		],
	},
	'decision.verify': { outputs: [{ parameters: VERIFY, input: 'reports' }] },
	'report.compare': {
		outputs: [
			{ parameters: { ...compare, earlierField: 'report' }, input: 'reports' },
			{ parameters: { ...compare, earlierField: 'nothing' }, input: 'reports' },
		],
	},
	'report.downloadPdf': {
		outputs: [{ parameters: download, input: 'reports' }],
		faults: [{ parameters: download, request: pdfRequest, namedField: 'report_id' }],
	},
	'report.get': {
		outputs: [
			{ parameters: GET_REPORT, input: 'reports' },
			{ parameters: { ...GET_REPORT, ...decisionParameters, includePdf: true }, input: 'reports' },
		],
		faults: [{ parameters: GET_REPORT, request: reportRequest, namedField: 'report_id' }],
	},
};
