import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Faults } from './faults';

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
 * Applies faults to the requests: `preValidation` ends or delays a request, `preSerialization`
 * rewrites the body of its answer, and `onSend` damages the answer. A request that a fault ends
 * never reaches the hooks that are added later.
 */
export function addFaultHooks(app: FastifyInstance, faults: Faults): void {
	app.addHook('preValidation', (request, reply, proceed) => {
		const effect = faults.take(request.record);
		if (effect) request.record.effect = effect;
		switch (effect?.kind) {
			case 'silence':
				reply.hijack();
				break;
			case 'reset':
				if (effect.at === 'beforeAnswer') return proceed();
				reply.hijack();
				request.socket.resetAndDestroy();
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
				// There is no fault, or it damages the answer.
				proceed();
		}
	});

	// Fastify calls this hook only for answers in JSON.
	app.addHook('preSerialization', async ({ record: { effect } }, _reply, body) =>
		effect?.kind === 'rewrite' ? effect.rewrite(body) : body,
	);

	app.addHook<string | Buffer>('onSend', async ({ record, socket }, reply, payload) => {
		const { effect } = record;
		if (effect?.kind === 'reset') socket.resetAndDestroy();
		if (effect?.kind === 'gateway') {
			reply.code(effect.status).headers({ ...effect.headers, 'content-length': 0 });
			return '';
		}
		if (effect?.kind !== 'truncate' && effect?.kind !== 'dribble') return payload;
		const body = Buffer.from(payload);
		reply.header('content-length', body.length);
		if (effect.kind === 'dribble') return Readable.from(piecesOf(body, effect.ms));
		reply.raw.once('finish', () => socket.destroy());
		return Readable.from([body.subarray(0, body.length / 2)]);
	});
}
