/**
 * The product on Citus: `node test/engines/citus.ts [--bin /usr/lib/postgresql/15/bin] [--seconds 60]
 * [--only STEP]`. The directory belongs to a PostgreSQL with the extension; without it the program says so in a line and does nothing.
 * It runs the storage contract and a history, moves a schema between workers under writes, kills a worker, and tries workers that may not be written to.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { DIRECTORY_VARIABLE } from "../support/directory.ts";
import { dropFreshDatabases, freshDatabaseUrl, withClient } from "../support/postgres-schema.ts";
import { bundleProgram } from "../support/program.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { FAKETIME, missingCitus, startCitus, type NodeName } from "./citus-cluster.ts";

const { values } = parseArgs({
  options: {
    bin: { type: "string", default: "/usr/lib/postgresql/15/bin" },
    seconds: { type: "string", default: "60" },
    only: { type: "string" },
  },
});
const missing = missingCitus(values.bin);
if (missing !== undefined) {
  say(`Citus is not here (${missing}): nothing was tried`);
  process.exit(0);
}

/** Without upgrades of schemas from before rows had proofs: no version of that time ran on Citus. */
const CONTRACT = "^(?!.*(?:of the version before|every column that a row that decides has in the real schema))";

const directory = mkdtempSync(join(tmpdir(), "tessera-citus-"));
process.env[DIRECTORY_VARIABLE] = directory;
const problems: string[] = [];
const cluster = await startCitus(values.bin);
try {
  await bundleProgram(directory);
  const url = cluster.url("coordinator");
  const env = { ...process.env, TESSERA_TEST_POSTGRES: url, TESSERA_TEST_SCHEMAS: "1" };
  const steps: Readonly<Record<string, () => Promise<void> | void>> = {
    contract: () => run(["npx", "vitest", "run", "src/storage/contract", "--project", "postgres", "-t", CONTRACT], env),
    history: () => recordHistory(url, env),
    local: () => tryLocalTransactions(url),
    moves: () => tryMoves(url),
    worker: () => tryLostWorker(url),
    weak: () => tryWeakWorkers(url),
    entry: tryEntryNodes,
    later: () => tryLaterDistribution(url),
  };
  for (const [name, step] of Object.entries(steps)) if (values.only === undefined || values.only === name) await step();
} catch (error) {
  problems.push((error as Error).stack ?? String(error));
} finally {
  await dropFreshDatabases();
  await cluster.stop();
  rmSync(directory, { recursive: true, force: true });
}
for (const problem of problems) say(`FAILED ${problem}`);
say(problems.length === 0 ? "all of it is as on PostgreSQL 18" : `${problems.length} of it failed`);
process.exit(problems.length === 0 ? 0 : 1);

function run([command = "", ...args]: readonly string[], env: NodeJS.ProcessEnv): void {
  say(args.join(" "));
  if (spawnSync(command, args, { stdio: "inherit", env }).status !== 0) problems.push(args.join(" "));
}

/** In a schema that Citus stores on a worker: `public` would be the coordinator's own. */
async function recordHistory(url: string, env: NodeJS.ProcessEnv): Promise<void> {
  const database = await freshDatabaseUrl(url);
  run([process.execPath, "test/history/run.ts", "--seconds", values.seconds, "--url", database], env);
  await placeOf(url, database);
}

function check(isTrue: boolean, what: string): void {
  if (!isTrue) problems.push(what);
}

/** Every transaction stays in one schema, and so on one worker: what a server writes is never committed in two phases. */
async function tryLocalTransactions(url: string): Promise<void> {
  const server = await startServer({ database: await freshDatabaseUrl(url) });
  const text = "select count(*)::int as count from pg_dist_transaction";
  const count = async () => (await withClient(url, (client) => client.query(text))).rows[0].count as number;
  // The schema itself was made on all nodes.
  const before = await count();
  const writing = startWriting(server);
  for (const path of ["/v1/partition", "/v1/namespace"]) await put(server, path, { Name: "apart" });
  const method = { Name: "m", Type: "jwt", Config: { BoundIssuer: "x", JWTValidationPubKeys: [] } };
  await put(server, "/v1/acl/auth-method", method);
  await makeToken(server);
  await sleep(5000);
  await writing.stop();
  await expectKept(server, writing, "transactions of one schema");
  const after = await count();
  check(after === before, `${after - before} transactions were committed in two phases`);
  await server.stop();
}

