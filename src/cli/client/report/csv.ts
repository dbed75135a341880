/** CSV that a spreadsheet shows as it is: no cell of it is ever taken for a formula. */

/** Beginnings of a cell that a spreadsheet takes for a formula; also behind spaces, and in full width. */
// oxlint-disable-next-line no-control-regex -- a NUL is skipped by some
const FORMULA = /^[\s\u0000]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/** A line of RFC 4180. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/** A cell; what would be a formula gets an apostrophe in front, as OWASP advises. */
export function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n\u0085\u2028\u2029]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}
