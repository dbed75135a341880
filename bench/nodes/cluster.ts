/** A durable PostgreSQL and the nodes that work on it. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres, type PostgresServer } from "../../test/support/postgres.ts";
import { withClient } from "../../test/support/postgres-schema.ts";
import { startServer } from "../../test/support/server.ts";
import { pinned } from "../machine.ts";
import type { Target } from "../seed.ts";
import { UNLIMITED } from "../unlimited.ts";

/** A node with its management token. */
export interface Node extends Target {
  readonly pid: number;
}

/** The database and a way to start nodes on it. */
export interface Cluster {
  readonly postgres: PostgresServer;
  /** @param database another way to it, such as a proxy's */
  startNode(args?: readonly string[], database?: string): Promise<Node>;
  /** Ends something when the nodes have ended, which may need it until then. */
  afterNodes(end: () => Promise<unknown>): void;
}

const SETTINGS = { shared_buffers: "512MB", max_wal_size: "4GB" };
/** Starts PostgreSQL, lets `work` start nodes, and ends all of them. @param isPinned whether nodes stay on core 0 */
export async function withCluster<T>(isPinned: boolean, work: (cluster: Cluster) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "tessera-bench-nodes-"));
  const postgres = await startPostgres({ durable: true, settings: SETTINGS });
  const ends: (() => Promise<unknown>)[] = [];
  const lastEnds: (() => Promise<unknown>)[] = [];
  const logs: string[] = [];
  let first: { token: string; key: string } | undefined;
  const startNode = async (args: readonly string[] = [], database = postgres.url): Promise<Node> => {
    // Into files: this process is the waiter or shares a core with the generator.
    const outputFile = join(directory, `node-${logs.length}.log`);
    logs.push(outputFile);
    const server = await startServer({
      database,
      outputFile,
      env: UNLIMITED,
      wrapper: isPinned ? pinned(0) : [],
      args: [...args, ...(first === undefined ? [] : ["--key-file", first.key])],
      startTimeoutMilliseconds: 60_000,
    });
    // Not SIGKILL: a node of several processes would leave them to find out.
    ends.push(() => server.stop());
    first ??= { token: server.token, key: join(server.dataDir, "master-key") };
    return { url: server.url, pid: server.pid, token: first.token };
  };
  try {
    await withClient(postgres.url, async (client) => void (await client.query("create extension pg_trgm")));
    return await work({ postgres, startNode, afterNodes: (end) => void lastEnds.push(end) });
  } catch (error) {
    process.stderr.write(logs.map(lastFaults).join(""));
    throw error;
  } finally {
    await Promise.allSettled(ends.map(async (end) => end()));
    await Promise.allSettled(lastEnds.map(async (end) => end()));
    await postgres.stop("immediate");
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Returns the last warnings and errors in a node's own log. */
function lastFaults(file: string): string {
  const lines = readFileSync(file, "utf8").split("\n");
  const faults = lines.filter((line) => /"level":"(?:warn|error|fatal)"/.test(line)).slice(-5);
  return faults.map((line) => `${line}\n`).join("");
}