interface Writing {
  acknowledged: string[];
  longest: number;
  /** Answers that were no success. */
  failed: number;
  stop(): Promise<void>;
}

/** Creates policies one after another until it is stopped. A failure is tried again under a new name. */
function startWriting(server: RunningServer): Writing {
  let isStopped = false;
  const writing: Writing = { acknowledged: [], longest: 0, failed: 0, stop: async () => ((isStopped = true), ended) };
  const ended = (async () => {
    for (let at = 0; !isStopped; at++) {
      const began = performance.now();
      const name = `written-${at}`;
      const answer = await put(server, "/v1/acl/policy", { Name: name }).catch(() => undefined);
      if (answer === 200) {
        writing.acknowledged.push(name);
        writing.longest = Math.max(writing.longest, performance.now() - began);
      } else writing.failed += 1;
      await sleep(5);
    }
  })();
  return writing;
}

async function put(server: RunningServer, path: string, body: unknown): Promise<number> {
  const headers = { authorization: `Bearer ${server.token}` };
  const response = await fetch(server.url + path, { method: "PUT", headers, body: JSON.stringify(body) });
  await response.arrayBuffer();
  return response.status;
}

async function namesOf(server: RunningServer): Promise<Set<string>> {
  const headers = { authorization: `Bearer ${server.token}` };
  const list = (await (await fetch(`${server.url}/v1/acl/policies`, { headers })).json()) as { Name: string }[];
  return new Set(list.map(({ Name }) => Name));
}

async function expectKept(server: RunningServer, writing: Writing, what: string): Promise<void> {
  const names = await namesOf(server);
  const lost = writing.acknowledged.filter((name) => !names.has(name));
  say(
    `${what}: ${writing.acknowledged.length} writes acknowledged, ${lost.length} lost, ${writing.failed} refused, ` +
      `the longest ${Math.round(writing.longest)} ms`,
  );
  check(writing.acknowledged.length > 20, `${what}: only ${writing.acknowledged.length} writes`);
  check(lost.length === 0, `${what}: ${lost.length} acknowledged writes are lost`);
}

/** The worker that has a schema. */
async function placeOf(url: string, database: string): Promise<{ schema: string; node: NodeName }> {
  const schema = /search_path%3D(\w+)/.exec(database)?.[1] ?? "";
  const found = await withClient(url, (client) =>
    client.query("select distinct nodeport as port from citus_shards where table_name::text like $1", [`${schema}.%`]),
  );
  check(found.rows.length === 1, `the schema is on ${found.rows.length} nodes`);
  const port = Number(found.rows[0]?.port);
  return { schema, node: port === cluster.port("worker-1") ? "worker-1" : "worker-2" };
}

/** Moves a schema from one worker to the other and back while it is written to. */
async function tryMoves(url: string): Promise<void> {
  const database = await freshDatabaseUrl(url);
  const server = await startServer({ database });
  const writing = startWriting(server);
  await sleep(2000);
  for (const _turn of [1, 2]) {
    const { schema, node } = await placeOf(url, database);
    const target = node === "worker-1" ? "worker-2" : "worker-1";
    const began = performance.now();
    await withClient(url, (client) =>
      client.query(`select citus_schema_move('${schema}', '127.0.0.1', ${cluster.port(target)}, 'force_logical')`),
    );
    say(`moved from ${node} to ${target} in ${Math.round(performance.now() - began)} ms`);
    check((await placeOf(url, database)).node === target, "the schema did not move");
    await sleep(2000);
  }
  await writing.stop();
  await expectKept(server, writing, "moves under writes");
  check(writing.longest <= 3000, `a write took ${Math.round(writing.longest)} ms while the schema moved`);
  await server.stop();
}

async function tryLostWorker(url: string): Promise<void> {
  const database = await freshDatabaseUrl(url);
  const server = await startServer({ database });
  const { node } = await placeOf(url, database);
  const writing = startWriting(server);
  await sleep(2000);
  await cluster.kill(node);
  await sleep(3000);
  const before = writing.acknowledged.length;
  await cluster.start(node);
  await until(() => writing.acknowledged.length > before + 20, "writes after the worker is back");
  await writing.stop();
  await expectKept(server, writing, `${node} killed and back`);
  await server.stop();
}

async function until(isTrue: () => boolean, what: string): Promise<void> {
  for (let turn = 0; turn < 600; turn++) {
    if (isTrue()) return;
    await sleep(100);
  }
  problems.push(`not within a minute: ${what}`);
}

