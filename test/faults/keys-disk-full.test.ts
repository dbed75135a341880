/** Keys that are replaced, and secrets that are sealed anew, on a disk that is full: nothing is half done, and it goes on with space. */
import { createSecretKey, randomBytes } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { wrapDataKey } from "../../src/storage/keys/wrapping.ts";
import { openForOperator } from "../../src/storage/operator/operator.ts";
import { temporaryDirectory } from "../support/engines.ts";
import { letRotationAge, makeKeyFile, rotateKey, type KeyFile } from "../support/rotate-key.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { fill, mount, unmount, whyNoMount } from "./small-disk.ts";

const reason = whyNoMount();

function smallDisk(megabytes: number): string {
  const folder = join(temporaryDirectory(), "small");
  mkdirSync(folder);
  expect(mount(folder, megabytes)).toBeUndefined();
  onTestFinished(() => void unmount(folder));
  return folder;
}

/** Number of keys: a change of all of them takes more room than the log has. */
const MANY_KEYS = 3000;

async function addDataKeys(database: string, { key }: KeyFile): Promise<void> {
  const db = await openForOperator(database);
  const master = createSecretKey(key);
  await db.inTransaction({ kind: "root" }, async (tx) => {
    for (let number = 0; number < MANY_KEYS; number++) {
      const id = `key-${String(number).padStart(8, "0")}`;
      const row = { id, purpose: "data", created_at: "", retired_at: null } as const;
      tx.write(tx.sql.insertInto("data_keys").values({ ...row, wrapped: wrapDataKey(master, randomBytes(32), id) }));
    }
  });
  await db.close();
}

async function createTokens({ url, token }: RunningServer, count: number): Promise<string[]> {
  const secrets: string[] = [];
  const create = async () => {
    while (secrets.length < count) {
      const headers = { "x-service-token": token };
      const answer = await fetch(`${url}/v1/acl/token`, { method: "PUT", headers, body: "{}" });
      const text = await answer.text();
      expect(answer.status, text).toBe(200);
      secrets.push((JSON.parse(text) as { SecretID: string }).SecretID);
    }
  };
  await Promise.all(Array.from({ length: 8 }, create));
  return secrets;
}

/** Copies SQLite's log into the database and leaves it empty: what is written from then on needs room. */
function emptyLog(database: string): void {
  const db = new DatabaseSync(database.slice("sqlite:".length));
  db.exec("pragma wal_checkpoint(truncate)");
  db.close();
}

const TOKENS = 3000;
/** Disk space left for a start, in bytes. */
const SPARE = 512 * 1024;
const ONE_LINE = /^tessera: [^\n]*disk is full[^\n]*\n$/;

