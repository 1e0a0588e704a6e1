import type { IDataObject } from 'n8n-workflow';
import { decide } from '../../../nodes/WalletScreening/policy/decision';
import { createEvidence } from '../../../nodes/WalletScreening/policy/evidence';
import { readPolicy } from '../../../nodes/WalletScreening/policy/policy';
import { type Report, reportOn } from '../../../sandbox/reports';
import { numberedAddress } from '../data/addresses';

const policy = readPolicy({
	name: 'Payments',
	version: 1,
	rules: [{ field: 'level', operator: 'equals', value: 'red', outcome: 'block' }],
});

/** Makes a row of *Screening Results* as *Our Screening* writes it. */
export function recordOf(reference: string, address: string, at: Date): IDataObject {
	const report: Report = reportOn(address, 'ETH', 'https://example.com');
	const decision = decide(report as never, policy, { at, input: {} });
	const evidence = createEvidence({
		report,
		reference,
		screenedAt: at,
		decisionRecord: { decision, policy, at },
		package: 'test@1.0.0',
		workflowId: '1',
		executionId: '1',
	});
	return {
		reference,
		address,
		chain: report.chain,
		outcome: decision.outcome,
		sanctions: false,
		summary: decision.summary,
		level: report.risk.level,
		score: report.risk.score,
		report_id: report.report_id,
		report_url: report.report_url,
		policy: 'Payments',
		policy_version: '1',
		report: JSON.stringify(report),
		reasons: JSON.stringify(decision.reasons),
		evidence: JSON.stringify(evidence),
		createdAt: at as never,
	};
}

/** Makes the row of an address that was not screened. */
export const failedRecord = (reference: string, at: Date): IDataObject => ({
	reference,
	address: 'two words',
	outcome: 'not screened',
	error_class: 'invalid_input',
	summary: 'The address has a space',
	error: 'The address has a space',
	createdAt: at as never,
});

const addressesPerLevel = 60;

/** Finds addresses whose reports have this level. */
function findAddresses(level: 'green' | 'red'): string[] {
	const found: string[] = [];
	for (let number = 1; found.length < addressesPerLevel; number++) {
		const address = numberedAddress(number * 7919 + 2 ** 40);
		if (reportOn(address, 'ETH', '').risk.level === level) found.push(address);
	}
	return found;
}

export const recordedGreenAddresses = findAddresses('green');
export const redAddresses = findAddresses('red');