/** A worker whose commits are not on disk, and one whose clock is wrong, refuse a start. */
async function tryWeakWorkers(url: string): Promise<void> {
  const database = await freshDatabaseUrl(url);
  // The master key is there.
  const dataDir = mkdtempSync(join(directory, "data-"));
  await (await startServer({ database, dataDir })).stop();
  const set = (text: string) =>
    withClient(cluster.url("worker-2"), async (client) => {
      await client.query(text);
      await client.query("select pg_reload_conf()");
    });
  await set("alter system set synchronous_commit = off");
  await expectRefused({ database, dataDir }, /worker 127\.0\.0\.1:\d+ of the database has synchronous_commit=off/);
  await set("alter system reset synchronous_commit");
  if (!existsSync(FAKETIME)) return say(`${FAKETIME} is missing: no clock was tried`);
  await cluster.kill("worker-2");
  await cluster.start("worker-2", "+30s");
  await expectRefused({ database, dataDir }, /has a clock that differs by (?:29|30)\.\d s/);
  await cluster.kill("worker-2");
  await cluster.start("worker-2");
  await (await startServer({ database, dataDir })).stop();
}

async function expectRefused(place: { database: string; dataDir: string }, reason: RegExp): Promise<void> {
  try {
    await (await startServer(place)).stop();
    problems.push(`a start was not refused: ${reason.source}`);
  } catch (error) {
    const { message } = error as Error;
    say(`refused: ${/^tessera: (.*)$/m.exec(message)?.[1] ?? message}`);
    check(reason.test(message), `a start was refused otherwise: ${message}`);
  }
}

/** Two servers on different nodes of the cluster: what one writes the other knows within a second. */
async function tryEntryNodes(): Promise<void> {
  const database = await freshDatabaseUrl(cluster.url("coordinator"));
  const other = database.replace(`:${cluster.port("coordinator")}/`, `:${cluster.port("worker-1")}/`);
  const one = await startServer({ database });
  const two = await startServer({ database: other, dataDir: one.dataDir });
  const token = await makeToken(one);
  const headers = { authorization: `Bearer ${token.secret}` };
  const self = async () => (await fetch(`${two.url}/v1/acl/token/self`, { headers })).status;
  check((await self()) === 200, "a token of one server is not known to the other");
  const path = `${one.url}/v1/acl/token/${token.accessor}`;
  await fetch(path, { method: "DELETE", headers: { authorization: `Bearer ${one.token}` } });
  const began = performance.now();
  while ((await self()) === 200 && performance.now() - began < 10_000) await sleep(20);
  const late = Math.round(performance.now() - began);
  say(`a token that one server deleted was refused by the other after ${late} ms`);
  check(late <= 1000, `a deleted token was accepted for ${late} ms on another entry node`);
  await two.stop();
  await one.stop();
}

/** A schema that was made on the coordinator alone is distributed later. Its servers are stopped: a busy schema may end it. */
async function tryLaterDistribution(url: string): Promise<void> {
  const schema = "later";
  const place = {
    database: `${url}?options=-csearch_path%3D${schema}%2Cpublic`,
    dataDir: mkdtempSync(join(directory, "data-")),
  };
  await withClient(url, async (client) => {
    await client.query("set citus.enable_schema_based_sharding = off");
    await client.query(`create schema ${schema}`);
  });
  const before = await startServer(place);
  check((await put(before, "/v1/acl/policy", { Name: "kept" })) === 200, "a write before the schema is distributed");
  await before.stop();
  await withClient(url, (client) => client.query(`select citus_schema_distribute('${schema}')`));
  const after = await startServer(place);
  const again = { ...after, token: before.token };
  check((await namesOf(again)).has("kept"), "what was written before the schema was distributed is lost");
  const writing = startWriting(again);
  await until(() => writing.acknowledged.length > 20, "writes after the schema is distributed");
  await writing.stop();
  await placeOf(url, place.database);
  await expectKept(again, writing, "distributed later");
  await after.stop();
}

async function makeToken(server: RunningServer): Promise<{ accessor: string; secret: string }> {
  const headers = { authorization: `Bearer ${server.token}` };
  const response = await fetch(`${server.url}/v1/acl/token`, { method: "PUT", headers, body: "{}" });
  const { AccessorID, SecretID } = (await response.json()) as { AccessorID: string; SecretID: string };
  return { accessor: AccessorID, secret: SecretID };
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
