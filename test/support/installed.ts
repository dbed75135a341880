import { existsSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "vitest";

/**
 * Skips a test where something is not installed, and prints what; in CI, where all is installed, the test fails.
 *
 * @param missing what is missing and how to install it; undefined when nothing is
 */
export function skipWithout({ skip }: TestContext, missing: string | undefined): void {
  if (missing === undefined) return;
  if (process.env["CI"] !== undefined) throw new Error(missing);
  process.stderr.write(`skipped: ${missing}\n`);
  skip(missing);
}

/** @returns how to get a shell that is not there, for `skipWithout` */
export function missingShell(shell: string): string | undefined {
  const isThere = (process.env["PATH"] ?? "").split(":").some((folder) => existsSync(join(folder, shell)));
  return isThere ? undefined : `no ${shell} is installed here; apt-get install ${shell}`;
}
