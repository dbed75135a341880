import { createHash, type Hash } from "node:crypto";
import type { BackedUpTable, Header, Trailer } from "./format.ts";
import { changed, cut, readFrames, type Frame } from "./frames.ts";
import { asHeader, asTrailer } from "./shapes.ts";

/** A piece of a table: its rows as JSON arrays, each in a line. */
export interface Rows {
  table: BackedUpTable;
  lines: string;
}

export interface OpenedBackup {
  header: Header;
  /**
   * Gives all rows in their order, and compares at the end what came with what the trailer says.
   *
   * @throws BackupRefused where the file is not what was written; what was given before is then worth nothing
   */
  rows(): AsyncGenerator<Rows, Trailer>;
}

/**
 * Reads the beginning of a backup.
 *
 * @param name of the file, for what is said
 * @throws BackupRefused when it is none, or of a format, or with migrations, tables or columns, that this version does not know
 */
export async function openBackup(bytes: AsyncIterable<Buffer>, name: string): Promise<OpenedBackup> {
  const frames = readFrames(bytes, name);
  const { value: first, done } = await frames.next();
  if (done === true) throw cut(name);
  if (first.kind !== "header") throw changed(name);
  const header = asHeader(parse(first, name), name);
  return { header, rows: () => readRows(frames, header, name) };
}

async function* readRows(frames: AsyncGenerator<Frame>, header: Header, name: string): AsyncGenerator<Rows, Trailer> {
  const sums = new Map(header.tables.map((table) => [table.name, { table, rows: 0, hash: createHash("sha256") }]));
  let count = 0;
  let trailer: Trailer | undefined;
  for await (const frame of frames) {
    if (trailer !== undefined || frame.kind === "header") throw changed(name);
    if (frame.kind === "trailer") {
      trailer = asTrailer(parse(frame, name), name);
      continue;
    }
    const end = frame.content.indexOf("\n");
    const sum = sums.get(frame.content.slice(0, end));
    if (sum === undefined) throw changed(name);
    const lines = frame.content.slice(end + 1);
    sum.hash.update(lines);
    sum.rows += countLines(lines);
    count += 1;
    yield { table: sum.table, lines };
  }
  if (trailer === undefined) throw cut(name);
  if (trailer.frames !== count || [...sums].some(([table, sum]) => !isSame(sum, trailer.tables[table]))) {
    throw changed(name);
  }
  return trailer;
}

function isSame({ rows, hash }: { rows: number; hash: Hash }, wanted: Trailer["tables"][string] | undefined): boolean {
  return wanted !== undefined && wanted.rows === rows && wanted.sha256 === hash.digest("hex");
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

function parse({ content }: Frame, name: string): unknown {
  try {
    return JSON.parse(content) as unknown;
  } catch {
    throw changed(name);
  }
}

/** Reads all of a backup and compares it with itself. @throws BackupRefused */
export async function verifyBackup(
  bytes: AsyncIterable<Buffer>,
  name: string,
): Promise<{ header: Header; trailer: Trailer }> {
  const { header, rows } = await openBackup(bytes, name);
  const reading = rows();
  for (;;) {
    const { value, done } = await reading.next();
    if (done === true) return { header, trailer: value };
  }
}
