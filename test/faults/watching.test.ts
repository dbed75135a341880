/** Tests of a server with thousands of clients that open watches and go away, or do not read what they asked for. */
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { makeDatabaseUrl, temporaryDirectory, type Engine } from "../support/engines.ts";
import { sized } from "../support/length.ts";
import { withClient } from "../support/postgres-schema.ts";
import { startServer, type RunningServer } from "../support/server.ts";

const engines: Engine[] = ["sqlite", "postgres"];
const WATCHES = sized(1000, 10_000);
const READERS = sized(50, 1000);
/** A list of so many objects is past what the kernel's buffers take: the server has to wait for its readers. */
const ROLES = 1500;
const ROLE_BYTES = 8000;
/** Writes of 90 kB beside the readers; in the long form more than the log may hold. */
const WRITES = sized(40, 1000);
const TRY_AGAIN: ReadonlySet<string> = new Set(["HTTP/1.1 429", "HTTP/1.1 503"]);
const SOON = { timeout: sized(60_000, 600_000) };

let server: RunningServer;
const sockets: Socket[] = [];
afterEach(async () => {
  sockets.splice(0).forEach((socket) => socket.destroy());
  await server.kill();
});

async function start(engine: Engine, env: Record<string, string> = {}): Promise<{ database: string; dataDir: string }> {
  const dataDir = temporaryDirectory();
  const database = engine === "sqlite" ? `sqlite:${join(dataDir, "tessera.db")}` : await makeDatabaseUrl(engine);
  server = await startServer({ database, dataDir, env });
  return { database, dataDir };
}

