import { stage } from './stage';

/**
 * Lists the addresses that the service was asked to screen, one by one or in bulk jobs, in the
 * order of the requests.
 */
export const screenedAddresses = (requests = stage.sandbox.requests): string[] =>
	requests.flatMap(({ path, body }) => {
		if (path === '/v1/screen') return [(body as { address: string }).address];
		return path === '/v1/bulk' ? (body as { addresses: string[] }).addresses : [];
	});
