/**
 * Which files and functions of ours one warm request runs, its background work included: `node bench/flows.ts [--list]
 * [--engine postgres] [--rounds 5]`. V8 counts the calls of each function of the main thread while the request is answered and for
 * `SETTLE_MS` after; the program runs from its sources, so that a file is a file. Other background work falls into some of
 * the rounds, so the round with the fewest functions counts. With `--list` the files are named.
 */
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Profiler } from "node:inspector";
import { createSigningKey, signToken } from "../test/support/key-server.ts";
import { withClient } from "../test/support/postgres-schema.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { startServer } from "../test/support/server.ts";
import { call, type Target } from "./seed.ts";

const SOURCES = resolve(import.meta.dirname, "../src");
const WARM_UPS = 20;
/** The next flush, record or wake-up falls into this. */
const SETTLE_MS = 400;

/** A request and what makes it possible to send it again. */
interface Flow {
  readonly name: string;
  readonly send: (target: Target, turn: number) => Promise<unknown>;
}

const ORGANIZATION = "flows";
const key = createSigningKey("flows");
let workspace = "";

const FLOWS: readonly Flow[] = [
  { name: "attach", send: attach },
  { name: "write a rule", send: (target, turn) => call(target, "PUT", "/v1/acl/binding-rule", ruleOf(turn)) },
  { name: "login", send: (target, turn) => call(target, "POST", "/v1/acl/login", loginOf(turn)) },
  { name: "woken list", send: wakeList },
  { name: "token/self", send: (target) => call(target, "GET", "/v1/acl/token/self") },
];

const { values } = parseArgs({
  options: {
    list: { type: "boolean", default: false },
    engine: { type: "string", default: "sqlite" },
    rounds: { type: "string", default: "5" },
  },
});
await main(values.engine === "postgres");

async function main(isPostgres: boolean): Promise<void> {
  const postgres = isPostgres ? await startPostgres({ durable: true }) : undefined;
  if (postgres !== undefined) {
    await withClient(
      postgres.url,
      async (client) => void (await client.query("create extension if not exists pg_trgm")),
    );
  }
  const server = await startServer({
    entry: join(SOURCES, "main.ts"),
    env: { NODE_OPTIONS: "--inspect=127.0.0.1:0" },
    ...(postgres !== undefined && { database: postgres.url }),
  });
  try {
    const address = /ws:\/\/\S+/.exec(server.stderr)?.[0];
    if (address === undefined) throw new Error(`The server names no debugger:\n${server.stderr}`);
    const target = { url: server.url, token: server.token, pid: server.pid };
    await prepare(target);
    const profiler = await connectProfiler(address);
    for (const flow of FLOWS) await report(flow, target, profiler);
    profiler.close();
  } finally {
    await server.kill();
    await postgres?.stop("immediate");
  }
}

