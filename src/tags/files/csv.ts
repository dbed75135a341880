/**
 * CSV as RFC 4180 has it, of which the first line names the columns. Spreadsheets take text that begins with certain
 * characters for a formula: an apostrophe in front of it says that it is text, and is taken away again when it is read.
 */

/**
 * First characters of formulas in spreadsheets, some of them behind white space. The apostrophe itself is among them,
 * so a read of the file restores it.
 */
const GUARDED = /^[=+\-@\t\r']/;
const HAS_GUARD = /^'[=+\-@\t\r']/;
const QUOTED = /[",\r\n]/;

/** One line, with its end. */
export function csvLine(fields: readonly string[]): string {
  return `${fields.map(csvField).join(",")}\r\n`;
}

function csvField(text: string): string {
  const guarded = GUARDED.test(text) ? `'${text}` : text;
  return QUOTED.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** Why a line cannot be read. */
export class CsvFault {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

/**
 * The fields of a line.
 *
 * @param line without its end
 * @returns what is wrong with it, where something is
 */
export function readCsvLine(line: string): string[] | CsvFault {
  const fields: string[] = [];
  for (let at = 0; ;) {
    const isQuoted = line[at] === '"';
    const end = isQuoted ? endOfQuoted(line, at) : endOfBare(line, at);
    if (end === undefined) return new CsvFault("Missing closing quote");
    const text = isQuoted ? line.slice(at + 1, end - 1).replaceAll('""', '"') : line.slice(at, end);
    if (!isQuoted && text.includes('"')) return new CsvFault("An unquoted field contains a quote");
    fields.push(HAS_GUARD.test(text) ? text.slice(1) : text);
    if (end === line.length) return fields;
    if (line[end] !== ",") return new CsvFault("Text follows the closing quote of a field");
    at = end + 1;
  }
}

/** Behind the closing quote: two quotes stand for one. */
function endOfQuoted(line: string, start: number): number | undefined {
  for (let at = start + 1; ; at += 2) {
    at = line.indexOf('"', at);
    if (at === -1) return undefined;
    if (line[at + 1] !== '"') return at + 1;
  }
}

function endOfBare(line: string, start: number): number {
  const comma = line.indexOf(",", start);
  return comma === -1 ? line.length : comma;
}
