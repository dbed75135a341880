/** Servers of this version and of a made-up next one, each a process of its own, on one database. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { MIGRATIONS, youngestMigration } from "../../src/storage/migrations/migrate.ts";
import { startTcpProxy } from "../faults/tcp-proxy.ts";
import { makeDatabaseUrl, temporaryDirectory } from "../support/engines.ts";
import {
  messagesOf,
  NEXT_VERSION,
  runVersion,
  start,
  startLoad,
  stopServers,
  THIS_VERSION,
  type Load,
} from "../support/next-version.ts";
import { withClient } from "../support/postgres-schema.ts";
import type { RunningServer } from "../support/server.ts";
import { ask, untilWaiting } from "../support/two-nodes.ts";

afterEach(stopServers);

const KNOWN = youngestMigration().slice(0, 4);
const NOT_FINISHED = /^the upgrade is not finished: 9002-mottos-only is left/;
const REFUSED = /^tessera: the database has migration 9002-mottos-only, which this version does not know .*\n$/;

async function migrationsOf(database: string): Promise<string[]> {
  return withClient(database, async (client) => {
    const { rows } = await client.query<{ name: string }>("select name from schema_migrations order by name");
    return rows.map(({ name }) => name);
  });
}

/** Waits until the load has had so many answers more. */
async function goOn(load: Load, answers: number): Promise<void> {
  const enough = load.done() + answers;
  const deadline = performance.now() + 30_000;
  while (load.done() < enough) {
    if (performance.now() > deadline) throw new Error(`${load.done()} answers, ${enough} wanted`);
    await sleep(20);
  }
  expect(load.failures).toEqual([]);
}

/** Checks that the reader shows a write of the writer, and that the write wakes a waiting request there. */
async function expectShared(writer: RunningServer, reader: RunningServer, token: string): Promise<void> {
  const Name = `by-${writer.pid}-for-${reader.pid}`;
  const { ID } = (await ask(writer, token, "PUT", "/acl/policy", { Name })).body;
  const path = `/acl/policy/${String(ID)}`;
  const seen = await ask(reader, token, "GET", path);
  expect(seen).toMatchObject({ status: 200, body: { Name, Description: "" } });
  const waiting = waitForChange(reader, token, path, seen.index);
  await untilWaiting(reader, token, 1);
  expect((await ask(writer, token, "PATCH", path, { Description: "changed" })).status).toBe(200);
  expect(await waiting).toBe("changed");
}

/** As clients do it: other writes of the load may end a wait early. @returns the new description */
async function waitForChange(server: RunningServer, token: string, path: string, index: number): Promise<unknown> {
  const answer = await ask(server, token, "GET", `${path}?wait=10m&index=${index}`);
  expect(answer.status).toBe(200);
  expect(answer.index).toBeGreaterThanOrEqual(index);
  return answer.body["Description"] === "" && answer.index > index
    ? waitForChange(server, token, path, answer.index)
    : answer.body["Description"];
}

it("servers of two versions work side by side, and the upgrade is finished when the older ones are gone", async () => {
  const database = await makeDatabaseUrl("postgres");
  const dataDir = temporaryDirectory();
  const a = await start({ database, dataDir });
  const { token } = a;
  const node = { database, args: ["--key-file", join(dataDir, "master-key")] };
  const next = { ...node, entry: NEXT_VERSION };
  const finish = async () => runVersion(NEXT_VERSION, "finish-upgrade", "--database", database);
  const known = MIGRATIONS.map(({ name }) => name).toSorted();
  const load = startLoad(a, token, "a");
  await goOn(load, 100);

  const [b, b2] = await Promise.all([start(next), start(next)]);
  expect(await migrationsOf(database)).toEqual([...known, "9001-mottos"]);
  for (const server of [b, b2])
    await expect.poll(() => messagesOf(server)).toContainEqual(expect.stringMatching(NOT_FINISHED));
  await goOn(load, 100);
  await expectShared(b, a, token);
  await expectShared(a, b, token);
  await expectShared(b2, b, token);

  const c = await start(node);
  const warning = "a newer version has added to the database (9001-mottos)";
  await expect.poll(() => messagesOf(c)).toContainEqual(expect.stringContaining(warning));
  expect(messagesOf(c).filter((message) => message.startsWith("a newer version"))).toHaveLength(1);
  await expectShared(c, b, token);
  await expectShared(b, c, token);
  await goOn(load, 100);

  const both = await finish();
  expect(both).toMatchObject({ status: 2, stdout: "" });
  expect(both.stderr).toMatch(
    /^tessera: servers of older versions are connected: .*\. Stop them, then run this command again\n$/,
  );
  for (const { pid } of [a, c]) expect(both.stderr).toContain(`:${pid} (knows migrations up to ${KNOWN})`);
  for (const { pid } of [b, b2]) expect(both.stderr).not.toContain(`:${pid} `);
  expect(await runVersion(THIS_VERSION, "finish-upgrade", "--database", database)).toMatchObject({
    status: 0,
    stdout: "Nothing to do\n",
  });
  await c.stop();
  const one = await finish();
  expect(one.stderr).toContain(`:${a.pid} (`);
  expect(one.stderr).not.toContain(`:${c.pid} (`);
  expect(await migrationsOf(database)).toEqual([...known, "9001-mottos"]);
  await goOn(load, 100);
  await load.stop();
  expect(load.failures).toEqual([]);
  await a.stop();

  const later = startLoad(b, token, "b");
  await goOn(later, 100);
  expect(await finish()).toMatchObject({
    status: 0,
    stdout: "Finished the upgrade: applied 9002-mottos-only\n",
    stderr: "",
  });
  await goOn(later, 100);
  await later.stop();
  expect(later.failures).toEqual([]);
  await expectShared(b, b2, token);
  const late = await runVersion(THIS_VERSION, "serve", "--listen", "127.0.0.1:0", "--database", database, ...node.args);
  expect(late).toMatchObject({ status: 2, stderr: expect.stringMatching(REFUSED) });
});

