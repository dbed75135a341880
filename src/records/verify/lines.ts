/** Reading of files of audit records, line by line. */
import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { errorCode } from "../../config/given.ts";
import { StartError } from "../../storage/start-error.ts";
import { type AuditHead, type AuditLine, parseLine } from "../line.ts";

/** No record is as long: a request may hold a few MiB, and its record what was before and is now. */
const LONGEST_LINE_BYTES = 16 * 1024 * 1024;
const NEWLINE = 10;
/** How every line begins: only what begins so is taken for a line that was cut. */
const BEGINNING = '{"type":"';

/**
 * The lines of files, one after the other. A last line without an end, which a server that writes or was killed has left, is
 * no line yet.
 *
 * @throws StartError when a file cannot be read, or holds something else
 */
export async function* linesOf(paths: readonly string[]): AsyncGenerator<AuditLine> {
  for (const path of paths) {
    let number = 0;
    for await (const { text, isWhole } of textLines(path)) {
      number += 1;
      const line = parseLine(text);
      if (line !== undefined) yield line;
      else if (isWhole ? text !== "" : !BEGINNING.startsWith(text.slice(0, BEGINNING.length)))
        throw new StartError(
          `line ${number} of ${path} is not an audit record: it was modified, or the file is not an audit file`,
        );
    }
  }
}

/**
 * The lines of a file. They end with a line feed and with nothing else: `node:readline` ends them at U+2028 too, which stands in
 * names.
 *
 * @throws StartError when it cannot be read, holds what is no UTF-8, or a line that is longer than a record can be
 */
export async function* textLines(path: string): AsyncGenerator<{ text: string; isWhole: boolean }> {
  let begun: Buffer[] = [];
  let length = 0;
  const add = (bytes: Buffer): void => {
    begun.push(bytes);
    length += bytes.length;
    if (length > LONGEST_LINE_BYTES)
      throw new StartError(
        `${path} has a line of more than ${LONGEST_LINE_BYTES} bytes; it is not a file of audit records`,
      );
  };
  // Put together only where it ends: a line comes in many parts.
  const take = (): string => {
    const bytes = Buffer.concat(begun);
    [begun, length] = [[], 0];
    return textOf(bytes, path);
  };
  for await (const part of partsOf(path)) {
    let from = 0;
    for (let end = part.indexOf(NEWLINE); end !== -1; end = part.indexOf(NEWLINE, from)) {
      add(part.subarray(from, end));
      from = end + 1;
      yield { text: take(), isWhole: true };
    }
    add(part.subarray(from));
  }
  if (length === 0) return;
  const rest = Buffer.concat(begun);
  // A line that was cut may end within a character.
  yield { text: rest.toString(), isWhole: false };
}

async function* partsOf(path: string): AsyncGenerator<Buffer> {
  try {
    for await (const part of createReadStream(path)) yield part as Buffer;
  } catch (error) {
    throw new StartError(`cannot read ${path} (${errorCode(error)}). Check the path and its permissions`);
  }
}

/** Other bytes would be read as a replacement character, for which they could be put. */
function textOf(bytes: Buffer, path: string): string {
  if (!isUtf8(bytes))
    throw new StartError(`${path} is not a text file: it was modified, or the file is not an audit file`);
  return bytes.toString();
}

/** The newest head of each chain that files hold, among whatever else. @throws StartError */
export async function readHeads(paths: readonly string[]): Promise<Map<string, AuditHead>> {
  const heads = new Map<string, AuditHead>();
  for await (const line of linesOf(paths)) {
    if (line.type === "head" && line.head.seq > (heads.get(line.head.chain)?.seq ?? 0)) {
      heads.set(line.head.chain, line.head);
    }
  }
  return heads;
}
