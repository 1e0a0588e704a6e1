import { maskedJson } from '../nodes/WalletScreening/service/json';
import type { Send } from '../nodes/WalletScreening/service/client';
import { ScreeningError } from '../nodes/WalletScreening/service/errors';
import { isPlainName, type Shape, shapeOf } from './shape';

/** A request and its answer. */
export interface Exchange {
	step: string;
	method: string;
	/** The path with `{id}` in the place of IDs. */
	path: string;
	/** Undefined if there was no answer. */
	status: number | undefined;
	headers: Record<string, string | string[] | undefined>;
	/** Undefined if it is not JSON. No text of it holds a secret. */
	body: unknown;
	bytes: number;
}

/** The same without any value that may be somebody's data, for a file to be sent. */
export interface Redacted {
	step: string;
	request: string;
	status: number | 'no answer';
	headers: Record<string, string>;
	body: Shape;
}

export interface Recorder {
	send: Send;
	exchanges: Exchange[];
	/** The step that the next requests belong to. */
	step: string;
}

/** Sends, and keeps what came back. */
export function record(send: Send, secrets: string[]): Recorder {
	const recorder: Recorder = {
		step: '',
		exchanges: [],
		async send(request) {
			const answer = await send(request);
			const came = answer instanceof ScreeningError ? undefined : answer;
			recorder.exchanges.push({
				step: recorder.step,
				method: request.method,
				path: pathOf(request.url),
				status: came?.status,
				headers: came?.headers ?? {},
				body: came && jsonIn(came.body, secrets),
				bytes: came?.body.length ?? 0,
			});
			return answer;
		},
	};
	return recorder;
}

function pathOf(url: string): string {
	const [, path = ''] = /(\/v1\/.*)$/.exec(new URL(url).pathname) ?? [];
	return path.replace(/^(\/v1\/(?:reports|bulk)\/)[^/]+/, '$1{id}');
}

function jsonIn(body: Buffer, secrets: string[]): unknown {
	try {
		return maskedJson(body, secrets);
	} catch {
		return undefined;
	}
}

/** Values that say nothing of anybody: types and figures. */
const plainValue = /^(?:[\w.+-]+\/[\w.+-]+(?:; ?charset=[\w-]+)?|[\d.]{1,15})$/;
const shownHeaders = /^(?:content-type|retry-after|(?:x-)?rate-?limit.*)$/i;

export function redacted({ step, method, path, status, headers, body, bytes }: Exchange): Redacted {
	const names = Object.keys(headers).filter(isPlainName).sort();
	const shown = (name: string) => {
		const text = [headers[name] ?? []].flat().join(', ');
		return shownHeaders.test(name) && plainValue.test(text) ? text : '…';
	};
	return {
		step,
		request: `${method} ${path}`,
		status: status ?? 'no answer',
		headers: Object.fromEntries(names.map((name) => [name, shown(name)])),
		body: body === undefined ? (bytes === 0 ? 'empty' : 'not JSON') : shapeOf(body),
	};
}
