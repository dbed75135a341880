/** Counts which statuses of which operations were answered, for the list that the differential suite is held against. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";

/** Names the directory to which each process adds what it saw; nothing is kept where it is not set. */
export const SEEN_VARIABLE = "TESSERA_TEST_SEEN";

const seen = new Set<string>();

/** Notes an answer. @param operationId undefined for what no operation took */
export function noteSeen(operationId: string | undefined, status: number): void {
  if (operationId !== undefined && process.env[SEEN_VARIABLE] !== undefined) seen.add(`${operationId} ${status}`);
}

/** Adds what this process saw since the last call to its file. */
export function writeSeen(): void {
  const directory = process.env[SEEN_VARIABLE];
  if (directory === undefined || seen.size === 0) return;
  appendFileSync(join(directory, `seen-${process.pid}.txt`), [...seen, ""].join("\n"));
  seen.clear();
}
