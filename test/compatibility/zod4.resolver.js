// Resolves `zod` to zod 4 in the code that is published, and nowhere else: n8n itself brings zod 3.
const { join, sep } = require('node:path');

const published = ['nodes', 'credentials'].map((name) => join(__dirname, '../..', name) + sep);
const isPublished = (folder) => published.some((start) => (folder + sep).startsWith(start));

module.exports = (request, { defaultResolver, ...options }) =>
	defaultResolver(request === 'zod' && isPublished(options.basedir) ? 'zod4' : request, options);
