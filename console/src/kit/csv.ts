/** Files for spreadsheets, and their download. */

/** Start of text that a spreadsheet treats as a formula; also after spaces, and in full width. */
// oxlint-disable-next-line no-control-regex -- a NUL is skipped by some
const FORMULA = /^[\s\u0000]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/** Returns a line of RFC 4180. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/** A cell; what would be a formula gets an apostrophe in front. */
function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n\u0085\u2028\u2029]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Starts the download of a file in the browser. */
export function download(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
