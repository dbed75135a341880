/**
 * `node bench/writes.ts [SECONDS]`: what a write on PostgreSQL takes, by connections: statements and bytes, which a proxy
 * counts, and, without the proxy, microseconds of the server and of the database, and what the log is made to do.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startTcpProxy } from "../test/faults/tcp-proxy.ts";
import { createSigningKey, signToken } from "../test/support/key-server.ts";
import { startPostgres, type PostgresServer } from "../test/support/postgres.ts";
import { startServer, type RunningServer } from "../test/support/server.ts";
import type { WireRequest } from "./load-types.ts";
import { describeMachine, pinned, pinSelf, processorSeconds } from "./machine.ts";
import { treeMicroseconds } from "./nodes/cpu.ts";
import { refuseFailures, runLoad } from "./scenario.ts";
import { call, type Target } from "./seed.ts";
import { UNLIMITED } from "./unlimited.ts";

const CONNECTIONS = [1, 32, 64];
const RULES = 10;
const BEARERS = 256;
const key = createSigningKey("bench");

interface Kind {
  readonly name: string;
  readonly requests: readonly WireRequest[];
}

const made = { Description: "made by the benchmark" };
const kinds: readonly Kind[] = [
  { name: "create a token", requests: [put("/v1/acl/token", made)] },
  { name: "create a token with a role", requests: [put("/v1/acl/token", { ...made, Roles: [{ Name: "team" }] })] },
  { name: "create a token in a namespace", requests: [put("/v1/acl/token?ns=team", made)] },
  { name: `login, ${RULES} rules`, requests: Array.from({ length: BEARERS }, (_, index) => login(index)) },
];

function put(path: string, body: object): WireRequest {
  return { method: "PUT", path, body: JSON.stringify(body) };
}

function login(index: number): WireRequest {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iat: now, exp: now + 36_000, jti: String(index), team: `team-${index % RULES}` };
  const sent = { AuthMethod: "bench", BearerToken: signToken(key, claims) };
  return { method: "POST", path: "/v1/acl/login", body: JSON.stringify(sent) };
}

async function seed(target: Target): Promise<void> {
  await call(target, "PUT", "/v1/acl/role", { Name: "team" });
  await call(target, "PUT", "/v1/namespace", { Name: "team" });
  const Config = { JWTValidationPubKeys: [key.publicKey], ClaimMappings: { team: "team" } };
  await call(target, "PUT", "/v1/acl/auth-method", { Name: "bench", Type: "jwt", MaxTokenTTL: "1h", Config });
  for (let index = 0; index < RULES; index += 1) {
    const rule = { Selector: `value.team == "team-${index}"`, BindType: "service", BindName: `service-${index}` };
    await call(target, "PUT", "/v1/acl/binding-rule", { AuthMethod: "bench", ...rule });
  }
}

/** Counts what passes to and from the database. */
function createWireCount() {
  const counted = { statements: 0, bytes: 0 };
  /** By connection, how much of a message is still to come. */
  const rests = new Map<number, { buffer: Buffer; isStarted: boolean }>();
  return {
    counted,
    note(direction: "up" | "down", data: Buffer, connection: number): "pass" {
      counted.bytes += data.length;
      if (direction === "down") return "pass";
      const state = rests.get(connection) ?? { buffer: Buffer.alloc(0), isStarted: false };
      rests.set(connection, state);
      let rest = Buffer.concat([state.buffer, data]);
      for (;;) {
        // The first message of a connection has no type.
        const head = state.isStarted ? 1 : 0;
        const length = rest.length < head + 4 ? Infinity : head + rest.readUInt32BE(head);
        if (rest.length < length) break;
        const type = String.fromCharCode(rest[0] ?? 0);
        if (state.isStarted && (type === "E" || type === "Q")) counted.statements += 1;
        state.isStarted = true;
        rest = rest.subarray(length);
      }
      state.buffer = Buffer.from(rest);
      return "pass";
    },
  };
}

