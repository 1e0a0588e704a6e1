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

/** RFC 9110, section 15.3.7: the service sent a part of what was asked for. */
export const partialContent = 206;

export function isSuccess(result: Answer | Fault): boolean {
	return isAnswer(result) && result.status >= 200 && result.status < 300;
}

/** The first value of a header; empty if the answer lacks it. */
export function firstHeaderValue(header: string | string[] | undefined): string {
	return (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
}