async function report(flow: Flow, target: Target, profiler: ProfilerConnection): Promise<void> {
  for (let turn = 0; turn < WARM_UPS; turn += 1) await flow.send(target, turn);
  await sleep(SETTLE_MS);
  const rounds: { files: Map<string, number>; functions: number }[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    await profiler.take();
    await flow.send(target, WARM_UPS + round);
    await sleep(SETTLE_MS);
    const ran = ranIn(await profiler.take());
    rounds.push({ files: ran, functions: [...ran.values()].reduce((sum, count) => sum + count, 0) });
  }
  const [least] = rounds.toSorted((one, other) => one.functions - other.functions);
  if (least === undefined) throw new Error("--rounds must be at least 1");
  const { files, functions } = least;
  process.stdout.write(
    `${flow.name.padEnd(14)} ${String(files.size).padStart(4)} files ${String(functions).padStart(5)} functions\n`,
  );
  if (!values.list) return;
  for (const [file, count] of [...files].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    process.stdout.write(`    ${String(count).padStart(3)}  ${file}\n`);
}

/** @returns how many functions of each file of ours ran; the body of a module is none */
function ranIn(scripts: readonly Profiler.ScriptCoverage[]): Map<string, number> {
  const files = new Map<string, number>();
  for (const { url, functions } of scripts) {
    const file = url.startsWith("file:") ? fileURLToPath(url) : url;
    if (!file.startsWith(SOURCES)) continue;
    const count = functions.filter(
      ({ ranges: [whole] }) => whole !== undefined && whole.count > 0 && whole.startOffset > 0,
    );
    if (count.length > 0) files.set(file.slice(SOURCES.length + 1), count.length);
  }
  return files;
}

interface ProfilerConnection {
  /** Calls since the last time. */
  take(): Promise<Profiler.ScriptCoverage[]>;
  close(): void;
}

async function connectProfiler(address: string): Promise<ProfilerConnection> {
  const socket = new WebSocket(address);
  const waiting = new Map<number, (result: unknown) => void>();
  let last = 0;
  await new Promise((opened, failed) => {
    socket.addEventListener("open", opened);
    socket.addEventListener("error", failed);
  });
  socket.addEventListener("message", ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result: unknown };
    if (id !== undefined) waiting.get(id)?.(result);
  });
  const ask = (method: string, params: object = {}): Promise<unknown> => {
    last += 1;
    socket.send(JSON.stringify({ id: last, method, params }));
    const id = last;
    return new Promise((answered) => waiting.set(id, answered)).finally(() => waiting.delete(id));
  };
  await ask("Profiler.enable");
  await ask("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  return {
    take: async () => ((await ask("Profiler.takePreciseCoverage")) as Profiler.TakePreciseCoverageReturnType).result,
    close: () => socket.close(),
  };
}

async function prepare(target: Target): Promise<void> {
  const organization = { type: "organizations", attributes: { name: ORGANIZATION, email: "flows@example.com" } };
  await call(target, "POST", "/api/v2/organizations", { data: organization });
  const made = await call(target, "POST", `/api/v2/organizations/${ORGANIZATION}/workspaces`, {
    data: { type: "workspaces", attributes: { name: "flows" } },
  });
  workspace = (made as { data: { id: string } }).data.id;
  const Config = { JWTValidationPubKeys: [key.publicKey], ClaimMappings: { team: "team" } };
  await call(target, "PUT", "/v1/acl/auth-method", { Name: "flows", Type: "jwt", MaxTokenTTL: "1h", Config });
  await call(target, "PUT", "/v1/acl/binding-rule", {
    AuthMethod: "flows",
    Selector: 'value.team matches "^team-"',
    BindType: "service",
    BindName: "web",
  });
}

function attach(target: Target, turn: number): Promise<unknown> {
  const data = [{ type: "tags", attributes: { name: `tag-${turn}` } }];
  return call(target, "POST", `/api/v2/workspaces/${workspace}/relationships/tags`, { data });
}

function ruleOf(turn: number): object {
  return {
    AuthMethod: "flows",
    Selector: `value.team == "never-${turn}"`,
    BindType: "service",
    BindName: `web-${turn}`,
  };
}

function loginOf(turn: number): object {
  const seconds = Math.floor(Date.now() / 1000);
  const claims = { iat: seconds, exp: seconds + 3600, sub: `flow-${turn}`, team: `team-${turn}` };
  return { AuthMethod: "flows", BearerToken: signToken(key, claims) };
}

/** A list waits, a write wakes it. */
async function wakeList(target: Target, turn: number): Promise<unknown> {
  const headers = { "x-service-token": target.token };
  const url = `${target.url}/v1/acl/policies`;
  const before = await fetch(url, { headers });
  await before.text();
  const woken = fetch(`${url}?index=${before.headers.get("x-service-index")}&wait=10s`, { headers });
  await sleep(20);
  await call(target, "PUT", "/v1/acl/policy", { Name: `woken-${turn}` });
  return (await woken).text();
}
