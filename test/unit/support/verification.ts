import { requireWholeReport } from '../../../nodes/WalletScreening/description/inputReport';
import { verifyEvidence } from '../../../nodes/WalletScreening/policy/verification';

/** Verifies an item as the operation does. Null stands for a PDF that the item lacks. */
export function verifyItem(
	item: Record<string, unknown>,
	{ reportField, pdf }: { reportField?: string; pdf?: Uint8Array | null } = {},
) {
	return verifyEvidence(item, requireWholeReport(item, reportField), pdf);
}
