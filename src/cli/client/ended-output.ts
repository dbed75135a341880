/** The end of a command whose results can go nowhere. */
import { writeSync } from "node:fs";
import process from "node:process";
import { EXIT } from "./exit.ts";

/**
 * From now on the process ends when standard output takes nothing more: without a word where its reader has gone (`| head`), and in one
 * line where a disk is full. Whoever listens to it as well, such as a backup, decides for itself.
 */
export function endWithOutput(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (process.stdout.listenerCount("error") > 1) return;
    // Nobody reads on, so there is nothing to finish.
    if (error.code === "EPIPE") process.exit();
    sayLast(`tessera: ${error.code === "ENOSPC" ? "no space left on device" : error.message}\n`);
    process.exit(EXIT.failed);
  });
  // A caller that does not read stderr still gets the exit code.
  process.stderr.on("error", () => undefined);
}

/** At once: nothing is written any more when the process has ended. */
function sayLast(text: string): void {
  try {
    writeSync(2, text);
  } catch {
    // The exit code says it.
  }
}
