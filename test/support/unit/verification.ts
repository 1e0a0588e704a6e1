import { requireWholeReport } from '../../../nodes/WalletScreening/description/inputReport';
import type { PdfToVerify } from '../../../nodes/WalletScreening/policy/remadeEvidence';
import { verifyEvidence } from '../../../nodes/WalletScreening/policy/verification';

/** Verifies an item as the operation does. */
export function verifyItem(
	item: Record<string, unknown>,
	{ reportField = 'report', pdf = 'notCompared' }: { reportField?: string; pdf?: PdfToVerify } = {},
) {
	return verifyEvidence(item, requireWholeReport(item, reportField), pdf);
}
