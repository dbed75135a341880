/** Databases that come to a place without the mark of their log: each gets one, and what is in them is served. */
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { call, isCopied, slotOf, until } from "../faults/lost-log.ts";
import { temporaryDirectory } from "../support/engines.ts";
import { startServer } from "../support/server.ts";
import { tessera } from "./command.ts";

const fileIn = (dataDir: string) => join(dataDir, "tessera.db");
const KEEP = ["master-key", "management-token"];

/** A server's folder with one policy in it. */
async function used(): Promise<string> {
  const dataDir = join(temporaryDirectory(), "data");
  const server = await startServer({ dataDir });
  await call(server, "PUT", "/v1/acl/policy", { Name: "kept" });
  expect(await server.stop()).toBe(0);
  return dataDir;
}

/** An empty folder with the keys of another. */
function folderFor(dataDir: string): string {
  const folder = join(temporaryDirectory(), "data");
  mkdirSync(folder, { mode: 0o700 });
  for (const name of KEEP) cpSync(join(dataDir, name), join(folder, name));
  return folder;
}

/** Starts a server that is killed, and another one behind it. @returns what the first has said */
async function startTwice(dataDir: string): Promise<string> {
  const server = await startServer({ dataDir });
  const policies = (await call(server, "GET", "/v1/acl/policies")) as { Name: string }[];
  expect(policies.map(({ Name }) => Name)).toContain("kept");
  await call(server, "PUT", "/v1/acl/policy", { Name: `of-${policies.length}` });
  expect(slotOf(dataDir).kind).toBe("live");
  await server.kill({ keepData: true });
  const next = await startServer({ dataDir });
  expect(await next.stop()).toBe(0);
  expect(isCopied(slotOf(dataDir))).toBe(true);
  return server.stdout;
}

test("a database of a version before gets a mark at its first start", async () => {
  const dataDir = await used();
  const db = new DatabaseSync(fileIn(dataDir));
  db.exec("drop table log_mark");
  db.close();
  rmSync(`${fileIn(dataDir)}.mark`);
  expect(await startTwice(dataDir)).not.toContain("mark");
});

test("a copy by SQLite's own backup, of a server that runs, gets one and says so", async () => {
  const dataDir = await used();
  const server = await startServer({ dataDir });
  await call(server, "PUT", "/v1/acl/policy", { Name: "meanwhile" });
  const folder = folderFor(dataDir);
  const source = new DatabaseSync(fileIn(dataDir), { readOnly: true });
  await backup(source, fileIn(folder));
  source.close();
  await server.kill();
  expect(await startTwice(folder)).toContain("is a copy without a log mark; creating a new mark");
});

test("a copy of the whole folder of a server that is stopped has its own", async () => {
  const dataDir = await used();
  const folder = join(temporaryDirectory(), "data");
  cpSync(dataDir, folder, { recursive: true });
  expect(await startTwice(folder)).not.toContain("mark");
});

test("a restore takes the mark of what lay there before away, and its database gets one", async () => {
  const dataDir = await used();
  const file = join(temporaryDirectory(), "one.backup");
  expect((await tessera("backup", file, "--data-dir", dataDir)).status).toBe(0);
  const server = await startServer({ dataDir });
  await call(server, "PUT", "/v1/acl/policy", { Name: "lost" });
  await server.kill({ keepData: true });
  // As somebody does who knows of SQLite's files alone.
  for (const name of ["tessera.db", "tessera.db-wal", "tessera.db-shm"]) rmSync(join(dataDir, name), { force: true });
  expect((await tessera("restore", file, "--data-dir", dataDir)).status).toBe(0);
  expect(existsSync(`${fileIn(dataDir)}.mark`)).toBe(false);
  expect(await startTwice(dataDir)).not.toContain("mark");
});

test("a move to another file leaves the mark where it is, and the file gets one", async () => {
  const dataDir = await used();
  const folder = folderFor(dataDir);
  const where = ["--from", `sqlite:${fileIn(dataDir)}`, "--to", `sqlite:${fileIn(folder)}`, "--data-dir", dataDir];
  const { status, stderr } = await tessera("move", ...where);
  expect([status, stderr]).toEqual([0, ""]);
  expect(await startTwice(folder)).not.toContain("mark");
  expect(readdirSync(dataDir)).not.toContain("tessera.db-wal");
});

test("a program beside the server that copies the log, and begins it anew, is no loss", async () => {
  const dataDir = await used();
  const server = await startServer({ dataDir });
  const other = new DatabaseSync(fileIn(dataDir));
  for (let i = 0; i < 5; i++) {
    await call(server, "PUT", "/v1/acl/policy", { Name: `other-${i}` });
    other.exec("pragma wal_checkpoint(truncate)");
  }
  await call(server, "PUT", "/v1/acl/policy", { Name: "other-last" });
  await until(() => slotOf(dataDir).frames > 0);
  await server.kill({ keepData: true });
  // As Litestream does when its server is gone: more is begun anew, and nothing is removed.
  other.exec("pragma wal_checkpoint(restart)");
  other.exec("create table if not exists _litestream_seq (id integer primary key, seq integer)");
  const folder = join(temporaryDirectory(), "data");
  cpSync(dataDir, folder, { recursive: true });
  other.close();
  expect(await startTwice(folder)).not.toContain("lost");
});
