/** A disk that is full fails a backup or a restore in one line, and leaves nothing behind. */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { fill, mount, mountForPostgres, openDirectory, unmount, whyNoMount } from "../faults/small-disk.ts";
import { temporaryDirectory } from "../support/engines.ts";
import { startPostgres } from "../support/postgres.ts";
import { withClient } from "../support/postgres-schema.ts";
import { startServer } from "../support/server.ts";
import { ask, callerOf } from "../upgrades/caller.ts";
import { query } from "../upgrades/state.ts";
import { emptyPlace, tessera, type Place } from "./command.ts";
import { move } from "./moving.ts";

const reason = whyNoMount();

function smallDisk(megabytes: number): string {
  const folder = join(temporaryDirectory(), "small");
  mkdirSync(folder);
  expect(mount(folder, megabytes)).toBeUndefined();
  onTestFinished(() => void unmount(folder));
  return folder;
}

/**
 * Uses up what is left of the log of a database on a full disk, frame by frame. It is not begun anew as long as somebody reads what it
 * was before.
 *
 * @returns what ends that reading
 */
function useUp(path: string): () => void {
  const [reader, writer] = [new DatabaseSync(path), new DatabaseSync(path, { timeout: 5000 })];
  reader.exec("begin; select count(*) from meta");
  expect(() => {
    for (let number = 1; number < 5000; number++) writer.exec(`pragma user_version = ${number}`);
  }).toThrow("full");
  writer.close();
  return () => reader.close();
}