describe.skipIf(reason !== undefined)(
  `keys on a full disk${reason === undefined ? "" : ` (skipped: ${reason})`}`,
  () => {
    test("a rotation that finds no room changes nothing, and can be begun again when there is some", async () => {
      const folder = smallDisk(8);
      const dataDir = join(folder, "data");
      const database = `sqlite:${join(dataDir, "tessera.db")}`;
      const [old, next] = [makeKeyFile(), makeKeyFile()];
      const start = () => startServer({ dataDir, args: ["--key-file", old.file] });
      await (await start()).stop();
      await addDataKeys(database, old);
      const server = await start();
      onTestFinished(() => server.kill());
      const begin = (key = next) =>
        rotateKey(["--data-dir", dataDir], ["--key-file", old.file, "--new-key-file", key.file]);
      const verify = ({ file }: KeyFile) => rotateKey(["--data-dir", dataDir], ["--key-file", file, "--verify"]);
      const ballast = fill(folder);
      const refused = await begin();
      expect([refused.code, refused.stderr]).toEqual([
        2,
        expect.stringMatching(/^tessera: [^\n]*disk is full[^\n]*\n$/),
      ]);
      expect(await verify(next)).toMatchObject({ code: 2 });
      expect(await verify(old)).toMatchObject({ code: 0 });
      rmSync(ballast);
      expect(await begin()).toMatchObject({ code: 0, stderr: "" });
      await letRotationAge(database);
      const again = fill(folder);
      const finish = () => rotateKey(["--data-dir", dataDir], ["--key-file", next.file, "--finish"]);
      // The server notes time and again that it runs by the old key, when it can.
      await server.kill({ keepData: true });
      expect((await finish()).code).toBe(2);
      for (const key of [old, next]) expect(await verify(key)).toMatchObject({ code: 0, stderr: "" });
      rmSync(again);
      await letRotationAge(database);
      expect(await finish()).toMatchObject({ code: 0, stderr: "" });
      expect(await verify(next)).toMatchObject({ code: 0 });
    });

    test("that all is sealed anew is not asked for where there is no room, not even in part, and can be asked again when there is some", async () => {
      const dataDir = join(smallDisk(8), "data");
      const database = `sqlite:${join(dataDir, "tessera.db")}`;
      const key = makeKeyFile();
      const start = () => startServer({ dataDir, args: ["--key-file", key.file] });
      const first = await start();
      const secrets = await createTokens(first, 5);
      expect(await first.stop()).toBe(0);
      await addDataKeys(database, key);
      const run = (...args: string[]) => rotateKey(["--data-dir", dataDir], ["--key-file", key.file, ...args]);
      const server = await start();
      onTestFinished(() => server.kill());
      const ballast = fill(join(dataDir, ".."));
      const refused = await run("--reseal");
      expect([refused.code, refused.stdout, refused.stderr]).toEqual([2, "", expect.stringMatching(ONE_LINE)]);
      const retired = new DatabaseSync(join(dataDir, "tessera.db"), { readOnly: true });
      const count = (sql: string) => Number(retired.prepare(`select count(*) as count from ${sql}`).get()?.["count"]);
      expect(count("data_keys where retired_at is not null")).toBe(0);
      expect([count("reseals"), count("audit_records where action = 'reseal'")]).toEqual([0, 0]);
      retired.close();
      expect(await run("--verify")).toMatchObject({ code: 0 });
      for (const secret of secrets) {
        const self = await fetch(`${server.url}/v1/acl/token/self`, { headers: { "x-service-token": secret } });
        expect(self.status).toBe(200);
      }
      rmSync(ballast);
      expect(await run("--reseal")).toMatchObject({ code: 0, stderr: "" });
      await expect
        .poll(async () => (await run()).stdout, { timeout: 30_000 })
        .toMatch(/re-encrypted, 0 cannot be decrypted; waiting for pass/);
      expect(await run("--verify")).toMatchObject({ code: 0 });
    });

    test("a disk that is full while all is sealed anew loses nothing: all opens at every moment, and the server goes on when there is space", async () => {
      // When writes come as fast as they can, the log takes more than 24 MB of the disk before it is emptied.
      const folder = smallDisk(128);
      const dataDir = join(folder, "data");
      const database = `sqlite:${join(dataDir, "tessera.db")}`;
      const key = makeKeyFile();
      const start = () => startServer({ dataDir, args: ["--key-file", key.file] });
      const run = (...args: string[]) => rotateKey(["--data-dir", dataDir], ["--key-file", key.file, ...args]);
      const first = await start();
      const secrets = await createTokens(first, TOKENS);
      expect(await first.stop()).toBe(0);
      expect(await run("--reseal")).toMatchObject({ code: 0, stderr: "" });
      emptyLog(database);
      const ballast = fill(folder);
      truncateSync(ballast, statSync(ballast).size - SPARE);
      const server = await start();
      onTestFinished(() => server.kill());
      // Fill the rest: otherwise the space that a checkpoint frees in time is enough for all of them, one batch after
      // the other.
      fill(folder);
      await expect.poll(() => server.stdout, { timeout: 60_000 }).toContain("re-encryption failed");
      expect(await run("--verify")).toMatchObject({ code: 0 });
      const [, sealed] = /(\d+) re-encrypted, 0 cannot be decrypted/.exec((await run()).stdout) ?? [];
      expect(Number(sealed)).toBeLessThan(TOKENS);
      rmSync(ballast);
      await expect
        .poll(async () => (await run()).stdout, { timeout: 60_000 })
        .toMatch(/ 0 cannot be decrypted; waiting for pass/);
      expect(await run("--verify")).toMatchObject({ code: 0 });
      const db = await openForOperator(database);
      const old = await db.sql.selectFrom("data_keys").select("id").where("retired_at", "is not", null).execute();
      const rows = await db.sql.selectFrom("tokens").select("secret_sealed as text").execute();
      await db.close();
      const ids = new Set(old.map(({ id }) => id));
      expect(rows.length).toBeGreaterThan(TOKENS);
      expect(rows.filter(({ text }) => ids.has(text.slice(0, text.indexOf("."))))).toEqual([]);
      for (const secret of secrets.slice(0, 20)) {
        const self = await fetch(`${server.url}/v1/acl/token/self`, { headers: { "x-service-token": secret } });
        expect(self.status).toBe(200);
      }
    });

    test("that a new master key is used is noted in the data directory where its own disk is full, and told where neither has room, until a server notes it", async () => {
      const [full, database] = [smallDisk(1), `sqlite:${join(temporaryDirectory(), "tessera.db")}`];
      const [dataDir, key] = [join(full, "data"), makeKeyFile()];
      const put = (name: string): KeyFile => {
        const made = makeKeyFile();
        copyFileSync(made.file, join(full, name));
        return { ...made, file: join(full, name) };
      };
      const start = (url: string, { file }: KeyFile) =>
        startServer({ database: url, dataDir, args: ["--key-file", file] });
      expect(await (await start(database, key)).stop()).toBe(0);
      const [second, third] = [put("second"), put("third")];
      const run = async (from: KeyFile, to: KeyFile, place = dataDir) => {
        const where = ["--data-dir", place, "--database", database];
        const begun = await rotateKey(where, ["--key-file", from.file, "--new-key-file", to.file]);
        await letRotationAge(database);
        expect(await rotateKey(where, ["--key-file", to.file, "--finish"])).toMatchObject({ code: 0 });
        expect(await rotateKey(where, ["--key-file", to.file, "--verify"])).toMatchObject({ code: 0 });
        return begun;
      };
      const ballast = fill(full);
      const left = readdirSync(full);
      const withRoom = temporaryDirectory();
      expect(await run(key, second, withRoom)).toMatchObject({ code: 0, stderr: "" });
      expect(readdirSync(withRoom)).toEqual(["master-key.used"]);
      const untold = await run(second, third);
      expect([untold.code, untold.stderr]).toEqual([
        0,
        expect.stringMatching(/^tessera: cannot write the key-usage marker[^\n]*ENOSPC[^\n]*\n$/),
      ]);
      expect(readdirSync(full)).toEqual(left);
      rmSync(ballast);
      expect(await (await start(database, third)).stop()).toBe(0);
      expect(existsSync(`${third.file}.used`)).toBe(true);
      const lost = `sqlite:${join(temporaryDirectory(), "tessera.db")}`;
      await expect(start(lost, third)).rejects.toThrow("the database is missing or empty, but the master key");
    });
  },
);
