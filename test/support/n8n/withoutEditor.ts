/**
 * Environment variables of an n8n that does not serve its editor. It starts in two thirds of the
 * time. Its REST interface, webhooks and forms are there.
 */
export const withoutEditor = { N8N_DISABLE_UI: 'true' };
