/**
 * Replaces the master key while servers run. Each step is one transaction, so that a crash leaves what was before it or what
 * is after it: before `beginRotation` and after `endRotation` one master key opens the database, between them both do.
 */
import { createSecretKey, randomBytes, type KeyObject } from "node:crypto";
import type { EngineTransaction, OperatorDatabase, Reader, Transaction } from "../database.ts";
import { defineQuery } from "../reads/query.ts";
import { StartError } from "../start-error.ts";
import { listMasters, transitionOf, type MasterRow } from "./masters.ts";
import { databaseSeconds, findGone, forgetUsers, listUsers } from "./users.ts";
import { fingerprintOf, KEY_BYTES, unwrapDataKey, wrapDataKey, wrapTransition } from "./wrapping.ts";

/** Result of a step of a rotation. */
export interface Step {
  /** Number of data keys that the step has wrapped again; 0 when an earlier step had done it. */
  wrapped: number;
  /** Fingerprint of the master key that servers are to be started with from now on. */
  masterId: string;
}

/**
 * Begins to replace the master key: from then on both open the database.
 *
 * @param old the master key in use @param next the one that takes its place
 * @throws StartError when the one is not in use, both are the same, or another rotation is under way
 */
export async function beginRotation(db: OperatorDatabase, old: Buffer, next: Buffer): Promise<Step> {
  if (old.equals(next)) throw new StartError("the new master key is already in use. Create another key");
  return unlessOvertaken(() => begin(db, old, next));
}

async function begin(db: OperatorDatabase, old: Buffer, next: Buffer): Promise<Step> {
  const [oldId, nextId] = [fingerprintOf(old), fingerprintOf(next)];
  const done = { wrapped: 0, masterId: nextId };
  if (isUnderWay(await listMasters(db), oldId, nextId)) return done;
  const oldKey = createSecretKey(old);
  const bytes = randomBytes(KEY_BYTES);
  const prepared = await rewrap(db, oldKey, createSecretKey(bytes));
  const transition = {
    old: wrapTransition(oldKey, bytes, oldId),
    next: wrapTransition(createSecretKey(next), bytes, nextId),
  };
  return db.inTransaction({ kind: "root" }, async (tx) => {
    if (isUnderWay(await listMasters(tx), oldId, nextId)) return done;
    const beganAt = await databaseSeconds(tx);
    const wrapped = await writeWrapped(tx, prepared);
    tx.write(putMaster, { id: oldId, state: "current", transition: transition.old, beganAt });
    tx.write(putMaster, { id: nextId, state: "next", transition: transition.next, beganAt });
    putOnRecord(tx, "rotate", { from: oldId, to: nextId });
    return { wrapped, masterId: nextId };
  });
}

/** @throws StartError when it may not be begun */
function isUnderWay(rows: readonly MasterRow[], oldId: string, nextId: string): boolean {
  const [current, next] = [rows.find((row) => row.state === "current"), rows.find((row) => row.state === "next")];
  if (current === undefined) return false;
  if (current.id !== oldId) {
    throw new StartError(`wrong old master key: ${oldId}; expected ${current.id}. Set --key-file to the key in use`);
  }
  if (next === undefined) return false;
  if (next.id === nextId) return true;
  throw new StartError(`another rotation is running, to master key ${next.id}. Finish it, or cancel it with --abandon`);
}

/** A server looks once a second which master keys there are, and this is told only to who has looked. In seconds. */
export const FIRST_LOOK_SECONDS = 5;

/**
 * Ends a rotation: from then on only one of the two master keys opens the database.
 *
 * @param master the one that stays: the new one, or with `abandon` the old one
 * @param pause lets time pass while old notes of servers are watched
 * @throws StartError when none is under way, it is not that one, or a server would be left that runs by the other
 */
export async function endRotation(
  db: OperatorDatabase,
  master: Buffer,
  how: "finish" | "abandon",
  pause?: Pause,
): Promise<Step> {
  return unlessOvertaken(() => end(db, master, how, pause));
}

type Pause = Parameters<typeof findGone>[1];

async function end(db: OperatorDatabase, master: Buffer, how: "finish" | "abandon", pause: Pause): Promise<Step> {
  const [key, id] = [createSecretKey(master), fingerprintOf(master)];
  const transition = transitionOf(await checkStays(db, id, how), key, id);
  if (transition === undefined) throw new StartError(NOTHING);
  const gone = how === "finish" ? await findGone(db, pause) : undefined;
  const prepared = await rewrap(db, transition, key);
  return db.inTransaction({ kind: "root" }, async (tx) => {
    const rows = await checkStays(tx, id, how);
    if (gone !== undefined) await refuseUsers(tx, rows, gone);
    const wrapped = await writeWrapped(tx, prepared);
    tx.write(removeOthers, { id });
    tx.write(putMaster, { id, state: "current", transition: "", beganAt: await databaseSeconds(tx) });
    forgetUsers(tx);
    putOnRecord(tx, how === "finish" ? "finish-rotation" : "abandon-rotation", { master: id });
    return { wrapped, masterId: id };
  });
}

