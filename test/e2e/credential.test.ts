import { type CredentialTestResult, type N8n, startFreshInstance } from '../../host/instance';
import type { FaultEffect } from '../../sandbox/faults';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { patience, serviceCredential } from './workflow';

describe('the credential test in a real n8n', () => {
	let n8n: N8n;
	let sandbox: Sandbox;
	let refusedUrl: string;

	beforeAll(async () => {
		sandbox = await startSandbox();
		const stoppedSandbox = await startSandbox();
		refusedUrl = stoppedSandbox.baseUrl;
		await stoppedSandbox.close();
		n8n = await startFreshInstance('e2e-credential');
	}, patience);

	afterAll(async () => {
		await n8n?.stop();
		await sandbox?.close();
	});

	async function resultOf(
		apiKey: string,
		baseUrl: string,
		effect?: FaultEffect,
	): Promise<CredentialTestResult> {
		const remove = effect && sandbox.addFault({ effect });
		try {
			return await n8n.testCredential(await n8n.saveCredential(serviceCredential(apiKey, baseUrl)));
		} finally {
			remove?.();
		}
	}

	test('accepts both kinds of key', async () => {
		const { readOnly, readWrite } = sandbox.keys;
		for (const key of [readOnly, readWrite]) {
			expect(await resultOf(key, sandbox.baseUrl)).toMatchObject({ status: 'OK' });
		}
	});

	test('says different things for different troubles, and makes no POST request', async () => {
		const { readWrite } = sandbox.keys;
		const { baseUrl } = sandbox;
		const troubles = {
			invalidKey: await resultOf('key-that-nobody-issued', baseUrl),
			wrongAddress: await resultOf(readWrite, refusedUrl),
			serviceDown: await resultOf(readWrite, baseUrl, { kind: 'answer', status: 503 }),
			notAllowed: await resultOf(readWrite, baseUrl, { kind: 'answer', status: 403 }),
			rateLimited: await resultOf(readWrite, baseUrl, { kind: 'answer', status: 429 }),
		};

		expect(troubles).toMatchObject({
			invalidKey: { status: 'Error', message: expect.stringMatching(/key/i) },
			wrongAddress: { status: 'Error', message: expect.stringMatching(/refused|reach/i) },
			serviceDown: { status: 'Error', message: expect.stringMatching(/503/) },
			notAllowed: { status: 'Error', message: expect.stringMatching(/IP address/) },
			rateLimited: { status: 'Error', message: expect.stringMatching(/rate/i) },
		});
		expect(new Set(Object.values(troubles).map(({ message }) => message)).size).toBe(5);

		expect(sandbox.requests.map(({ status }) => status)).toEqual(
			expect.arrayContaining([401, 403, 429, 503]),
		);
		expect(new Set(sandbox.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
	});
});
