import { table, where } from './dataTable';

/** Calls `work` while the newest policy cannot be read. */
export async function withBrokenPolicy(work: () => Promise<void>): Promise<void> {
	const policies = table('Screening Policies');
	const broken = { name: 'Broken', version: '9', policy: '{ "rules": [', changed_by: 'Ada' };
	await policies.insert(broken);
	try {
		await work();
	} finally {
		await policies.setAll({ policy: null }, where('name', broken.name));
	}
}
