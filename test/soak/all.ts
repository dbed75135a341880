/**
 * All that is too long for each change: the long form of every test that has one, a history of ten minutes, ten minutes
 * of hostile clients: `node test/soak/all.ts [--seed N] [--slice N]`. With `--slice` only the long form of so many test
 * files, which the seed draws. All of it runs, whatever fails; ends with 1 when something did.
 */
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { LONG_VARIABLE } from "../support/length.ts";
import { seeded } from "../support/seeded.ts";

const root = resolve(import.meta.dirname, "../..");
const SECONDS = "600";

const { values } = parseArgs({ options: { seed: { type: "string" }, slice: { type: "string" } } });
const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
const slice = values.slice === undefined ? undefined : Number(values.slice);
if (!Number.isSafeInteger(seed) || (slice !== undefined && !(Number.isSafeInteger(slice) && slice > 0))) {
  process.stderr.write("--seed and --slice are whole numbers\n");
  process.exit(2);
}

const files = drawFiles();
// Vitest would take none for all.
if (files.length === 0) throw new Error("no test file has a long form");
say(`seed ${seed}; the long form of ${files.join(", ")}`);
const failed: string[] = [];
run("the long form of tests", ["node_modules/vitest/vitest.mjs", "run", ...files], { [LONG_VARIABLE]: "1" });
if (slice === undefined) {
  run("history", ["test/history/run.ts", "--seconds", SECONDS, "--seed", String(seed)]);
  run("hostile clients", ["test/soak/run.ts", "--seconds", SECONDS, "--seed", String(seed)]);
}
say(failed.length === 0 ? `all passed (seed ${seed})` : `failed with seed ${seed}: ${failed.join(", ")}`);
process.exit(failed.length === 0 ? 0 : 1);

/** The test files that have a long form; as many of them as asked for. */
function drawFiles(): string[] {
  const left = globSync(["src/**/*.test.ts", "test/**/*.test.ts"], { cwd: root })
    .filter((file) => /from "[./]+(?:test\/)?support\/length\.ts"/.test(read(file)))
    .toSorted();
  const random = seeded(seed);
  const drawn: string[] = [];
  while (left.length > 0 && drawn.length < (slice ?? Infinity)) {
    drawn.push(...left.splice(Math.floor(random() * left.length), 1));
  }
  return drawn.toSorted();
}

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

function run(what: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): void {
  say(`=== ${what}`);
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: "inherit",
  });
  if (status !== 0) failed.push(what);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