async function ask(method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method,
    headers: { "x-consul-token": server.token },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function metric(name: string): Promise<number> {
  const text = await (await ask("GET", "/metrics")).text();
  return Number(new RegExp(`^${name} ([\\d.e+]+)$`, "m").exec(text)?.[1]);
}

/** Opens connections that each send this request. */
async function open(count: number, path: string): Promise<void> {
  const { port, hostname } = new URL(server.url);
  for (let made = 0; made < count; made += 250) {
    const batch = Array.from({ length: Math.min(250, count - made) }, async () => {
      const socket = connect(Number(port), hostname);
      socket.on("error", () => undefined);
      sockets.push(socket);
      await new Promise((resolve) => {
        socket.once("connect", resolve);
      });
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Consul-Token: ${server.token}\r\n\r\n`);
    });
    await Promise.all(batch);
  }
}

function residentMegabytes(): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
}

test.each(engines)(`${WATCHES} watches whose clients vanish leave nothing behind (%s)`, async (engine) => {
  // Without a limit V8 lets its heap grow before it looks for what is garbage, and growth would tell nothing.
  await start(engine, { NODE_OPTIONS: "--max-old-space-size=224" });
  const index = Number((await ask("GET", "/v1/acl/policies")).headers.get("x-consul-index"));
  const used: number[] = [];
  for (let round = 0; round < 3; round++) {
    await open(WATCHES, `/v1/acl/policies?index=${index}&wait=10m`);
    await expect.poll(() => metric("tessera_waiting_requests"), { timeout: 60_000 }).toBe(WATCHES);
    sockets.splice(0).forEach((socket) => socket.destroy());
    await expect.poll(() => metric("tessera_waiting_requests"), { timeout: 60_000 }).toBe(0);
    await sleep(sized(500, 2000));
    used.push(residentMegabytes());
  }
  // The server reuses memory: its use does not grow with each round.
  const [first = 0, , last = 0] = used;
  expect(last - first, used.join(", ")).toBeLessThan(60);
});

/** Does something `times` times, a few of them at once. */
async function repeat(times: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < times) await work(next++);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

/** Whether a snapshot that somebody holds keeps SQLite's log from being copied to its end. */
function isLogHeld(dataDir: string): boolean {
  const db = new DatabaseSync(join(dataDir, "tessera.db"));
  try {
    const { log, checkpointed } = db.prepare("pragma wal_checkpoint(passive)").get() ?? {};
    return log !== checkpointed;
  } finally {
    db.close();
  }
}

/** States of the server's transactions that last; short statements of this moment, such as the feed's, are no harm. */
async function lastingTransactions(database: string): Promise<string[]> {
  return withClient(database, async (client) => {
    const { rows } = await client.query<{ state: string }>(
      `select state from pg_stat_activity where application_name like 'tessera%' and datname = current_database()
         and xact_start < now() - interval '1 second'`,
    );
    return rows.map(({ state }) => state);
  });
}

/** Connections that ask for a list and do not read on. @returns what each has got so far */
function beginToRead(path: string, count: number): { state: string }[] {
  const { port, hostname } = new URL(server.url);
  return Array.from({ length: count }, () => {
    const reader = { state: "nothing" };
    const socket = connect(Number(port), hostname);
    socket.on("error", (error) => (reader.state = error.message));
    sockets.push(socket);
    // A parameter that is different for each, so that they do not share one answer.
    const url = `${path}?hash=${sockets.length}`;
    socket.write(`GET ${url} HTTP/1.1\r\nHost: localhost\r\nX-Consul-Token: ${server.token}\r\n\r\n`);
    socket.once("data", (chunk: Buffer) => {
      socket.pause();
      reader.state = chunk.toString("latin1", 0, "HTTP/1.1 200".length);
    });
    return reader;
  });
}

test.each(engines)(
  `${READERS} readers that stop in the middle of a list hold nothing of the database (%s)`,
  async (engine) => {
    const { database, dataDir } = await start(engine);
    const Description = "x".repeat(ROLE_BYTES);
    await repeat(ROLES, async (number) => {
      expect((await ask("PUT", "/v1/acl/role", { Name: `role-${number}`, Description })).status).toBe(200);
    });
    const states: { state: string }[] = [];
    // Not all at once: connections that wait to be accepted are forgotten by a kernel that has too many.
    for (let made = 0; made < READERS; made += 100) {
      states.push(...beginToRead("/v1/acl/roles", Math.min(100, READERS - made)));
      await expect.poll(() => states.filter(({ state }) => state === "nothing").length, SOON).toBe(0);
    }
    // Past what may be sent at once, or had of a busy PostgreSQL, who asks is told to come again.
    const others = states.map(({ state }) => state).filter((state) => state !== "HTTP/1.1 200");
    expect(others.filter((state) => !TRY_AGAIN.has(state))).toEqual([]);
    expect(others.length).toBeLessThan(READERS);
    // Meanwhile others write, each a policy of its own.
    const policies = await Promise.all(
      Array.from({ length: 4 }, async (_, number) => {
        const made = await ask("PUT", "/v1/acl/policy", { Name: `long-${number}` });
        return ((await made.json()) as { ID: string }).ID;
      }),
    );
    await Promise.all(
      policies.map(async (id, number) => {
        for (let round = 0; round < WRITES / policies.length; round++) {
          const Rules = `# ${round}${"y".repeat(90_000)}`;
          expect((await ask("PATCH", `/v1/acl/policy/${id}`, { Rules })).status, `long-${number}`).toBe(200);
        }
      }),
    );
    if (engine === "sqlite") {
      await expect.poll(() => isLogHeld(dataDir), SOON).toBe(false);
    } else {
      await expect.poll(() => lastingTransactions(database), SOON).toEqual([]);
    }
    expect((await ask("GET", "/v1/acl/policies")).status).toBe(200);
    expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([]);
  },
);

test.each(engines)("kill -9 cuts who waits, and what they are told next is what was written (%s)", async (engine) => {
  const { database, dataDir } = await start(engine);
  const { token } = server;
  const index = Number((await ask("GET", "/v1/acl/policies")).headers.get("x-consul-index"));
  const waiting = Array.from({ length: 50 }, () => ask("GET", `/v1/acl/policies?index=${index}&wait=10m`));
  const settled = Promise.allSettled(waiting);
  await expect.poll(() => metric("tessera_waiting_requests")).toBe(50);
  const made = ask("PUT", "/v1/acl/policy", { Name: "written" });
  const [first] = await Promise.allSettled([made]);
  await server.kill({ keepData: true });
  const outcomes = await settled;
  server = await startServer({ database, dataDir });
  const list = await fetch(`${server.url}/v1/acl/policies`, { headers: { "x-consul-token": token } });
  const now = Number(list.headers.get("x-consul-index"));
  expect(first?.status).toBe("fulfilled");
  expect(await list.text()).toContain('"written"');
  // Answers before the crash were true: no client has seen a newer index than there is.
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") continue;
    expect(Number(outcome.value.headers.get("x-consul-index"))).toBeLessThanOrEqual(now);
  }
});
