/** The words of what n8n or a fault of this package threw, which may be anything. */
export function saidBy(thrown: unknown): string {
	return (thrown as Error | undefined)?.message ?? String(thrown);
}