/** @returns rows of numbers, and the management token, which only the first server on a database makes */
async function countStatements(
  postgres: PostgresServer,
  directory: string,
  seconds: number,
): Promise<{ counted: string[][]; token: string }> {
  const proxy = await startTcpProxy(postgres.url);
  const wire = createWireCount();
  proxy.judge = wire.note;
  const server = await start(directory, proxy.url);
  try {
    const target = { url: server.url, token: server.token };
    await seed(target);
    const rows: string[][] = [];
    for (const kind of kinds) {
      for (const connections of CONNECTIONS) {
        const before = { ...wire.counted };
        const requests = await load(target, kind, connections, seconds);
        const [statements, bytes] = [wire.counted.statements - before.statements, wire.counted.bytes - before.bytes];
        rows.push([(statements / requests.count).toFixed(2), (bytes / requests.count).toFixed(0)]);
      }
    }
    return { counted: rows, token: server.token };
  } finally {
    await server.kill({ keepData: true });
    await proxy.close();
  }
}

async function measure(
  postgres: PostgresServer,
  directory: string,
  seconds: number,
  token: string,
): Promise<string[][]> {
  const server = await start(directory, postgres.url);
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    const rows: string[][] = [];
    for (const kind of kinds) {
      for (const connections of CONNECTIONS) {
        const target = { url: server.url, token };
        await load(target, kind, connections, 1);
        const before = await usage(server, postgres, client);
        const { count, perSecond } = await load(target, kind, connections, seconds);
        const after = await usage(server, postgres, client);
        const each = after.map((value, place) => (value - (before[place] ?? 0)) / count);
        const [node = 0, database = 0, log = 0, commits = 0] = each;
        const numbers = [
          perSecond.toFixed(0),
          node.toFixed(0),
          database.toFixed(0),
          log.toFixed(0),
          commits.toFixed(2),
        ];
        rows.push([kind.name, String(connections), ...numbers]);
      }
    }
    return rows;
  } finally {
    await client.end();
    await server.kill({ keepData: true });
  }
}

async function usage(server: RunningServer, postgres: PostgresServer, client: pg.Client): Promise<number[]> {
  const { rows } = await client.query<{ log: string; commits: string }>(
    `select pg_current_wal_lsn() - '0/0'::pg_lsn as log,
       (select xact_commit from pg_stat_database where datname = current_database()) as commits`,
  );
  const database = treeMicroseconds([postgres.pid]);
  return [processorSeconds(server.pid) * 1e6, database, Number(rows[0]?.log), Number(rows[0]?.commits)];
}

async function load(target: Target, kind: Kind, connections: number, seconds: number) {
  const streams = [{ name: kind.name, connections, source: { kind: "cycle", requests: kind.requests } as const }];
  const [result] = (await runLoad({ ...target, seconds, warmupSeconds: 0, streams })).streams;
  if (result === undefined) throw new Error("no stream");
  refuseFailures(kind.name, result);
  return { count: result.requests, perSecond: result.perSecond };
}

function start(directory: string, database: string): Promise<RunningServer> {
  return startServer({
    wrapper: pinned(0),
    dataDir: join(directory, "data"),
    database,
    outputFile: join(directory, "server.log"),
    env: UNLIMITED,
  });
}

pinSelf(1);
const seconds = Number(process.argv[2] ?? 4);
const directory = mkdtempSync(join(tmpdir(), "tessera-writes-"));
const postgres = await startPostgres({ durable: true, settings: { shared_buffers: "512MB", max_wal_size: "4GB" } });
try {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query("create extension if not exists pg_trgm");
  await client.end();
  const { counted, token } = await countStatements(postgres, directory, 1);
  const measured = await measure(postgres, directory, seconds, token);
  const header = [
    "write",
    "conns",
    "per second",
    "node µs",
    "database µs",
    "log bytes",
    "commits",
    "statements",
    "bytes",
  ];
  const table = [header, ...measured.map((row, place) => [...row, ...(counted[place] ?? [])])];
  const widths = header.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  "),
  );
  process.stdout.write(`${describeMachine()}\n\n${lines.join("\n")}\n`);
} finally {
  await postgres.stop("immediate");
  rmSync(directory, { recursive: true, force: true });
}
