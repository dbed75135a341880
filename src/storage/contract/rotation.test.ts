/** The master key is replaced while servers run. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { forEachEngine, temporaryDirectory } from "../../../test/support/engines.ts";
import { openForTest } from "../../../test/support/storage.ts";
import type { Database, OperatorDatabase } from "../database.ts";
import { beginRotation, endRotation } from "../keys/rotate.ts";
import { noteUser } from "../keys/users.ts";
import { startKeyWatch } from "../keys/watch.ts";
import { fingerprintOf } from "../keys/wrapping.ts";
import { openForOperator } from "../operator/operator.ts";

interface Place {
  dataDir: string;
  /** Opens it as a server does that has this master key. */
  open: (masterKey: Buffer) => Promise<Database>;
  operator: () => Promise<OperatorDatabase>;
}

async function place(url: string): Promise<Place> {
  const dataDir = temporaryDirectory();
  return {
    dataDir,
    open: (masterKey) => openForTest(url, { dataDir, masterKey }),
    operator: async () => {
      const db = await openForOperator(url);
      onTestFinished(() => db.close());
      return db;
    },
  };
}

const makeKey = (): Buffer => randomBytes(32);
const watchOptions = { onReplaced: () => undefined, onError: () => undefined, onWarning: () => undefined };

/** Expects that each database opens the values that all others have sealed. */
async function expectShared(...all: readonly Database[]): Promise<void> {
  const sealed = await Promise.all(all.map((db, number) => db.keyring.seal(`secret ${number}`, `p/${number}`)));
  for (const db of all) {
    for (const [number, text] of sealed.entries()) {
      expect(await db.keyring.open(text, `p/${number}`)).toBe(`secret ${number}`);
    }
  }
}

/** Nobody who lives notes itself while old notes are watched. */
const atOnce = () => Promise.resolve();

/** As if it had been begun a while ago, and nobody had told since that he runs by the old key. @param seconds by the clock */
async function letTimePass(db: OperatorDatabase, seconds = 60): Promise<void> {
  await db.inTransaction({ kind: "root" }, async (tx) => {
    tx.write(tx.sql.updateTable("master_keys").set((eb) => ({ began_at: eb("began_at", "-", Math.abs(seconds)) })));
    tx.write(tx.sql.updateTable("master_key_users").set((eb) => ({ seen_at: eb("seen_at", "-", seconds) })));
  });
  // Reads that a server of this process makes in one turn are of one moment.
  await setImmediate();
}

