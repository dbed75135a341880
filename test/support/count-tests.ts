/**
 * Prints "passed failed" of a file that `--counts` wrote, and on standard error a line for each failure, and for each test
 * that was unsteady: `node test/support/count-tests.ts FILE`.
 */
import { existsSync, readFileSync } from "node:fs";

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly lines?: readonly string[];
  readonly unsteady?: readonly string[];
}

const [file] = process.argv.slice(2);
const { passed, failed, lines = [], unsteady = [] } = readCounts(file ?? "");
for (const line of lines) process.stderr.write(`failed: ${line}\n`);
for (const line of unsteady) process.stderr.write(`unsteady: ${line}\n`);
process.stdout.write(`${passed} ${failed}\n`);

function readCounts(path: string): Counts {
  try {
    if (existsSync(path)) return JSON.parse(readFileSync(path, "utf8")) as Counts;
  } catch {
    // A run that was cut off left half a file: the caller sees its exit status.
  }
  return { passed: 0, failed: 0 };
}
