/** A server and what it is held against, pinned, on the engine that the command line names; for benchmarks that stand by themselves. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../test/support/postgres.ts";
import { withClient } from "../test/support/postgres-schema.ts";
import { bundleProgram } from "../test/support/program.ts";
import { startServer, type RunningServer } from "../test/support/server.ts";
import { startBases } from "./bases.ts";
import { describeMachine, pinned, pinSelf } from "./machine.ts";
import { renderTable, type Fact } from "./report.ts";
import type { Bases, Row } from "./scenario.ts";
import type { Target } from "./seed.ts";

export const CONDITIONS = { seconds: 5, warmupSeconds: 2, generator: "own" } as const;

export interface Servers {
  server: RunningServer;
  /** The server with its management token. */
  target: Target;
  bases: Bases;
}

/** Says how far a benchmark is. */
export function log(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Runs a benchmark on the engine of `process.argv` and prints what it gives. */
export async function bench(run: (servers: Servers) => Promise<{ rows: Row[]; facts: Fact[] }>): Promise<void> {
  const engine = process.argv[2] ?? "sqlite";
  pinSelf(1);
  const directory = mkdtempSync(join(tmpdir(), "tessera-bench-"));
  await bundleProgram(join(directory, "program"));
  const postgres = engine === "postgres" ? await startPostgres({ durable: true }) : undefined;
  const common = { wrapper: pinned(0), outputFile: join(directory, "server.log") };
  try {
    if (postgres !== undefined) {
      await withClient(postgres.url, async (client) => void (await client.query("create extension pg_trgm")));
    }
    const server = await startServer({
      ...common,
      ...(process.env.PROF ? { env: { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${process.env.PROF}` } } : {}),
      ...(postgres === undefined ? {} : { database: postgres.url }),
    });
    const bases = await startBases(common.outputFile);
    try {
      const target = { url: server.url, token: server.token, pid: server.pid };
      const result = await run({ server, target, bases });
      process.stdout.write(`${describeMachine()}\n\n${renderTable({ engine, ...result })}\n`);
    } finally {
      await (process.env.PROF ? server.stop() : server.kill());
      await bases.kill();
    }
  } finally {
    await postgres?.stop("immediate");
    rmSync(directory, { recursive: true, force: true });
  }
}
