/**
 * The name and version of this package, as evidence names it; a test holds it against package.json.
 */
export const packageVersion = 'n8n-nodes-wallet-screening@0.1.0';
