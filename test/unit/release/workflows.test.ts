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

	it('leaves no credentials in the checkout, and puts nothing from outside into a script', () => {
		for (const step of steps.filter(({ uses = '' }) => uses.startsWith('actions/checkout@')))
			expect(step.with).toEqual({ 'persist-credentials': false });
		for (const { run = '' } of steps) expect(run).not.toContain('${{');
		// Nor is there any stored secret.
		expect(text).not.toMatch(/secrets\.|_TOKEN: (?!\$\{\{ github\.token \}\})/);
	});
});

describe('publish.yml', () => {
	const { jobs } = workflows['publish.yml'] as Workflow;
	const runsOf = (job: string) => jobs[job]?.steps?.map(({ run = '' }) => run).join('\n') ?? '';

	it('runs nothing of the project or its packages where it may publish', () => {
		const { steps = [] } = jobs.publish ?? {};
		expect(steps.filter(({ uses = '' }) => uses.startsWith('actions/checkout@'))).toEqual([]);
		expect(runsOf('publish').trim().split('\n')).toHaveLength(1);
		expect(runsOf('publish')).toContain('--ignore-scripts');
	});
});
