import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decide } from '../../nodes/WalletScreening/policy/decision';
import { createEvidence } from '../../nodes/WalletScreening/policy/evidence';
import { readPolicy } from '../../nodes/WalletScreening/policy/policy';
import { openssl, python, requireProgram } from '../../tools/host/programs';
import { verifyItem } from '../support/unit/verification';
import { reportBody } from '../support/unit/reports';

/** The code of a language on a page of the documents. */
function blockIn(page: string, language: string): string {
	const text = readFileSync(join(__dirname, '../../docs', page), 'utf8');
	return new RegExp(`^\`\`\`${language}\\n([^\`]+)^\`\`\`$`, 'm').exec(text)?.[1] ?? '';
}
const commandsPage = 'engineering/canonical-json.md';

beforeAll(() => [openssl, python].forEach(requireProgram));

/** Runs a command of the page. */
function run(command: string, directory: string): string {
	return execFileSync('sh', ['-e', '-c', command], { cwd: directory, encoding: 'utf8' });
}

/**
 * Runs the commands of the page for an item. Returns what they print, by the name in the comment of
 * each. `field` is that of the report.
 */
function digestsOf(item: object, pdf: Uint8Array, field = ''): Record<string, string | undefined> {
	const directory = mkdtempSync(join(tmpdir(), 'evidence-'));
	try {
		writeFileSync(join(directory, 'canonical.py'), blockIn(commandsPage, 'python'));
		writeFileSync(join(directory, 'item.json'), JSON.stringify(item, null, 2));
		writeFileSync(join(directory, 'report.pdf'), pdf);
		const commands = blockIn(commandsPage, 'sh').trim().split('\n');
		return Object.fromEntries(
			commands.map((line) => {
				const [command = '', name = ''] = line.split('#');
				const named = command.replace(' report ', ` report ${field} `);
				return [name.trim(), run(named, directory).split(' ')[0]];
			}),
		);
	} finally {
		rmSync(directory, { recursive: true });
	}
}

const pdf = Buffer.from('%PDF-1.7\n\u0000\u00ff', 'latin1');
const report = reportBody({
	risk: {
		level: 'gr\u00fcn \u2028 \ud83d\ude00 \u0007 </script> \\"',
		score: 1e21,
		categories: { mixer: 1e-7, sanctions: 0.1 + 0.2, '\ud83d\ude00': 1, '\ufb33': 2, '\r': -0 },
	},
	note: [true, null, [], {}, '', '\u007f'],
});
const at = new Date('2026-11-21T12:00:00.000Z');
const policy = readPolicy([{ field: 'score', operator: 'gte', value: 1e-10, outcome: 'block' }]);
const decision = decide(report as never, policy, { at });

test.each([
	['whole', false],
	['simplified', true],
])('an auditor gets the same digests for a report that is %s', (_, keepsReport) => {
	const evidence = createEvidence({
		report,
		keepsReport,
		pdfSha256: createHash('sha256').update(pdf).digest('hex'),
		decisionRecord: { decision, policy, at },
		package: 'p@1',
		workflowId: 'w',
		executionId: 'e',
	});
	const { report_sha256, sha256, pdf_sha256 } = evidence;
	const digests = { report_sha256, 'policy.sha256': evidence.policy?.sha256, sha256, pdf_sha256 };
	const own = keepsReport ? {} : { report };
	expect(digestsOf({ ...own, evidence }, pdf)).toEqual(digests);
	const row = { kept: JSON.stringify(report), evidence: JSON.stringify(evidence) };
	expect(digestsOf(row, pdf, 'kept')).toEqual(digests);
});

test('the example of the page is valid, for the node and for an auditor', () => {
	const item = JSON.parse(blockIn('evidence.md', 'json')) as Record<string, any>;
	expect(verifyItem(item)).toEqual({ valid: true, findings: [] });
	const { report_sha256, policy, sha256 } = item.evidence;
	expect(digestsOf(item, pdf)).toMatchObject({
		report_sha256,
		'policy.sha256': policy.sha256,
		sha256,
	});
});