/** Fingerprints tell nobody a key. */
function putOnRecord(tx: Transaction, action: string, detail: Readonly<Record<string, string>>): void {
  tx.record({
    partition: "default",
    kind: "master-key",
    objectId: detail["to"] ?? detail["master"] ?? "",
    name: "",
    action,
    detail,
  });
}

const NOTHING = "no master key rotation is running";

/** The master keys, of which the given one is to stay. @throws StartError when it is not the one for that */
async function checkStays(db: Reader, id: string, how: "finish" | "abandon"): Promise<MasterRow[]> {
  const rows = await listMasters(db);
  const next = rows.find((row) => row.state === "next");
  if (next === undefined) throw new StartError(NOTHING);
  const stays = how === "finish" ? next : rows.find((row) => row.state === "current");
  if (stays?.id === id) return rows;
  throw new StartError(
    `cannot ${how} the rotation with master key ${id}. ` +
      `Set --key-file to the ${how === "finish" ? "new" : "old"} master key ${stays?.id}`,
  );
}

/** @throws StartError */
async function refuseUsers(
  tx: EngineTransaction,
  rows: readonly MasterRow[],
  gone: Awaited<ReturnType<typeof findGone>>,
): Promise<void> {
  const age = (await databaseSeconds(tx)) - Math.max(...rows.map((row) => row.began_at));
  if (age >= 0 && age < FIRST_LOOK_SECONDS) {
    throw new StartError(
      `the rotation started ${age} s ago. Wait until all servers have reported which master key they use`,
    );
  }
  const users = await listUsers(tx, gone);
  if (users.length === 0) return;
  throw new StartError(
    `servers still use the old master key: ${users.join(", ")}. Restart them with the new key, then run this command again`,
  );
}

interface Wrapped {
  id: string;
  before: string;
  wrapped: string;
}

/** Wraps all data keys anew; done before the transaction, which then is short. @throws StartError when one does not open */
async function rewrap(db: OperatorDatabase, by: KeyObject, wrapping: KeyObject): Promise<Wrapped[]> {
  const rows = await db.run(listWrapped, {});
  if (rows.length === 0) throw new StartError("the database has no keys yet. Start a server with it first");
  return rows.map(({ id, wrapped }) => {
    try {
      return { id, before: wrapped, wrapped: wrapDataKey(wrapping, unwrapDataKey([by], wrapped, id), id) };
    } catch (error) {
      throw new DoesNotOpen(`cannot decrypt data key ${id}: wrong master key`, {
        cause: error,
      });
    }
  });
}

/** Somebody has made a data key, or rotated, since they were wrapped. Nothing was changed. */
class Overtaken extends StartError {
  constructor() {
    super("the keys were changed concurrently. Run this command again");
  }
}

const MOST_ATTEMPTS = 10;

async function unlessOvertaken(step: () => Promise<Step>): Promise<Step> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await step();
    } catch (error) {
      // Rows that were read before the transaction may mix the states before and after another rotation: the step reads
      // them again.
      if (attempt === MOST_ATTEMPTS || !(error instanceof Overtaken || error instanceof DoesNotOpen)) throw error;
    }
  }
}

class DoesNotOpen extends StartError {}

/** @returns how many @throws Overtaken when the data keys are not those that were wrapped */
async function writeWrapped(tx: EngineTransaction, prepared: readonly Wrapped[]): Promise<number> {
  const found = new Map((await tx.run(listWrapped, {})).map((row) => [row.id, row.wrapped]));
  if (found.size !== prepared.length) throw new Overtaken();
  for (const { id, before, wrapped } of prepared) {
    if (found.get(id) !== before) throw new Overtaken();
    tx.write(updateWrapped, { id, wrapped });
  }
  return prepared.length;
}

const listWrapped = defineQuery((sql, _: object) =>
  sql.selectFrom("data_keys").select(["id", "wrapped"]).orderBy("id"),
);
const updateWrapped = defineQuery((sql, p: { id: string; wrapped: string }) =>
  sql.updateTable("data_keys").set({ wrapped: p.wrapped }).where("id", "=", p.id),
);
const putMaster = defineQuery(
  (sql, p: { id: string; state: MasterRow["state"]; transition: string; beganAt: number }) =>
    sql
      .insertInto("master_keys")
      .values({ id: p.id, state: p.state, transition: p.transition, began_at: p.beganAt })
      .onConflict((conflict) =>
        conflict.column("id").doUpdateSet({ state: p.state, transition: p.transition, began_at: p.beganAt }),
      ),
);
const removeOthers = defineQuery((sql, p: { id: string }) => sql.deleteFrom("master_keys").where("id", "!=", p.id));
