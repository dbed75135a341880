/**
 * `npm run bench`: starts the real server pinned to one core, loads it from another, and prints each scenario next to
 * a bare Node server that sends the same bytes, and to our HTTP shell without any work. PostgreSQL shares the
 * generator's core.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startPostgres } from "../test/support/postgres.ts";
import { bundleProgram } from "../test/support/program.ts";
import { withClient } from "../test/support/postgres-schema.ts";
import { startServer, type RunningServer, type ServerOptions } from "../test/support/server.ts";
import { startBases } from "./bases.ts";
import { compare, losses, readShares, renderComparison, type BenchResult, type Shares } from "./compare.ts";
import { describeMachine, pinned, pinSelf, residentMegabytes } from "./machine.ts";
import { readOptions, usage, type BenchOptions } from "./options.ts";
import { renderTable, type EngineReport, type Fact } from "./report.ts";
import { measure, type Row, type Scenario } from "./scenario.ts";
import { prepareScenarios } from "./scenarios.ts";
import { prepareAcl } from "./scenarios-acl.ts";
import { prepareLogin } from "./scenarios-login.ts";
import { prepareMillion } from "./scenarios-million.ts";
import { call, type Target } from "./seed.ts";
import { UNLIMITED } from "./unlimited.ts";
import { measureWholeList } from "./whole-list.ts";

function log(text: string): void {
  process.stderr.write(`${text}\n`);
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (!options) {
    process.stdout.write(usage);
    return;
  }
  pinSelf(1);
  const machine = describeMachine();
  const reports = await withDirectory(async (directory) => {
    // Measures the bundled program, as users run it.
    await bundleProgram(directory);
    const made: EngineReport[] = [];
    for (const engine of options.engines) {
      made.push(engine === "sqlite" ? await benchSqlite(options) : await benchPostgres(options));
    }
    return made;
  });
  process.stdout.write(`${machine}\n\n${reports.map(renderTable).join("\n\n")}\n`);
  const result: BenchResult = { machine, reports };
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(result, null, 2)}\n`);
  if (options.compare !== undefined) compareWith(readShares(options.compare), result, options.tolerance);
}

function compareWith(before: Shares, now: Shares, tolerance: number): void {
  const rows = compare(before, now);
  process.stdout.write(`\nAgainst a result of ${before.machine}:\n${renderComparison(rows, tolerance)}\n`);
  if (losses(rows, tolerance).length > 0) process.exitCode = 1;
}

async function benchSqlite(options: BenchOptions): Promise<EngineReport> {
  return withDirectory((directory) => benchServer("sqlite", directory, undefined, options));
}

async function benchPostgres(options: BenchOptions): Promise<EngineReport> {
  // Durable, as in production: a benchmark without it would measure another thing.
  const postgres = await startPostgres({ durable: true, settings: { shared_buffers: "512MB", max_wal_size: "4GB" } });
  try {
    await withClient(postgres.url, async (client) => {
      await client.query("create extension if not exists pg_trgm");
    });
    return await withDirectory((directory) => benchServer("postgres", directory, postgres.url, options));
  } finally {
    await postgres.stop("immediate");
  }
}

async function benchServer(
  engine: string,
  directory: string,
  database: string | undefined,
  options: BenchOptions,
): Promise<EngineReport> {
  // Into files: this process shares the generator's core, and reading lines would take from it.
  const outputFile = join(directory, "server.log");
  const common = { wrapper: pinned(0), startTimeoutMilliseconds: 60_000 };
  const place = { dataDir: join(directory, "data"), ...(database === undefined ? {} : { database }) };
  const serverOptions: ServerOptions = { ...common, ...place, outputFile };
  const bases = await startBases(join(directory, "bases.log"));
  const server = await startServer({ ...serverOptions, env: { ...profiling(options.profile), ...UNLIMITED } });
  const { token } = server;
  const facts: Fact[] = [memory("resident memory, empty", server)];
  const rows: Row[] = [];
  try {
    log(`${engine}: filling`);
    const target = { url: server.url, token, pid: server.pid };
    const scenarios = await prepare(target, options);
    facts.push(memory("resident memory, filled", server));
    if (options.tokens !== undefined) facts.push(...(await measureWholeList(target)));
    for (const scenario of select(scenarios, options)) {
      log(`${engine}: ${scenario.name}`);
      const { seconds, generator } = options;
      const conditions = { seconds, warmupSeconds: seconds, generator };
      rows.push(await measure(scenario, target, bases, conditions));
    }
    facts.push(memory("resident memory after the load", server));
  } catch (error) {
    log(lastFaults(outputFile));
    throw error;
  } finally {
    // Only an orderly end writes the profiles.
    if (options.profile !== undefined) await endOrderly(server);
    await server.kill({ keepData: true });
    await bases.kill();
  }
  facts.push(...(await measureStart(serverOptions, token)));
  return { engine, rows, facts };
}

/** Scenarios measured in every change: reads and writes that need little seed data. */
const SHORT = {
  tokens: 200,
  names: ["token/self", "authorize, 2 checks", "read a policy", "create a token, 32 connections"],
};

function prepare(target: Target, { million, tags, tokens, login, short }: BenchOptions): Promise<Scenario[]> {
  if (short) return prepareAcl(target, SHORT.tokens, log);
  if (login) return prepareLogin(target, log);
  if (tokens !== undefined) return prepareAcl(target, tokens, log);
  return million ? prepareMillion(target, tags, log) : prepareScenarios(target);
}

function profiling(directory: string | undefined): Record<string, string> {
  return directory === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${resolve(directory)}` };
}

async function endOrderly(server: RunningServer): Promise<void> {
  process.kill(server.pid, "SIGTERM");
  await server.exited;
}

/** Returns the last warnings and errors in the server's own log. */
function lastFaults(outputFile: string): string {
  const lines = readFileSync(outputFile, "utf8").split("\n");
  return lines
    .filter((line) => /"level":"(?:warn|error|fatal)"/.test(line))
    .slice(-5)
    .join("\n");
}

/** Starts on the filled database, after a kill: the time until the first answer, the best and the worst of five. */
async function measureStart(options: ServerOptions, token: string): Promise<Fact[]> {
  const times: number[] = [];
  let resident = 0;
  for (let round = 0; round < 5; round += 1) {
    const started = performance.now();
    const server = await startServer(options);
    await call({ url: server.url, token }, "GET", "/api/v2/account/details");
    times.push((performance.now() - started) / 1000);
    resident = residentMegabytes(server.pid);
    await server.kill();
  }
  return [
    { name: "start to first answer, best of 5", value: Math.min(...times), unit: "s" },
    {
      name: "start to first answer, worst of 5 (the first follows a kill under load)",
      value: Math.max(...times),
      unit: "s",
    },
    { name: "resident memory after a start on the filled database", value: resident, unit: "MB" },
  ];
}

function select(scenarios: readonly Scenario[], { only, short }: BenchOptions): Scenario[] {
  const selected = scenarios.filter(({ name }) => name.includes(only) && (!short || SHORT.names.includes(name)));
  if (selected.length === 0) throw new Error(`no scenario's name holds "${only}"`);
  return selected;
}

function memory(name: string, server: RunningServer): Fact {
  return { name, value: residentMegabytes(server.pid), unit: "MB" };
}

async function withDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "tessera-bench-"));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

await main();
