/**
 * Hostile and normal clients at one server for ten minutes: `node test/soak/run.ts [--seconds 600] [--seed N]
 * [--engine sqlite|postgres] [--only NAME]… [--without NAME]…`, where names are of attacks; `--only none` is for normal
 * clients alone. Ends with 1 when a bound is missed, or when too little was done to prove anything.
 */
import { fork } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { startPostgres } from "../support/postgres.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import type { Attack } from "./attacks/attack.ts";
import { ATTACKS } from "./attacks/attacks.ts";
import { findGaps, findMissed, type Measured, type Turn } from "./bounds.ts";
import type { Attacked, Orders } from "./hostile.ts";
import { MemoryWatch } from "./memory.ts";
import { runNormal } from "./normal.ts";
import { prepare } from "./prepare.ts";
import { describe } from "./report.ts";
import { StolenTime } from "./stolen.ts";

/** When memory is looked at first; of a short soak at its first quarter. */
const EARLY_MS = 60_000;
/** Filling leaves a long log behind, whose checkpoint takes the disk for some seconds. */
const SETTLE_MS = 3000;
/**
 * Warm-up: the first requests compile and load code that later ones use. Only memory is measured from the beginning.
 */
const WARM_UP_MS = 5000;

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "600" },
    seed: { type: "string" },
    engine: { type: "string", default: "sqlite" },
    only: { type: "string", multiple: true },
    without: { type: "string", multiple: true, default: [] },
  },
});
const milliseconds = Number(values.seconds) * 1000;
const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
if (!(milliseconds > 0) || !Number.isSafeInteger(seed)) fail("--seconds and --seed are numbers");
if (!["sqlite", "postgres"].includes(values.engine)) fail("--engine is sqlite or postgres");
const attacks = chooseAttacks();
const directory = mkdtempSync(join(tmpdir(), "tessera-soak-"));
const turnsFile = join(directory, "turns");

say(`seed ${seed}, ${values.seconds} s, ${values.engine}, ${attacks.length} kinds of hostile clients`);
// Durable, as in production.
const postgres = values.engine === "postgres" ? await startPostgres({ durable: true }) : undefined;
let findings: string[];
try {
  const server = await startServer({
    ...(postgres === undefined ? {} : { database: postgres.url }),
    outputFile: join(directory, "server.log"),
    startTimeoutMilliseconds: 60_000,
    // Address of the provider of the tenant's methods.
    args: ["--outbound-allow", "127.0.0.1/32"],
    env: {
      NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, "probe.ts")).href}`,
      SOAK_PROBE_FILE: turnsFile,
      TESSERA_CONSOLE: "on",
    },
  });
  try {
    findings = await soak(server);
  } finally {
    await server.kill();
  }
} finally {
  await postgres?.stop("immediate");
}
for (const finding of findings) say(`MISSED ${finding}`);
say(findings.length === 0 ? "all bounds are kept" : `${findings.length} findings; the server's log: ${directory}`);
if (findings.length === 0) rmSync(directory, { recursive: true });
process.exit(findings.length === 0 ? 0 : 1);

async function soak(server: RunningServer): Promise<string[]> {
  const target = await prepare(server.url, server.token);
  say("filled");
  await sleep(SETTLE_MS);
  const begun = Date.now();
  const begin = performance.now();
  const memory = new MemoryWatch(server.pid);
  const stolen = new StolenTime();
  const lag = monitorEventLoopDelay({ resolution: 1 });
  lag.enable();
  const [normal, attacked] = await Promise.all([
    runNormal(target, seed, begin + milliseconds),
    attack({ target, seed, milliseconds, attacks: attacks.map(({ name }) => name) }),
  ]);
  lag.disable();
  memory.stop();
  stolen.stop();
  const counts = (from: number, to: number): boolean => from >= begin + WARM_UP_MS && stolen.isQuiet(from, to);
  /** From the clock of the server's reports to the one of ours. */
  const ours = (at: number): number => at - begun + begin;
  const earlyAt = Math.min(EARLY_MS, milliseconds / 4);
  const measured: Measured = {
    seconds: milliseconds / 1000,
    memory: {
      early: memory.before(begin + earlyAt, earlyAt / 4),
      end: memory.before(begin + milliseconds, earlyAt / 4),
    },
    latency: normal.latencies.all(counts),
    waits: normal.waits,
    wrong: normal.wrong,
    turns: readTurns(begun).filter(({ at, wall }) => counts(ours(at) - wall, ours(at))),
    attacked,
    faults: await countFaults(server),
    quiet: stolen.quiet(),
  };
  say(describe(measured, normal.latencies.byKind(), { p99: lag.percentile(99) / 1e6, max: lag.max / 1e6 }, begun));
  const [taken, left] = [stolen.share(), 1 - measured.quiet].map((share) => (share * 100).toFixed(1));
  say(
    `the machine gave ${taken} % of its processors to others; ${left} % of the time is left out of the bounds for it`,
  );
  for (const told of normal.told) say(`wrong: ${told}`);
  return [...findMissed(measured), ...findGaps(measured, attacks)];
}

/** Runs the hostile clients in a process of their own. */
function attack(orders: Orders): Promise<Attacked[]> {
  const child = fork(join(import.meta.dirname, "hostile.ts"));
  return new Promise((resolve, reject) => {
    child.once("message", (attacked) => resolve(attacked as Attacked[]));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the hostile clients ended with ${code}`)));
    child.send(orders);
  });
}

function readTurns(since: number): Turn[] {
  if (!existsSync(turnsFile)) return [];
  const lines = readFileSync(turnsFile, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Turn).filter(({ at }) => at >= since);
}

async function countFaults({ url, token }: RunningServer): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  if (!answer.ok) return NaN;
  const counts = (await answer.text()).matchAll(/^tessera_http_requests_total\{.*status="500"\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

function chooseAttacks(): Attack[] {
  const { only, without } = values;
  const known = [...ATTACKS.map(({ name }) => name), "none"];
  const unknown = [...(only ?? []), ...without].filter((name) => !known.includes(name));
  if (unknown.length > 0) fail(`no attack is called ${unknown.join(", ")}; there are: ${known.join(", ")}`);
  return ATTACKS.filter(({ name }) => (only?.includes(name) ?? true) && !without.includes(name));
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function fail(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(2);
}
