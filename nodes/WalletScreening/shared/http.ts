/** Names in small letters, as Node gives them. */
export type Headers = Record<string, string | string[] | undefined>;

/** What came back over the wire, whatever its status. */
export interface Answer {
	status: number;
	headers: Headers;
	body: Buffer;
}

export function isSuccess({ status }: Answer): boolean {
	return status >= 200 && status < 300;
}

/** The first value of a header; empty if the answer lacks it. */
export function firstHeaderValue(header: string | string[] | undefined): string {
	return (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
}
