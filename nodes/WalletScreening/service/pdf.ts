const magic = Buffer.from('%PDF-');
const end = Buffer.from('%%EOF');
/** The white space of PDF. */
const blanks = Buffer.from('\0\t\n\f\r ');

/** Whether the bytes begin as those of a PDF. */
export function beginsAsPdf(body: Buffer): boolean {
	return body.subarray(0, magic.length).equals(magic);
}

/** Whether the bytes end as those of a PDF, apart from blanks: one that was cut does not. */
export function endsAsPdf(body: Buffer): boolean {
	let { length } = body;
	while (length > 0 && blanks.includes(body[length - 1]!)) length--;
	return body.subarray(0, length).subarray(-end.length).equals(end);
}
