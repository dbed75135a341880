/**
 * Tells a failure apart from a busy machine. A test that waited in vain (a time-out, a refused connection, a start that
 * failed) may be the machine's fault, and is tried again; an expectation that was false never is.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isIn } from "../support/projects.ts";
import type { Failure } from "./report.ts";

/** Whole files that are tried again in one run. */
export const MOST_AGAIN = 3;

/** Words of what a busy machine does to a test. */
const WAITED =
  /(?:Test|Hook) timed out in|Timeout \d+ms exceeded|\bECONNREFUSED\b|\bETIMEDOUT\b|did not start|no address|the server did not/i;
/** Words of an expectation. */
const EXPECTED = /AssertionError|\bexpected\b[^\n]*\bto\b|expect\(|toEqual|toBe\b|toMatch/;

/** Files in which a failure may be a race that is seen once in a hundred runs. */
const NEVER = [
  "src/storage/**",
  "test/faults/**",
  "test/nodes/**",
  "test/history/**",
  "test/attacks/**",
  "test/wall/**",
  "src/**/*{race,races,meanwhile,once,writers,waiters,nodes,sharing}*.test.ts",
];

/**
 * Chooses the files that are tried again.
 *
 * @param root of the repository
 * @returns paths, none when any failure of the run is one that counts at once
 */
export function filesToTryAgain(failures: readonly Failure[], root: string): string[] {
  const files = [...new Set(failures.map(({ file }) => file))];
  if (files.length > MOST_AGAIN) return [];
  return failures.every(isOfTheMachine) && files.every((file) => mayBeTried(file, root)) ? files : [];
}

function isOfTheMachine({ messages }: Failure): boolean {
  return messages.length > 0 && messages.every((text) => WAITED.test(text) && !EXPECTED.test(text));
}

/** Two clients at once are a race that must not be tried away. */
function mayBeTried(file: string, root: string): boolean {
  return !isIn(NEVER, file) && !readFileSync(join(root, file), "utf8").includes("Promise.all(");
}
