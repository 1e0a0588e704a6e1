import { networkFault } from '../../../nodes/WalletScreening/client/networkFaults';
import { ScreeningError } from '../../../nodes/WalletScreening/shared/errors';
import type { FaultCode } from '../../../nodes/WalletScreening/shared/faultCode';

const timeoutSeconds = 30;

/** Returns the error with which `send` rejects after a fault of the connection. */
export const networkFaultOf = (code: FaultCode): ScreeningError =>
	networkFault(code, timeoutSeconds);

/** Returns the `ScreeningError` that `work` throws or rejects with. */
export async function errorOf(work: () => unknown): Promise<ScreeningError> {
	try {
		await work();
	} catch (error) {
		if (error instanceof ScreeningError) return error;
		throw error;
	}
	throw new Error('It was expected to throw');
}
