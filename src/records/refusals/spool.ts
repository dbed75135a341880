/**
 * Stores denied requests that a server could not write when it stopped: its storage was unreachable, or moved
 * elsewhere. They are in the data directory until the next start, which writes them to the audit log. Several servers
 * may start there at the same time: the name of a file shows its owner.
 */
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createPrivateFile, hasCode } from "../../storage/files.ts";
import type { Gathered } from "./refusal.ts";

/** A file, and one that a process of this ID has taken. */
const NAME = /^refused-[\da-f-]{36}\.json(?:\.(\d+))?$/;

/** Denied requests that a stop left. */
export interface Spooled {
  path: string;
  gathered: Gathered[];
}

/** Keeps it, durably, for who alone may read the data directory. @returns where @throws what the file system does */
export function keepRefusals(directory: string, gathered: readonly Gathered[]): string {
  const path = join(directory, `refused-${randomUUID()}.json`);
  createPrivateFile(path, JSON.stringify(gathered));
  return path;
}

/**
 * Takes what stops have left, each file once, also of a process that ended before it was done with it.
 *
 * @param onBroken told of a file that cannot be read, which stays
 */
export function takeRefusals(directory: string, onBroken: (path: string, error: unknown) => void): Spooled[] {
  const found: Spooled[] = [];
  for (const name of readdirSync(directory)) {
    const [match, holder] = NAME.exec(name) ?? [];
    if (match === undefined || (holder !== undefined && isAlive(Number(holder)))) continue;
    const path = join(directory, name);
    try {
      const own = join(directory, `${name.replace(/\.\d+$/, "")}.${process.pid}`);
      renameSync(path, own);
      found.push({ path: own, gathered: JSON.parse(readFileSync(own, "utf8")) as Gathered[] });
    } catch (error) {
      // Another was faster.
      if (!hasCode(error, "ENOENT")) onBroken(path, error);
    }
  }
  return found;
}

/** All of it is on record. */
export function forgetRefusals({ path }: Spooled): void {
  rmSync(path, { force: true });
}

/** A number that another process has now, on a machine that was started anew, keeps a file until that one ends. */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}
