import { hash } from 'crypto';

/** SHA-256 of bytes, or of a text in UTF-8. */
export function sha256(content: string | Uint8Array): Buffer {
	return hash('sha256', content, 'buffer');
}

/** SHA-256 in hex. */
export function sha256Hex(content: string | Uint8Array): string {
	return sha256(content).toString('hex');
}
