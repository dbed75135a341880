/** All that is sealed is sealed anew while servers go on. */
import { expect, onTestFinished, test } from "vitest";
import { forEachEngine, temporaryDirectory } from "../../../test/support/engines.ts";
import { makeCounter, openForTest, readCounter } from "../../../test/support/storage.ts";
import { randomBytes } from "node:crypto";
import type { Database } from "../database.ts";
import { beginReseal, readReseal } from "../keys/reseal.ts";
import { startResealing } from "../keys/resealing.ts";
import { beginRotation } from "../keys/rotate.ts";
import { nameOf, placeIn, SEALED_COLUMNS } from "../keys/sealed-columns.ts";
import { verifySealed } from "../keys/verify.ts";
import { startKeyWatch } from "../keys/watch.ts";
import { isIntact, provenRows, type RowContent } from "../proofs/proofs.ts";

const PARTITION = { kind: "partition", name: "default" } as const;
const tokens = provenRows("tokens");

async function token(db: Database, accessor: string, description = ""): Promise<RowContent<"tokens">> {
  const secret_sealed = await db.keyring.seal(`secret of ${accessor}`, placeIn("tokens", accessor));
  return {
    accessor_id: accessor,
    secret_lookup: db.keyring.lookup(`secret of ${accessor}`),
    secret_sealed,
    description,
    partition: "default",
    namespace: "default",
    policies: "[]",
    roles: "[]",
    service_identities: "[]",
    node_identities: "[]",
    templated_policies: "[]",
    is_local: 0,
    auth_method: "",
    auth_method_namespace: "",
    method_id: "",
    login_identity: null,
    expiration_time: "",
    expires_at: null,
    hash: "",
    created_at: "2026-01-02T03:04:05.678Z",
    create_index: 1,
    modify_index: 1,
    disabled_at: "",
  };
}

async function insertToken(db: Database, accessor: string): Promise<void> {
  const row = await token(db, accessor);
  await db.inTransaction(PARTITION, async (tx) => tokens.insert(tx, row));
}

/** Changes it as a service does: what it reads inside the transaction it writes back, with what is new. */
async function describe(db: Database, accessor: string, description: string): Promise<void> {
  await db.inTransaction(PARTITION, async (tx) => {
    const row = await tx.sql.selectFrom("tokens").selectAll().where("accessor_id", "=", accessor).executeTakeFirst();
    if (row !== undefined) tokens.update(tx, { ...row, description });
  });
}

const dataKeys = async (db: Database): Promise<string[]> => {
  const rows = await db.sql.selectFrom("data_keys").select("id").where("purpose", "=", "data").execute();
  return rows.map(({ id }) => id);
};

const rowsOf = (db: Database) => db.sql.selectFrom("tokens").selectAll().orderBy("accessor_id").execute();
const failing = { onReplaced: fail, onError: fail, onWarning: () => undefined };
function fail(error: unknown): void {
  throw error;
}

/** Lets a server do what was asked for, to its end. */
async function finish(db: Database, keptSeconds = 0): Promise<void> {
  const watch = await startKeyWatch(db, failing);
  const work = startResealing(db, { onError: fail, keptSeconds });
  try {
    await expect.poll(async () => (await readReseal(db))?.state, { timeout: 30_000, interval: 20 }).toBe("done");
  } finally {
    await work.stop();
    await watch.stop();
  }
}

