/** Reading of files of audit records, line by line. */
import { createReadStream } from "node:fs";
import { errorCode } from "../../config/given.ts";
import { StartError } from "../../storage/start-error.ts";
import { type AuditHead, type AuditLine, parseLine } from "../line.ts";

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
      else if (isWhole && text !== "")
        throw new StartError(
          `line ${number} of ${path} is no audit record: it was changed, or the file is another one`,
        );
    }
  }
}

/**
 * The lines of a file. They end with a line feed and with nothing else: `node:readline` ends them at U+2028 too, which stands in
 * names.
 *
 * @throws StartError when it cannot be read
 */
export async function* textLines(path: string): AsyncGenerator<{ text: string; isWhole: boolean }> {
  let rest = "";
  try {
    for await (const part of createReadStream(path, { encoding: "utf8" })) {
      const lines = `${rest}${part as string}`.split("\n");
      rest = lines.pop() ?? "";
      for (const text of lines) yield { text, isWhole: true };
    }
  } catch (error) {
    throw new StartError(`${path} cannot be read (${errorCode(error)}); check the path and its permissions`);
  }
  if (rest !== "") yield { text: rest, isWhole: false };
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
