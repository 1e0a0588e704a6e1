/**
 * Environment variables of an n8n that does not serve its editor. It starts in two thirds of the
 * time. Its REST interface, webhooks and forms are there.
 */
export const withoutEditor = { N8N_DISABLE_UI: 'true' };

/**
 * An n8n with these variables evaluates expressions in its own process. By default it starts an
 * isolate for each execution, which takes as long as the rest of a small workflow. To run such
 * tests as n8n is set up by default, start them with N8N_EXPRESSION_ENGINE=vm.
 */
export const quickExpressions = {
	N8N_EXPRESSION_ENGINE: process.env.N8N_EXPRESSION_ENGINE ?? 'legacy',
};
