/**
 * Benchmark of commands against a bare start of Node: `node bench/cli.ts`, with the program that `npm run build` made.
 * It reports the median wall-clock time of 31 alternating runs, and the mean processor time of all threads, which a
 * busy machine changes less.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { startServer } from "../test/support/server.ts";
import { median } from "./median.ts";

const RUNS = 31;
const main = resolve(import.meta.dirname, "../dist/package/dist/main.js");
const home = mkdtempSync(join(tmpdir(), "tessera-bench-cli-"));
const empty = join(home, "empty.mjs");
writeFileSync(empty, "0;\n");
const server = await startServer({ entry: main });
const env = { PATH: "/usr/bin:/bin", HOME: home, TESSERA_ADDR: server.url, TESSERA_TOKEN: server.token };
const cases: readonly (readonly [name: string, args: string[]])[] = [
  ["bare Node", [empty]],
  ["--version", [main, "--version"]],
  ["--help", [main, "--help"]],
  ["tag --help", [main, "tag", "--help"]],
  ["policy list", [main, "policy", "list"]],
  ["policy get NAME -o json", [main, "policy", "get", "global-management", "-o", "json"]],
  ["completion of a name", [main, "__complete", "--", "policy", "get", ""]],
];

try {
  const taken = cases.map(() => ({ cpu: [] as number[], clock: [] as number[] }));
  for (let run = 0; run < RUNS; run++) {
    for (const [index, [name, args]] of cases.entries()) {
      const cpu = childTime();
      const began = performance.now();
      const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8" });
      if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
      taken[index]?.clock.push(performance.now() - began);
      taken[index]?.cpu.push(childTime() - cpu);
    }
  }
  const [bare] = taken;
  for (const [index, [name]] of cases.entries()) {
    const { cpu = [], clock = [] } = taken[index] ?? {};
    const over = (own: number[], base: number[] = []) => (median(own) - median(base)).toFixed(0).padStart(4);
    const mean = (all: number[] = []) => all.reduce((sum, each) => sum + each, 0) / RUNS;
    const told = [
      `${median(clock).toFixed(0).padStart(4)} ms`,
      `${over(clock, bare?.clock)} over bare Node`,
      `${(mean(cpu) - mean(bare?.cpu)).toFixed(0).padStart(4)} ms of processor time over it`,
    ];
    process.stdout.write(`${name.padEnd(26)}${told.join(", ")}\n`);
  }
} finally {
  await server.stop();
  rmSync(home, { recursive: true, force: true });
}

/** Milliseconds of processor time that ended children took, in steps of ten. */
function childTime(): number {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[13]) + Number(fields[14])) * 10;
}