forEachEngine((engine, makeUrl) => {
  test("while a master key is replaced each of the two opens all that the other has sealed, before and since", async () => {
    const { open, operator } = await place(await makeUrl());
    const [old, next] = [makeKey(), makeKey()];
    const before = await open(old);
    const sealed = await before.keyring.seal("first", "p");
    expect(await beginRotation(await operator(), old, next)).toEqual({ wrapped: 2, masterId: fingerprintOf(next) });
    // The server that ran meanwhile makes a data key that it had no need of before.
    await before.keyring.renew();
    const later = await before.keyring.seal("second", "p");
    if (engine === "sqlite") await before.close();
    for (const key of [next, old]) {
      const after = await open(key);
      expect(await after.keyring.open(sealed, "p")).toBe("first");
      expect(await after.keyring.open(later, "p")).toBe("second");
      if (engine === "postgres") await expectShared(before, after);
      else await after.close();
    }
  });

  test("a rotation that is finished leaves the new master key alone, and one that was taken back the old one", async () => {
    const { open, operator } = await place(await makeUrl());
    let [kept, dropped] = [makeKey(), makeKey()];
    const first = await open(kept);
    const sealed = await first.keyring.seal("first", "p");
    await first.close();
    const db = await operator();
    for (const how of ["abandon", "finish"] as const) {
      await beginRotation(db, kept, dropped);
      if (how === "finish") [kept, dropped] = [dropped, kept];
      await letTimePass(db);
      expect(await endRotation(db, kept, how)).toEqual({ wrapped: 2, masterId: fingerprintOf(kept) });
      await expect(open(dropped)).rejects.toThrow(/wrong master key for this database: .*\(or the key was replaced\)/);
      const after = await open(kept);
      expect(await after.keyring.open(sealed, "p")).toBe("first");
      await after.close();
    }
  });

  test("the old master key and a copy of the database that was made meanwhile open nothing of what comes after", async () => {
    const { open, operator } = await place(await makeUrl());
    const [old, next] = [makeKey(), makeKey()];
    await (await open(old)).close();
    const db = await operator();
    await beginRotation(db, old, next);
    const copy = await db.sql.selectFrom("master_keys").selectAll().execute();
    await letTimePass(db);
    await endRotation(db, next, "finish");
    const after = await open(next);
    await after.keyring.seal("second", "p");
    await after.close();
    // The copied rows let the old key open data keys that were wrapped during the rotation. None of these is left.
    await db.inTransaction({ kind: "root" }, async (tx) => {
      tx.write(tx.sql.deleteFrom("master_keys"));
      tx.write(tx.sql.insertInto("master_keys").values(copy));
    });
    await expect(open(old)).rejects.toThrow(/wrong master key for this database/);
  });

  test("the same key, another one than that in use, and a database without keys are refused, and nothing is changed", async () => {
    const { open, operator } = await place(await makeUrl());
    const [old, next] = [makeKey(), makeKey()];
    await (await open(old)).close();
    const db = await operator();
    const rows = () => db.sql.selectFrom("data_keys").selectAll().execute();
    const before = await rows();
    await expect(beginRotation(db, old, old)).rejects.toThrow(/the new master key is already in use/);
    await expect(beginRotation(db, makeKey(), next)).rejects.toThrow(/cannot decrypt data key \S+: wrong master key/);
    await expect(endRotation(db, next, "finish")).rejects.toThrow(/no master key rotation is running/);
    await expect(endRotation(db, old, "abandon")).rejects.toThrow(/no master key rotation is running/);
    expect(await rows()).toEqual(before);
    await beginRotation(db, old, next);
    await expect(beginRotation(db, makeKey(), makeKey())).rejects.toThrow(
      /wrong old master key: \S+; expected \S+\. Set --key-file/,
    );
    await expect(endRotation(db, old, "finish")).rejects.toThrow(
      /cannot finish the rotation with master key \S+\. Set --key-file to the new master key \S+$/,
    );
    await expect(endRotation(db, next, "abandon")).rejects.toThrow(
      /cannot abandon the rotation with master key \S+\. Set --key-file to the old master key \S+$/,
    );
  });

  test("of two operators who begin at once with keys of their own one wins, and the other is told who", async () => {
    const { open, operator } = await place(await makeUrl());
    const old = makeKey();
    await (await open(old)).close();
    const keys = [makeKey(), makeKey(), makeKey()];
    const all = await Promise.all(keys.map(async (next) => ({ db: await operator(), next })));
    const outcomes = await Promise.allSettled(all.map(({ db, next }) => beginRotation(db, old, next)));
    const won = keys.filter((_, number) => outcomes[number]?.status === "fulfilled");
    expect(won.length).toBe(1);
    const winner = fingerprintOf(won[0] ?? Buffer.alloc(0));
    for (const outcome of outcomes) {
      if (outcome.status === "fulfilled") expect(outcome.value.masterId).toBe(winner);
      else expect(String(outcome.reason)).toContain(`another rotation is running, to master key ${winner}`);
    }
    // An operator who begins this rotation again finds it done.
    expect(await beginRotation(await operator(), old, won[0] ?? old)).toEqual({ wrapped: 0, masterId: winner });
    for (const key of [old, ...won]) await (await open(key)).close();
  });

  test("a rotation is not finished while a server runs by the old key, nor before servers could tell that they do", async () => {
    const { open, operator } = await place(await makeUrl());
    const [old, next] = [makeKey(), makeKey()];
    const server = await open(old);
    const db = await operator();
    await beginRotation(db, old, next);
    await expect(endRotation(db, next, "finish")).rejects.toThrow(/the rotation started \d s ago\. Wait/);
    await letTimePass(db);
    const warnings: string[] = [];
    const watch = await startKeyWatch(server, { ...watchOptions, onWarning: (text) => warnings.push(text) });
    expect(watch.state()).toMatchObject({ isRotating: true, runsByOld: true });
    expect(warnings).toEqual(["master key rotation in progress. Restart this server with the new key"]);
    const node = `:${process.pid}`;
    await expect(endRotation(db, next, "finish")).rejects.toThrow(
      new RegExp(`servers still use the old master key: \\S+${node}\\. Restart them with the new key`),
    );
    await watch.stop();
    await server.close();
    expect(await endRotation(db, next, "finish")).toMatchObject({ masterId: fingerprintOf(next) });
  });

  test("incident 63: after a jump of the clock a living server is not taken for gone, and one that is gone blocks nothing", async () => {
    const { open, operator } = await place(await makeUrl());
    const [old, next] = [makeKey(), makeKey()];
    const server = await open(old);
    const db = await operator();
    await beginRotation(db, old, next);
    for (const jump of [3600, -7200]) {
      const watch = await startKeyWatch(server, watchOptions);
      await letTimePass(db, jump);
      // It notes itself again while its note is watched.
      const renewed = () => noteUser(server, "server", fingerprintOf(old));
      await renewed();
      await letTimePass(db, jump);
      await expect(endRotation(db, next, "finish", renewed)).rejects.toThrow(/servers still use the old master key/);
      await watch.stop();
      // Killed: its note stays.
      await letTimePass(db, jump);
    }
    expect(await endRotation(db, next, "finish", atOnce)).toMatchObject({ masterId: fingerprintOf(next) });
    await server.close();
  });

  test("a server whose key was dropped all the same makes no data key that nobody could open, and is told to end", async () => {
    const { open, operator } = await place(await makeUrl());
    const [old, next] = [makeKey(), makeKey()];
    const server = await open(old);
    const replaced = Promise.withResolvers<Error>();
    const watch = await startKeyWatch(server, { ...watchOptions, onReplaced: replaced.resolve });
    const db = await operator();
    await beginRotation(db, old, next);
    await letTimePass(db);
    await endRotation(db, next, "finish", atOnce);
    await expect(server.keyring.seal("lost", "p")).rejects.toThrow("The master key of the server was replaced");
    expect(String(await replaced.promise)).toMatch(/the master key of this server was replaced/);
    await watch.stop();
    const rows = await db.sql.selectFrom("data_keys").selectAll().where("purpose", "=", "data").execute();
    expect(rows).toEqual([]);
  });

  test("each step is on record, by fingerprints that give no key away", async () => {
    const { open, operator } = await place(await makeUrl());
    const [old, next] = [makeKey(), makeKey()];
    await (await open(old)).close();
    const db = await operator();
    await beginRotation(db, old, next);
    await letTimePass(db);
    await endRotation(db, next, "finish");
    const records = await db.sql
      .selectFrom("audit_records")
      .selectAll()
      .where("kind", "=", "master-key")
      .orderBy("seq")
      .execute();
    expect(records.map(({ action, object_id: id }) => [action, id])).toEqual([
      ["rotate", fingerprintOf(next)],
      ["finish-rotation", fingerprintOf(next)],
    ]);
    for (const key of [old, next])
      expect(JSON.stringify(records)).not.toContain(key.toString("base64url").slice(0, 16));
  });

  test("incident 54: a key that a command gives is known to have sealed a database by a note in the data directory", async () => {
    const { dataDir, open } = await place(await makeUrl());
    const masterKey = makeKey();
    await (await open(masterKey)).close();
    expect(existsSync(join(dataDir, "master-key"))).toBe(false);
    const empty = openForTest(await makeUrl(), { dataDir, masterKey });
    await expect(empty).rejects.toThrow(
      /missing or empty, but the master key of --key-command belongs to an earlier database/,
    );
  });
});
