import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { FaultEffect } from './faults';
import type { Answer } from './service';

const dribbles = 10;

function rewritten(answer: Answer, rewrite: (body: any) => unknown): Answer {
	const isJson = answer.headers['content-type']?.startsWith('application/json');
	return isJson
		? { ...answer, body: JSON.stringify(rewrite(JSON.parse(String(answer.body)))) }
		: answer;
}

async function dribble(response: ServerResponse, body: Buffer, ms: number): Promise<void> {
	const size = Math.ceil(body.length / dribbles);
	for (let start = 0; start < body.length && !response.destroyed; start += size) {
		response.write(body.subarray(start, start + size));
		await pause(ms / dribbles, undefined, { ref: false });
	}
	response.end();
}

/** Sends an answer, spoiled by the effect where there is one. */
export async function transmit(
	response: ServerResponse,
	answer: Answer,
	effect: FaultEffect | undefined,
): Promise<void> {
	const { status, headers, body } =
		effect?.kind === 'rewrite' ? rewritten(answer, effect.rewrite) : answer;
	const bytes = Buffer.from(body);
	response.writeHead(status, { ...headers, 'content-length': bytes.length });
	if (effect?.kind === 'truncate') {
		response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
	} else if (effect?.kind === 'dribble') {
		await dribble(response, bytes, effect.ms);
	} else {
		response.end(bytes);
	}
}
