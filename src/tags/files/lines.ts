/** Cuts a file into lines as it arrives. Only the start of one line is kept, and its size is limited. */

/** A line that may be read, or says why not. */
export interface FileLine {
  /** Counted from 1; where it begins, if it goes over several. */
  number: number;
  /** Without its end. */
  text: string;
  /** Why it cannot be read; empty for none. */
  fault: string;
}

/** Longer than the longest record: a workspace with a thousand long names of tags. */
export const MAX_LINE_BYTES = 512 * 1024;

const [NEWLINE, QUOTE] = Buffer.from('\n"');
const BOM = "\u{FEFF}";
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Cuts bytes into lines. A line ends at a line feed; in CSV, at one that is not within quotes. */
export class LineCutter {
  private readonly minds: boolean;
  private kept: Buffer[] = [];
  private keptBytes = 0;
  private isTooLong = false;
  private isQuoted = false;
  /** Lines that have begun, and the one that the kept bytes begin with. */
  private begun = 1;
  private first = 1;

  /** @param minds whether quotes are minded */
  constructor({ quotes }: { quotes: boolean }) {
    this.minds = quotes;
  }

  /** The lines that end with these bytes. */
  *push(bytes: Buffer): Generator<FileLine> {
    let start = 0;
    for (let end = this.endIn(bytes, 0); end !== -1; end = this.endIn(bytes, start)) {
      this.begun += 1;
      // A file may have as many empty lines as it has bytes.
      if (end === start && this.keptBytes === 0) this.first = this.begun;
      else {
        this.keep(bytes.subarray(start, end));
        yield this.take();
      }
      start = end + 1;
    }
    this.keep(bytes.subarray(start));
  }

  /** Yields the text behind the last line feed. */
  *end(): Generator<FileLine> {
    if (this.isQuoted) yield { number: this.first, text: "", fault: "Missing closing quote" };
    else if (this.keptBytes > 0 || this.isTooLong) yield this.take();
  }

  private endIn(bytes: Buffer, from: number): number {
    if (!this.minds) return bytes.indexOf(NEWLINE ?? 0, from);
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) this.isQuoted = !this.isQuoted;
      else if (byte !== NEWLINE) continue;
      else if (this.isQuoted && !this.isTooLong) this.begun += 1;
      else return at;
    }
    return -1;
  }

  private keep(bytes: Buffer): void {
    this.keptBytes += bytes.length;
    if (this.keptBytes > MAX_LINE_BYTES) this.drop();
    // A copy: what was received lies in memory that is used again, or is far larger.
    else if (bytes.length > 0) this.kept.push(Buffer.from(bytes));
  }

  /** From here on lines end as if nothing were quoted, which the quote that was never closed had hidden. */
  private drop(): void {
    this.kept = [];
    this.isTooLong = true;
    this.isQuoted = false;
  }

  private take(): FileLine {
    const line = this.isTooLong
      ? { text: "", fault: `The line is longer than ${MAX_LINE_BYTES} bytes` }
      : this.decode();
    const number = this.first;
    this.first = this.begun;
    this.kept = [];
    this.keptBytes = 0;
    if (this.isTooLong) this.isQuoted = false;
    this.isTooLong = false;
    return { number, ...line };
  }

  private decode(): { text: string; fault: string } {
    let text: string;
    try {
      text = decoder.decode(Buffer.concat(this.kept));
    } catch {
      return { text: "", fault: "The line is not valid UTF-8" };
    }
    if (this.first === 1 && text.startsWith(BOM)) text = text.slice(BOM.length);
    if (text.endsWith("\r")) text = text.slice(0, -1);
    return { text, fault: text.includes("\0") ? "The line contains a NUL character" : "" };
  }
}
