// Prints as JSON what n8n's check for community packages finds in a folder. A process of its own, because the check
// and its ESLint live in another node_modules than the project.
import { relative } from 'node:path';

const [modules, folder, leg] = process.argv.slice(2);
const { analyzePackage, buildScanConfig, SOURCE_FILE_PATTERNS } = await import(
	new URL('@n8n/scan-community-package/scanner/scanner.mjs', modules)
);
const {
	default: { ESLint },
} = await import(new URL('eslint/lib/api.js', modules));

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
