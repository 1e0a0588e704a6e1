import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { lockPort, withLock } from '../../../tools/host/lock';

const name = `lock of a test ${process.pid}`;

it('lets one work under a name begin after the other has ended', async () => {
	const steps: string[] = [];
	const work = (step: string) => async () => {
		steps.push(`${step} begins`);
		await new Promise((resolve) => setTimeout(resolve, 50));
		steps.push(`${step} ends`);
	};
	await Promise.all([withLock(name, work('A')), withLock(name, work('A'))]);
	expect(steps).toEqual(['A begins', 'A ends', 'A begins', 'A ends']);
});

it('is free after the work, although a client stays connected', async () => {
	let client: Socket | undefined;
	const work = async () => {
		client = createConnection({ port: lockPort(name), host: '127.0.0.1', allowHalfOpen: true });
		await once(client, 'connect');
	};
	await expect(withLock(name, work)).resolves.toBeUndefined();
	client?.destroy();
}, 5000);
