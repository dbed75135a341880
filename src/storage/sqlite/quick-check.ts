/** Looks for damage in the database file as a whole: pages that cannot be read, and trees that do not hold together. */
import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { setPriority } from "node:os";
import type { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { isDamage, sqliteReason } from "./faults.ts";

/**
 * A start waits for the check of a file up to this size: two seconds on a disk that reads 128 MiB a second. SQLite cannot
 * be told to give up, so the time has to be known beforehand.
 */
export const CHECKED_AT_START_BYTES = 256 * 1024 * 1024;

/** Result of a check; `finding` is undefined when the file is sound. */
export interface CheckResult {
  finding: string | undefined;
}

/** Bytes that a check reads at most. */
export function bytesToCheck(path: string): number {
  const sizes = [path, `${path}-wal`].map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Checks the whole file. @returns the first thing that is wrong, in one line; undefined when nothing is */
export function findDamage(db: DatabaseSync): string | undefined {
  try {
    const found = String(db.prepare("pragma quick_check(1)").get()?.["quick_check"]);
    return found === "ok" ? undefined : found.replace(/^\*+ in database main \*+\n/, "").replaceAll("\n", "; ");
  } catch (error) {
    if (isDamage(error)) return sqliteReason(error);
    throw error;
  }
}

export interface BackgroundCheck {
  isRunning(): boolean;
  /** Ends it, finished or not. */
  stop(): Promise<void>;
}

/** Priority of the check: other users of the disk come first. */
const LOW_PRIORITY = 10;

/**
 * Checks the file in a process of its own: a thread would keep this one from ending until it is through.
 *
 * @param onEnd told what it came to, or why it came to nothing; not when it was stopped
 */
export function startCheck(path: string, onEnd: (outcome: CheckResult | Error) => void): BackgroundCheck {
  const ending = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const program = fileURLToPath(new URL(`./quick-check-process.${ending}`, import.meta.url));
  const child = spawn(process.execPath, [program, path], { stdio: ["ignore", "pipe", "ignore"] });
  child.unref();
  let answer = "";
  let running = true;
  let stopped = false;
  child.stdout.setEncoding("utf8").on("data", (text: string) => (answer += text));
  const ended = new Promise<void>((resolve) => {
    const end = (outcome: CheckResult | Error) => {
      if (!running) return;
      running = false;
      if (!stopped) onEnd(outcome);
      resolve();
    };
    child.once("error", end);
    child.once("close", (code, signal) => {
      end(code === 0 ? (JSON.parse(answer) as CheckResult) : new Error(`it ended with ${code ?? signal}`));
    });
  });
  try {
    if (child.pid !== undefined) setPriority(child.pid, LOW_PRIORITY);
  } catch {
    // It has ended already, or the system does not let us: it only takes more of the processor then.
  }
  return {
    isRunning: () => running,
    async stop() {
      if (!running) return;
      stopped = true;
      child.ref();
      child.kill("SIGKILL");
      await ended;
    },
  };
}
