/** Reads a file of tags as it arrives, record by record, and goes on behind what is wrong with it. */
import type { FileFormat } from "./records.ts";
import { AppError } from "../../errors.ts";
import { LineCutter, type FileLine } from "./lines.ts";
import { CsvReader, type CsvEntry } from "./read-csv.ts";
import { readJsonLine } from "./read-json.ts";

/** More than any export has. */
export const MAX_LINES = 5_000_000;

/** One file. */
export class FileReader {
  private readonly cutter: LineCutter;
  private readonly csv: CsvReader | undefined;
  private isOver = false;

  constructor(format: FileFormat) {
    this.cutter = new LineCutter({ quotes: format === "csv" });
    this.csv = format === "csv" ? new CsvReader() : undefined;
  }

  *push(bytes: Buffer): Generator<CsvEntry> {
    if (this.isOver) return;
    for (const line of this.cutter.push(bytes)) yield* this.read(line);
  }

  *end(): Generator<CsvEntry> {
    if (this.isOver) return;
    for (const line of this.cutter.end()) yield* this.read(line);
    if (this.csv !== undefined && !this.isOver) yield* this.csv.end();
  }

  private *read({ number, text, fault }: FileLine): Generator<CsvEntry> {
    if (this.isOver) return;
    if (number > MAX_LINES) {
      this.isOver = true;
      yield { line: number, fault: `The file has more than ${MAX_LINES} lines` };
      return;
    }
    if (fault === "" && text.trim() === "") return;
    try {
      if (fault !== "") yield { line: number, fault };
      else if (this.csv === undefined) yield { line: number, record: readJsonLine(text) };
      else yield* this.csv.read(number, text);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      yield { line: number, fault: error.message };
    }
    // Without its columns nothing of a file can be read.
    this.isOver = this.csv?.isLost === true;
  }
}
