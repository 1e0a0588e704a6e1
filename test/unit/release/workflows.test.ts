import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Step {
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
}
interface Job {
	permissions?: Record<string, string>;
	uses?: string;
	needs?: string | string[];
	steps?: Step[];
}
interface Workflow {
	on: Record<string, { tags?: string[] } | null>;
	permissions: unknown;
	jobs: Record<string, Job>;
}

const folder = join(__dirname, '../../../.github/workflows');
const texts = readdirSync(folder).map(
	(name) => [name, readFileSync(join(folder, name), 'utf8')] as const,
);
const workflows = Object.fromEntries(texts.map(([name, text]) => [name, parse(text) as Workflow]));
const publish = workflows['publish.yml'] as Workflow;

describe.each(texts)('%s', (name, text) => {
	const { permissions, jobs } = workflows[name] as Workflow;
	const steps = Object.values(jobs).flatMap((job) => job.steps ?? []);

	it('names every action by its commit, and says which version that is', () => {
		const actions = text.match(/uses: .*/g)?.filter((line) => !line.includes('./')) ?? [];
		expect(actions).not.toEqual([]);
		for (const action of actions)
			expect(action).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
	});

	it('may do nothing that a job does not ask for', () => {
		expect(permissions).toEqual({});
		for (const job of Object.values(jobs)) expect(job.permissions).toBeDefined();
	});

	it('leaves no credentials in the checkout', () => {
		for (const step of steps.filter(({ uses = '' }) => uses.startsWith('actions/checkout@')))
			expect(step.with).toEqual({ 'persist-credentials': false });
	});

	it('puts nothing from outside into a script', () => {
		for (const { run = '' } of steps) expect(run).not.toContain('${{');
	});

	it('knows no stored secret', () => {
		expect(text).not.toMatch(/secrets\.|_TOKEN: (?!\$\{\{ github\.token \}\})/);
	});
});

describe('publish.yml', () => {
	it('is started by the tag of a version and by nothing else', () => {
		expect(publish.on).toEqual({ push: { tags: ['v[0-9]+.[0-9]+.[0-9]+'] } });
	});

	it('publishes what was linted, tested, built and verified, and says where it was made', () => {
		expect(publish.jobs.publish?.needs).toEqual(['test', 'compatibility']);
		expect(publish.jobs.test?.uses).toBe('./.github/workflows/ci.yml');
		const runs = publish.jobs.publish?.steps?.map(({ run = '' }) => run) ?? [];
		const order = ['npm run lint', 'npm run build', 'npm run verify', 'npm sbom', 'npm publish'];
		const places = order.map((command) => runs.findIndex((run) => run.startsWith(command)));
		expect(places).not.toContain(-1);
		expect(places).toEqual([...places].sort((a, b) => a - b));
		expect(runs.find((run) => run.startsWith('npm publish'))).toContain('--provenance');
	});

	it('publishes nothing whose README tells of other versions than those that were tried', () => {
		const runs = publish.jobs.compatibility?.steps?.map(({ run = '' }) => run) ?? [];
		expect(runs.slice(-2)).toEqual([
			'npm run test:compatibility',
			'git diff --exit-code README.md',
		]);
	});

	it('may sign only where it publishes, and write only where it releases', () => {
		expect(
			Object.entries(publish.jobs).map(([name, { permissions }]) => [name, permissions]),
		).toEqual([
			['test', { contents: 'read' }],
			['compatibility', { contents: 'read' }],
			['publish', { contents: 'read', 'id-token': 'write' }],
			['release', { contents: 'write' }],
		]);
	});
});
