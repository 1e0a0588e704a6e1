/** Tests in a real n8n wait for what a busy machine may take long for, the first n8n ever installed on it among that. */
jest.setTimeout(20 * 60_000);
