/**
 * A test in a real n8n may take long on a busy machine, and the first one waits until n8n is
 * installed.
 */
jest.setTimeout(20 * 60_000);
