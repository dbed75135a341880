import { createSecretKey, randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { wrapDataKey } from "../../src/storage/keys/wrapping.ts";
import { openForOperator } from "../../src/storage/operator.ts";
import { temporaryDirectory } from "../support/engines.ts";
import { sized } from "../support/length.ts";
import { letRotationAge, makeKeyFile, rotateKey, type KeyFile } from "../support/rotate-key.ts";
import { startServer } from "../support/server.ts";
import { connectClient } from "./api-client.ts";
import { fill, mount, unmount, whyNoMount } from "./small-disk.ts";
import { readSqlite } from "./stored-state.ts";
import { findContradictions, makeOrganization, startTagLoad, type Attempt } from "./tag-load.ts";

const reason = whyNoMount();
/** So small that the log alone would fill it within a second, were it let. */
const MEGABYTES = 8;
const ROUNDS = sized(1, 6);

async function addDataKeys(database: string, { key }: KeyFile, count: number): Promise<void> {
  const db = await openForOperator(database);
  const master = createSecretKey(key);
  await db.inTransaction({ kind: "root" }, async (tx) => {
    for (let number = 0; number < count; number++) {
      const id = `key-${String(number).padStart(8, "0")}`;
      const row = { id, purpose: "data", created_at: "", retired_at: null } as const;
      tx.write(tx.sql.insertInto("data_keys").values({ ...row, wrapped: wrapDataKey(master, randomBytes(32), id) }));
    }
  });
  await db.close();
}

describe.skipIf(reason !== undefined)(
  `disk full on SQLite${reason === undefined ? "" : ` (skipped: ${reason})`}`,
  () => {
    test("writes are refused with 503, the server is not ready, reads go on, and once there is space writes work again without a restart", async () => {
      const folder = join(temporaryDirectory(), "small");
      mkdirSync(folder);
      expect(mount(folder, MEGABYTES)).toBeUndefined();
      onTestFinished(() => void unmount(folder));
      const dataDir = join(folder, "data");
      const server = await startServer({ dataDir });
      const { url, token } = server;
      const workspace = await makeOrganization(url, token, "full");
      const probe = connectClient(url, token);
      onTestFinished(() => probe.close());
      const attempts: Attempt[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const load = startTagLoad({ url, token, organization: "full", workspace, clients: 4, prefix: `r${round}` });
        while (load.done() < 20) await sleep(5);
        const ballast = fill(folder);
        const answers = (status: number) => load.attempts.filter((attempt) => attempt.status === status).length;
        while (answers(503) < 40) await sleep(5);
        for (const path of [
          "organizations/full",
          "organizations/full/tags?page%5Bsize%5D=100",
          `workspaces/${workspace}`,
        ]) {
          expect((await probe.send("GET", `/api/v2/${path}`)).status).toBe(200);
        }
        await expect.poll(async () => (await probe.send("GET", "/readyz")).status).toBe(503);
        rmSync(ballast);
        const before = load.done();
        while (load.done() < before + 100) await sleep(5);
        // Before it can fill the disk again.
        await load.stop();
        await expect.poll(async () => (await probe.send("GET", "/readyz")).status).toBe(200);
        attempts.push(...load.attempts);
      }
      const odd = attempts.filter(({ status }) => status !== 503 && (status < 200 || status >= 300));
      expect(odd).toEqual([]);
      const refused = attempts.filter((attempt) => attempt.status === 503);
      expect(refused.filter((attempt) => !attempt.retryAfter)).toEqual([]);
      expect(await server.stop()).toBe(0);
      const stored = await readSqlite(join(dataDir, "tessera.db"));
      expect(stored.faults).toEqual([]);
      expect(findContradictions(attempts, stored.tags)).toEqual([]);
    });

    test("a rotation that finds no room changes nothing, and can be begun again when there is some", async () => {
      const folder = join(temporaryDirectory(), "small");
      mkdirSync(folder);
      expect(mount(folder, MEGABYTES)).toBeUndefined();
      onTestFinished(() => void unmount(folder));
      const dataDir = join(folder, "data");
      const database = `sqlite:${join(dataDir, "tessera.db")}`;
      const [old, next] = [makeKeyFile(), makeKeyFile()];
      const start = () => startServer({ dataDir, args: ["--key-file", old.file] });
      await (await start()).stop();
      // So many that wrapping them takes more room than the log has.
      await addDataKeys(database, old, 3000);
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
      for (const key of [old, next]) expect(await verify(key)).toMatchObject({ code: 0 });
      rmSync(again);
      await letRotationAge(database);
      expect(await finish()).toMatchObject({ code: 0, stderr: "" });
      expect(await verify(next)).toMatchObject({ code: 0 });
    });
  },
);
