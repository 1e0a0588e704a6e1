// Prints as JSON what n8n's check for community packages finds in a folder. The check is an ES module, which Jest cannot load.
import { relative } from 'node:path';
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ESLint } from 'eslint';

const [folder, leg] = process.argv.slice(2);
const patterns = leg === 'sources' ? SOURCE_FILE_PATTERNS : ['**/*.js', 'package.json'];

// The verdict holds no warning, and is good if there is no file: what ESLint says to the check holds both.
const results = [];
const { lintFiles } = ESLint.prototype;
ESLint.prototype.lintFiles = async function (files) {
	const found = await lintFiles.call(this, files);
	results.push(...found);
	return found;
};

const verdict = await analyzePackage(folder, patterns);
const findings = results.flatMap(({ filePath, messages }) =>
	messages.map(
		({ line, message, ruleId }) => `${relative(folder, filePath)}:${line} ${message} (${ruleId})`,
	),
);
if (findings.length === 0 && (!verdict.passed || results.length === 0)) {
	findings.push(verdict.details ?? verdict.message ?? 'No files found to analyze');
}

process.stdout.write(JSON.stringify(findings));