it("a server that was cut off while the upgrade was finished does not work on with what it knew", async () => {
  const database = await makeDatabaseUrl("postgres");
  const dataDir = temporaryDirectory();
  const proxy = await startTcpProxy(database);
  const a = await start({ database: proxy.url, dataDir });
  const { token } = a;
  const b = await start({ database, entry: NEXT_VERSION, args: ["--key-file", join(dataDir, "master-key")] });
  const finish = async () => runVersion(NEXT_VERSION, "finish-upgrade", "--database", database);
  expect((await finish()).stderr).toContain(`:${a.pid} (`);
  proxy.refuse = true;
  proxy.cut();
  await expect.poll(async () => (await finish()).status, { timeout: 60_000 }).toBe(0);
  proxy.refuse = false;
  // Its connections retry often enough in this time that each would be up again.
  for (let round = 0; round < 30; round++) {
    const written = await ask(a, token, "PUT", "/acl/policy", { Name: `late-${round}` });
    expect(written).toMatchObject({ status: 503 });
    await sleep(100);
  }
  expect((await ask(a, token, "GET", "/acl/policies")).status).toBe(503);
  expect((await ask(b, token, "PUT", "/acl/policy", { Name: "next" })).status).toBe(200);
  await a.stop();
  await proxy.close();
});

it("going back to the older version before the upgrade is finished loses nothing", async () => {
  const database = await makeDatabaseUrl("postgres");
  const dataDir = temporaryDirectory();
  const options = { database, dataDir };
  const first = await start(options);
  const { token } = first;
  const make = async (server: RunningServer, Name: string) =>
    expect((await ask(server, token, "PUT", "/acl/policy", { Name })).status).toBe(200);
  await make(first, "before");
  await first.stop();
  const next = await start({ ...options, entry: NEXT_VERSION });
  await make(next, "meanwhile");
  await next.stop();
  const back = await start(options);
  await make(back, "after");
  const { text } = await ask(back, token, "GET", "/acl/policies");
  for (const name of ["before", "meanwhile", "after"]) expect(text).toContain(`"${name}"`);
});

it("an embedded database is brought up to date at once, and the older version is refused then", async () => {
  const dataDir = temporaryDirectory();
  const database = `sqlite:${join(dataDir, "tessera.db")}`;
  const old = await start({ database, dataDir });
  const { token } = old;
  expect((await ask(old, token, "PUT", "/acl/policy", { Name: "kept" })).status).toBe(200);
  await old.stop();
  const next = await start({ database, dataDir, entry: NEXT_VERSION });
  expect((await ask(next, token, "GET", "/acl/policy/name/kept")).status).toBe(200);
  expect((await ask(next, token, "PUT", "/acl/policy", { Name: "new" })).status).toBe(200);
  expect(await runVersion(NEXT_VERSION, "finish-upgrade", "--database", database)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^Nothing to do: .*\n$/),
  });
  await next.stop();
  const args = ["serve", "--listen", "127.0.0.1:0", "--database", database, "--data-dir", dataDir];
  expect(await runVersion(THIS_VERSION, ...args)).toMatchObject({ status: 2, stderr: expect.stringMatching(REFUSED) });
});
