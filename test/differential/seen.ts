/**
 * Makes `seen.json` anew: which statuses of which operations the tests have seen.
 * `node test/differential/seen.ts [arguments of vitest]`; without arguments the whole suite runs.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SEEN_VARIABLE } from "../support/answers/seen.ts";

const directory = mkdtempSync(join(tmpdir(), "tessera-seen-"));
// The list says what others have seen: what this suite asks may not demand itself.
const run = ["vitest", "run", "--exclude", "test/differential/**", ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", ...run.slice(1)], {
  stdio: "inherit",
  env: { ...process.env, [SEEN_VARIABLE]: directory },
});
const lines = readdirSync(directory).flatMap((file) => readFileSync(join(directory, file), "utf8").split("\n"));
rmSync(directory, { recursive: true });
const seen = [...new Set(lines.filter(Boolean))].toSorted();
if (seen.length === 0) throw new Error("The run has seen no answer: the list stays as it is");
writeFileSync(join(import.meta.dirname, "seen.json"), `${JSON.stringify(seen, undefined, 2)}\n`);
process.stdout.write(`${seen.length} statuses of operations\n`);
process.exitCode = status ?? 1;
