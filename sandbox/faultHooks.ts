import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FaultEffect, Faults } from './faults';

/** The number of pieces in which a dribbling body is sent. */
const pieces = 10;

async function* piecesOf(body: Buffer, ms: number) {
	const size = Math.ceil(body.length / pieces);
	for (let start = 0; start < body.length; start += size) {
		yield body.subarray(start, start + size);
		await pause(ms / pieces, undefined, { ref: false });
	}
}

/**
 * Applies faults to the requests. A request that a fault ends never reaches the hooks that are added
 * later.
 */
export function addFaultHooks(app: FastifyInstance, faults: Faults): void {
	app.addHook('preValidation', (request, reply, proceed) => {
		const effect = faults.take(request.record);
		if (effect) request.record.effect = effect;
		applyToRequest(effect, request, reply, proceed);
	});
	// Fastify calls this hook only for answers in JSON.
	app.addHook('preSerialization', async ({ record: { effect } }, _reply, body) =>
		effect?.kind === 'rewrite' ? effect.rewrite(body) : body,
	);
	app.addHook<string | Buffer>('onSend', async (request, reply, payload) =>
		applyToAnswer(request.record.effect, request, reply, payload),
	);
}

/** Ends or delays a request, if the effect is one of those; the others come with the answer. */
function applyToRequest(
	effect: FaultEffect | undefined,
	{ socket }: FastifyRequest,
	reply: FastifyReply,
	proceed: () => void,
): void {
	switch (effect?.kind) {
		case 'silence':
			reply.hijack();
			break;
		case 'reset':
			if (effect.at === 'beforeAnswer') return proceed();
			reply.hijack();
			socket.resetAndDestroy();
			break;
		case 'answer': {
			const body = Buffer.from(effect.body ?? '');
			reply.code(effect.status).headers({ ...effect.headers, 'content-length': body.length });
			// Fastify gives a content type to anything but a stream.
			reply.send(Readable.from([body]));
			break;
		}
		case 'delay':
			setTimeout(proceed, effect.ms).unref();
			break;
		default:
			proceed();
	}
}

/** Damages an answer, if the effect does so. @returns the body to send */
function applyToAnswer(
	effect: FaultEffect | undefined,
	{ socket }: FastifyRequest,
	reply: FastifyReply,
	payload: string | Buffer,
): string | Buffer | Readable {
	switch (effect?.kind) {
		case 'reset':
			socket.resetAndDestroy();
			return payload;
		case 'gateway':
			reply.code(effect.status).headers({ ...effect.headers, 'content-length': 0 });
			return '';
		case 'dribble': {
			const body = Buffer.from(payload);
			reply.header('content-length', body.length);
			return Readable.from(piecesOf(body, effect.ms));
		}
		case 'truncate': {
			const body = Buffer.from(payload);
			reply.header('content-length', body.length);
			reply.raw.once('finish', () => socket.destroy());
			return Readable.from([body.subarray(0, body.length / 2)]);
		}
		default:
			return payload;
	}
}
