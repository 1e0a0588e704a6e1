/** Names in small letters, as Node gives them. */
export type Headers = Record<string, string | string[] | undefined>;

/** What came back over the wire, whatever its status. */
export interface Answer {
	status: number;
	headers: Headers;
	body: Buffer;
}

/** What stands in the place of an answer. */
export interface Fault {
	/** The network's own code, e.g. `ECONNRESET`; undefined if the network is not what failed. */
	networkCode: string | undefined;
}

export function isAnswer(result: Answer | Fault): result is Answer {
	return 'status' in result;
}

export function isSuccess(result: Answer | Fault): boolean {
	return isAnswer(result) && result.status >= 200 && result.status < 300;
}

/** The first value of a header; empty if the answer lacks it. */
export function firstHeaderValue(header: string | string[] | undefined): string {
	return (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
}