describe.skipIf(reason !== undefined)(`a full disk${reason === undefined ? "" : ` (skipped: ${reason})`}`, () => {
  let source: Place;
  let token: string;
  const file = join(temporaryDirectory(), "backup");

  beforeAll(async () => {
    source = await emptyPlace("postgres");
    const server = await startServer(source);
    ({ token } = server);
    for (let number = 0; number < 40; number++) {
      const Rules = Array.from({ length: 1500 }, () => `key "${crypto.randomUUID()}" { policy = "read" }`).join("\n");
      await callerOf(server.url)("PUT", "/v1/acl/policy", { Name: `p-${number}`, Rules }, server.token);
    }
    expect(await server.stop()).toBe(0);
    expect(await tessera("backup", file, ...source.where)).toMatchObject({ status: 0 });
  });

  test("ends a backup, which leaves no file and can be run again", async () => {
    const folder = smallDisk(1);
    const full = await tessera("backup", join(folder, "backup"), ...source.where);
    expect(full).toMatchObject({ status: 2, stderr: expect.stringMatching(/^tessera: [^\n]*ENOSPC[^\n]*\n$/) });
    expect(readdirSync(folder)).toEqual([]);
    expect(await tessera("backup", file, ...source.where)).toMatchObject({ status: 0 });
  });

  test("of which the copy of an embedded database would not fit is found before it is made", async () => {
    const folder = smallDisk(8);
    const embedded = await emptyPlace("sqlite", source);
    expect(await tessera("restore", file, ...embedded.where)).toMatchObject({ status: 0 });
    const none = await tessera("backup", join(folder, "backup"), ...embedded.where);
    expect(none).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(
        /^tessera: not enough space in [^\n]* for a copy of the database: \d+ MiB required\. Free space, or set TMPDIR to another directory\n$/,
      ),
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("ends a restore, which leaves no database and can be run again", async () => {
    const folder = smallDisk(3);
    const target = await emptyPlace("sqlite", source);
    const database = `sqlite:${join(folder, "db", "tessera.db")}`;
    const args = ["--database", database, "--data-dir", target.dataDir];
    const full = await tessera("restore", file, ...args);
    expect(full).toMatchObject({ status: 2, stderr: expect.stringMatching(/^tessera: [^\n]*full[^\n]*\n$/) });
    expect(readdirSync(join(folder, "db"))).toEqual(["tessera.db.lock"]);
    expect(await tessera("restore", file, ...target.where)).toMatchObject({ status: 0 });
  });

  test("of PostgreSQL ends a restore, which leaves no table and can be run again", async () => {
    const { folder, remove } = mountForPostgres(64);
    const postgres = await startPostgres({ durable: "kills" });
    onTestFinished(async () => {
      await postgres.stop("immediate");
      remove();
    });
    await withClient(postgres.url, async (client) => {
      await client.query(`create tablespace small location '${openDirectory(folder, "tables")}'`);
      await client.query("alter role postgres set default_tablespace = small");
    });
    const ballast = fill(folder);
    const target = await emptyPlace("sqlite", source);
    const where = ["--database", postgres.url, "--data-dir", target.dataDir];
    const full = await tessera("restore", file, ...where);
    expect(full).toMatchObject({ status: 2, stderr: expect.stringMatching(/^tessera: [^\n]*space left[^\n]*\n$/) });
    const tables =
      "select count(*) as count from pg_tables where schemaname not in ('pg_catalog', 'information_schema')";
    expect(Number((await query(postgres.url, tables))[0]?.["count"])).toBe(0);
    rmSync(ballast);
    expect(await tessera("restore", file, ...where)).toMatchObject({ status: 0 });
  });

  test("ends a move to it, whose source goes on, and which can be run again to another place", async () => {
    const folder = smallDisk(3);
    const served = await emptyPlace("postgres", source);
    expect(await tessera("restore", file, ...served.where)).toMatchObject({ status: 0 });
    const server = await startServer(served);
    onTestFinished(async () => void (await server.stop()));
    const full = { ...served, database: `sqlite:${join(folder, "db", "tessera.db")}` };
    const ended = await move(served, full, ["--cutover"]).ended;
    expect(ended).toMatchObject({ status: 2, stderr: expect.stringMatching(/\ntessera: [^\n]*full[^\n]*\n$/) });
    expect(readdirSync(join(folder, "db"))).toEqual(["tessera.db.lock"]);
    const made = await ask(server.url, "PUT", "/v1/acl/policy", { Name: "after" }, token);
    expect(made.status).toBe(200);
    const target = await emptyPlace("sqlite", source);
    expect(await move(served, target, ["--cutover"]).ended).toMatchObject({ status: 0 });
    const [row] = await query(target.database, "select count(*) as count from policies where name = 'after'");
    expect(row).toMatchObject({ count: 1 });
  });

  test("on which the source cannot say that it was left leaves it in use, and the next run ends the move", async () => {
    const folder = smallDisk(24);
    const served = { ...(await emptyPlace("sqlite", source)), database: `sqlite:${join(folder, "db", "tessera.db")}` };
    const where = ["--database", served.database, "--data-dir", served.dataDir];
    expect(await tessera("restore", file, ...where)).toMatchObject({ status: 0 });
    const server = await startServer(served);
    onTestFinished(async () => void (await server.stop()));
    const put = async (Name: string) => (await ask(server.url, "PUT", "/v1/acl/policy", { Name }, token)).status;
    const ballast = fill(folder);
    const release = useUp(join(folder, "db", "tessera.db"));
    const target = await emptyPlace("postgres", source);
    const ended = await move(served, target, ["--cutover"]).ended;
    expect(ended).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/tessera: postgres:[^\n]* is complete, but the source is possibly still enabled/),
    });
    const refused = await tessera("serve", "--listen", "127.0.0.1:0", ...target.where);
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining("the database was copied here") });
    release();
    rmSync(ballast);
    await expect.poll(() => put("after"), { timeout: 30_000 }).toBe(200);
    expect(await move(served, target, ["--cutover"]).ended).toMatchObject({ status: 0 });
    expect(await put("too-late")).toBe(503);
    const [row] = await query(target.database, "select count(*) as count from policies where name = 'after'");
    expect(Number(row?.["count"])).toBe(1);
    expect(await (await startServer(target)).stop()).toBe(0);
  });
});
