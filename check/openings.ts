/**
 * What the specification leaves open, in the order and the words of docs/what-is-not-specified.md: a test holds the page
 * against this list. `later` says how an opening that no request shows can be closed.
 */
export const openings = {
	levels: { section: 'Reports', open: 'Levels other than `green`' },
	score: { section: 'Reports', open: 'Range of the score, and the rule from score to level' },
	categories: { section: 'Reports', open: 'Ranges of the categories' },
	furtherFields: { section: 'Reports', open: 'Further fields and categories' },
	missingFields: { section: 'Reports', open: 'Which fields may be missing' },
	reportBody: { section: 'Reports', open: 'Body of _Get report_' },
	addressEcho: { section: 'Reports', open: 'How an address is echoed' },
	chains: { section: 'Reports', open: 'Names of chains' },
	pdf: { section: 'Reports', open: 'Type and headers of the PDF' },
	jobHandle: { section: 'Bulk jobs', open: 'The job handle' },
	states: { section: 'Bulk jobs', open: 'The states' },
	unknownState: { section: 'Bulk jobs', open: 'A state that nobody knows' },
	results: { section: 'Bulk jobs', open: 'The results' },
	noReport: { section: 'Bulk jobs', open: 'An entry that is not a report' },
	several: { section: 'Bulk jobs', open: 'Several results for one address' },
	duration: { section: 'Bulk jobs', open: 'How long a job takes' },
	repeatedSubmit: {
		section: 'Bulk jobs',
		open: 'Whether a repeated submit is billed',
		later: 'Ask the vendor: to try it costs money.',
	},
	signed: { section: 'Webhook', open: "What is signed, and the header's name", later: 'webhook' },
	digest: { section: 'Webhook', open: 'How the digest is written', later: 'webhook' },
	time: { section: 'Webhook', open: 'How the time of signing is written', later: 'webhook' },
	webhookBody: { section: 'Webhook', open: 'The body', later: 'webhook' },
	registered: { section: 'Webhook', open: 'How the URL is registered', later: 'Ask the vendor.' },
	repeated: {
		section: 'Webhook',
		open: 'Whether deliveries are repeated',
		later: 'Ask the vendor.',
	},
	errorBody: { section: 'Errors, limits and keys', open: 'Body of error answers' },
	unknownId: { section: 'Errors, limits and keys', open: 'Status for an unknown report or job' },
	statuses: { section: 'Errors, limits and keys', open: 'Other 2xx and 3xx' },
	window: {
		section: 'Errors, limits and keys',
		open: 'Length of the burst window',
		later: 'Ask the vendor: to try it takes hundreds of requests.',
	},
	quota: { section: 'Errors, limits and keys', open: 'Headers that tell what is left of a limit' },
	otherPlans: {
		section: 'Errors, limits and keys',
		open: 'Limits of other plans',
		later: 'Ask the vendor.',
	},
	keys: { section: 'Errors, limits and keys', open: 'Form and lifetime of keys, names of scopes' },
	deprecation: {
		section: 'Errors, limits and keys',
		open: 'Deprecation between versions',
		later: 'Ask the vendor.',
	},
} satisfies Record<string, { section: string; open: string; later?: string }>;

export type OpeningId = keyof typeof openings;
