/**
 * `node bench/audit.ts [SECONDS]`: what a write costs with its audit record and without, on both engines: the program and a
 * copy of its source that puts nothing on record, in turns.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startPostgres } from "../test/support/postgres.ts";
import { startServer } from "../test/support/server.ts";
import { describeMachine, pinned, pinSelf } from "./machine.ts";
import { median } from "./median.ts";
import { treeMicroseconds } from "./nodes/cpu.ts";
import { refuseFailures, runLoad } from "./scenario.ts";
import { call } from "./seed.ts";
import { UNLIMITED } from "./unlimited.ts";

const repository = resolve(import.meta.dirname, "..");
const ROUNDS = 3;
const CONNECTIONS = [1, 32];

/**
 * Source texts that the copy replaces: the code that makes a record of a change, and the code that processes records.
 */
const TAKEN_OUT = [
  ["src/records/changes.ts", "detail: { ...detail, changes: difference(before, after) }", "detail: {}"],
  ["src/storage/writes/recorded.ts", "if (entries.length === 0) {", "if (entries.length >= 0) {\n      return;"],
] as const;

/** @returns the program of a copy whose writes leave no record */
function withoutRecords(directory: string): string {
  const tree = join(directory, "without");
  for (const part of ["src", "package.json", "packaging"]) {
    cpSync(join(repository, part), join(tree, part), { recursive: true, errorOnExist: false, force: true });
  }
  symlinkSync(join(repository, "node_modules"), join(tree, "node_modules"));
  for (const [file, text, other] of TAKEN_OUT) {
    const source = readFileSync(join(tree, file), "utf8");
    if (source.split(text).length !== 2) throw new Error(`${file} does not hold what is to be taken out`);
    writeFileSync(join(tree, file), source.replace(text, other));
  }
  return join(tree, "src/main.ts");
}

/** One server's writes, by connections. @returns per second, and processor microseconds of server and database for each */
async function measure(entry: string, database: string | undefined, databasePid: number | undefined, seconds: number) {
  const server = await startServer({
    entry,
    wrapper: pinned(0),
    env: UNLIMITED,
    ...(database === undefined ? {} : { database }),
  });
  try {
    const target = { url: server.url, token: server.token };
    await call(target, "PUT", "/v1/acl/role", { Name: "team" });
    const body = JSON.stringify({ Description: "made by the benchmark", Roles: [{ Name: "team" }] });
    const requests = [{ method: "PUT", path: "/v1/acl/token", body }];
    const roots = databasePid === undefined ? [server.pid] : [server.pid, databasePid];
    const results: { perSecond: number; each: number }[] = [];
    for (const connections of CONNECTIONS) {
      const streams = [{ name: "create a token", connections, source: { kind: "cycle", requests } as const }];
      await runLoad({ ...target, seconds: 1, warmupSeconds: 0, streams });
      const before = treeMicroseconds(roots);
      const [result] = (await runLoad({ ...target, seconds, warmupSeconds: 0, streams })).streams;
      if (result === undefined) throw new Error("no stream");
      refuseFailures("create a token", result);
      results.push({ perSecond: result.perSecond, each: (treeMicroseconds(roots) - before) / result.requests });
    }
    return results;
  } finally {
    await server.kill();
  }
}

pinSelf(1);
const seconds = Number(process.argv[2] ?? 4);
const directory = mkdtempSync(join(tmpdir(), "tessera-bench-"));
try {
  const programs = { with: join(repository, "src/main.ts"), without: withoutRecords(directory) };
  process.stdout.write(`${describeMachine()}\n`);
  for (const engine of ["sqlite", "postgres"] as const) {
    const found = { with: [] as number[][][], without: [] as number[][][] };
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const kind of ["with", "without"] as const) {
        const postgres = engine === "postgres" ? await startPostgres({ durable: true }) : undefined;
        const results = await measure(programs[kind], postgres?.url, postgres?.pid, seconds);
        found[kind].push(results.map(({ perSecond, each }) => [perSecond, each]));
        await postgres?.stop("immediate");
      }
    }
    for (const [place, connections] of CONNECTIONS.entries()) {
      const of = (kind: "with" | "without", which: number): number =>
        median(found[kind].map((round) => round[place]?.[which] ?? 0));
      const ratio = of("with", 0) / of("without", 0);
      process.stdout.write(
        `${engine}, create a token, ${connections} connections: with ${of("with", 0).toFixed(0)} per second, without ` +
          `${of("without", 0).toFixed(0)}, ${ratio.toFixed(2)} of it; µs of processor each ${of("with", 1).toFixed(0)}, without ${of("without", 1).toFixed(0)}\n`,
      );
    }
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