forEachEngine((_engine, makeUrl) => {
  /** A server on a new database, with the master key that it runs by. */
  async function open(): Promise<{ db: Database; master: Buffer; url: string; dataDir: string }> {
    const [url, dataDir, master] = [await makeUrl(), temporaryDirectory(), randomBytes(32)];
    return { db: await openForTest(url, { dataDir, masterKey: master }), master, url, dataDir };
  }

  test("all is sealed anew under other keys, opens, has right proofs, and the old keys go", async () => {
    const { db, master } = await open();
    for (let number = 0; number < 120; number++) await insertToken(db, `token-${number}`);
    const before = await rowsOf(db);
    const [old] = await dataKeys(db);
    const index = await readCounter(db, "partition/default");
    expect(await beginReseal(db)).toBe(1);
    await finish(db);
    const after = await rowsOf(db);
    for (const [number, row] of after.entries()) {
      expect(row.secret_sealed.startsWith(`${old}.`)).toBe(false);
      expect(isIntact("tokens", row)).toBe(true);
      const { secret_sealed: _, proof: __, ...rest } = row;
      expect(before[number]).toMatchObject(rest);
    }
    expect(await verifySealed(db, master)).toMatchObject({ damaged: [], opened: { "tokens.secret_sealed": 120 } });
    const left = await dataKeys(db);
    expect(left.length).toBe(1);
    expect(left).not.toContain(old);
    expect(await readReseal(db)).toMatchObject({ resealed: 120, damaged: 0, found: 0 });
    // Nobody was told of anything, and no index has moved.
    expect(await readCounter(db, "partition/default")).toBe(index);
    expect(await beginReseal(db)).toBe(1);
    await expect(beginReseal(db)).rejects.toThrow(/re-encryption is already running/);
  });

  test("tokens that are made, changed and deleted meanwhile are what they were made to be", async () => {
    const { db, master } = await open();
    for (let number = 0; number < 80; number++) await insertToken(db, `token-${number}`);
    await beginReseal(db);
    const resealed = finish(db, 1);
    const described = new Map<string, string>();
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let round = 0; round < 40; round++) {
        const accessor = `token-${writer * 20 + (round % 15)}`;
        await describe(db, accessor, `round ${round}`);
        described.set(accessor, `round ${round}`);
        await insertToken(db, `new-${writer}-${round}`);
        const gone = `token-${writer * 20 + 15 + (round % 5)}`;
        await db.inTransaction(PARTITION, async (tx) => {
          tx.write(tx.sql.deleteFrom("tokens").where("accessor_id", "=", gone));
        });
      }
    });
    await Promise.all(writers);
    await resealed;
    const rows = await rowsOf(db);
    expect(rows.length).toBe(60 + 160);
    for (const row of rows) {
      expect(isIntact("tokens", row), row.accessor_id).toBe(true);
      expect(row.description).toBe(described.get(row.accessor_id) ?? "");
      const place = placeIn("tokens", row.accessor_id);
      expect(await db.keyring.open(row.secret_sealed, place)).toBe(`secret of ${row.accessor_id}`);
    }
    expect((await verifySealed(db, master)).damaged).toEqual([]);
  });

  test("a server that stops in the middle leaves it to the next one, which goes on where that was", async () => {
    const { db, master, url, dataDir } = await open();
    for (let number = 0; number < 1600; number++) await insertToken(db, `token-${String(number).padStart(4, "0")}`);
    await beginReseal(db);
    const watch = await startKeyWatch(db, failing);
    const work = startResealing(db, { onError: fail, keptSeconds: 0 });
    await expect.poll(async () => (await readReseal(db))?.seen, { timeout: 30_000, interval: 1 }).toBeGreaterThan(0);
    await work.stop();
    await watch.stop();
    const middle = await readReseal(db);
    // One batch, or a few on a machine that looked late.
    const done = middle?.resealed ?? 0;
    expect(done % 500).toBe(0);
    const last = `token-${String(done - 1).padStart(4, "0")}`;
    expect(middle).toMatchObject({ state: "sealing", pass: 1, last_key: last });
    await db.close();
    const next = await openForTest(url, { dataDir, masterKey: master });
    await finish(next);
    expect(await readReseal(next)).toMatchObject({ state: "done", resealed: 1600 });
    expect((await verifySealed(next, master)).damaged).toEqual([]);
  });

  test("what does not open is counted and named, is left as it is, and keeps the keys that may have sealed it", async () => {
    const { db, master } = await open();
    for (const accessor of ["a", "b", "c", "d"]) await insertToken(db, accessor);
    const rows = await rowsOf(db);
    const [swapped, odd] = [rows[1]?.secret_sealed ?? "", "description that nobody wrote"];
    await db.inTransaction({ kind: "root" }, async (tx) => {
      tx.write(tx.sql.updateTable("tokens").set({ secret_sealed: swapped }).where("accessor_id", "=", "a"));
      tx.write(tx.sql.updateTable("tokens").set({ description: odd }).where("accessor_id", "=", "c"));
    });
    expect(await verifySealed(db, master)).toMatchObject({
      damaged: ["tokens.secret_sealed of a"],
      damagedCount: 1,
      opened: { "tokens.secret_sealed": 3 },
    });
    const before = await rowsOf(db);
    const keys = await dataKeys(db);
    await beginReseal(db);
    await finish(db);
    const after = await rowsOf(db);
    expect([after[0], after[2]]).toEqual([before[0], before[2]]);
    expect(after[1]?.secret_sealed).not.toBe(before[1]?.secret_sealed);
    expect(await readReseal(db)).toMatchObject({ damaged: 2, resealed: 2 });
    expect(await dataKeys(db)).toEqual(expect.arrayContaining(keys));
  });

  test("it does not begin while the master key is being replaced", async () => {
    const { db, master } = await open();
    await beginRotation(db, master, randomBytes(32));
    await expect(beginReseal(db)).rejects.toThrow(/a master key rotation is running\. Finish it first/);
  });

  test("old keys stay for a while after the last value that they had sealed", async () => {
    const { db } = await open();
    await insertToken(db, "a");
    const keys = await dataKeys(db);
    await beginReseal(db);
    const watch = await startKeyWatch(db, failing);
    const work = startResealing(db, { onError: fail, keptSeconds: 3600 });
    onTestFinished(async () => {
      await work.stop();
      await watch.stop();
    });
    await expect.poll(async () => (await readReseal(db))?.column_name, { timeout: 10_000 }).toBe("");
    expect(await readReseal(db)).toMatchObject({ state: "sealing", resealed: 1 });
    expect(await dataKeys(db)).toEqual(expect.arrayContaining(keys));
  });

  test("values of all columns are verified and sealed anew, an empty one apart", async () => {
    const { db, master } = await open();
    await makeCounter(db, "organization", "org");
    const config_sealed = await db.keyring.seal("{}", placeIn("auth_methods", "m"));
    const method = {
      id: "m",
      partition: "default",
      namespace: "default",
      name: "m",
      name_key: "m",
      type: "jwt",
      display_name: "",
      description: "",
      max_token_ttl: "0",
      token_locality: "",
      config_sealed,
      namespace_rules: "[]",
      rules_index: 1,
      rules_weight: 0,
      create_index: 1,
      modify_index: 1,
    };
    await db.inTransaction(PARTITION, async (tx) => provenRows("auth_methods").insert(tx, method));
    await insertToken(db, "a");
    const sealed = await db.keyring.seal("token", placeIn("tag_webhooks", "w1"));
    await db.inTransaction({ kind: "root" }, async (tx) => {
      for (const [id, token_sealed] of Object.entries({ w1: sealed, w2: "" })) {
        const rest = { name: id, url: "", enabled: 1, kinds: "[]", actions: "[]", created_at: "", updated_at: "" };
        const told = { position: 0, failures: 0, retry_at: 0, failing_since: "", delivered_at: "" };
        const row = { id, organization_id: "org", token_sealed, ...rest, ...told, delivery_status: "", skipped_at: "" };
        tx.write(tx.sql.insertInto("tag_webhooks").values(row));
      }
    });
    const trashed = await db.keyring.seal("{}", placeIn("trash", "t1"));
    await db.inTransaction(PARTITION, async (tx) => {
      for (const [id, content_sealed] of Object.entries({ t1: trashed, t2: "" })) {
        const rest = { partition: "default", namespace: "default", kind: "role" as const, object_id: id, name: "n" };
        const times = { deleted_at: "", deleted_by: "", ends_at: 0, create_index: 1, modify_index: 1 };
        provenRows("trash").insert(tx, { id, ...rest, content: "{}", config_sealed: content_sealed, ...times });
      }
    });
    await beginReseal(db);
    await finish(db);
    const opened = Object.fromEntries(SEALED_COLUMNS.map((column) => [nameOf(column), 1]));
    expect(await verifySealed(db, master)).toMatchObject({ damaged: [], opened });
    expect(await readReseal(db)).toMatchObject({ resealed: 4 });
    const hooks = await db.sql.selectFrom("tag_webhooks").selectAll().orderBy("id").execute();
    expect(hooks[0]?.token_sealed).not.toBe(sealed);
    expect(hooks[1]?.token_sealed).toBe("");
  });
});
