// Prints as JSON what n8n's check for community packages finds in a folder. The check is an ES module, which Jest cannot load.
import { relative } from 'node:path';
import {
	analyzePackage,
	buildScanConfig,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ESLint } from 'eslint';

const [folder, leg] = process.argv.slice(2);
const patterns = leg === 'sources' ? SOURCE_FILE_PATTERNS : ['**/*.js', 'package.json'];
const verdict = await analyzePackage(folder, patterns);

// The verdict holds no warning, and is good where there is no file: ESLint is asked itself, as the check asks it.
const eslint = new ESLint({
	cwd: folder,
	allowInlineConfig: false,
	overrideConfigFile: true,
	overrideConfig: await buildScanConfig(),
});
const findings = (await eslint.lintFiles(patterns)).flatMap(({ filePath, messages }) =>
	messages.map(
		({ line, message, ruleId }) => `${relative(folder, filePath)}:${line} ${message} (${ruleId})`,
	),
);
if (!verdict.passed && findings.length === 0) findings.push(verdict.details ?? verdict.message);

process.stdout.write(JSON.stringify(findings));
