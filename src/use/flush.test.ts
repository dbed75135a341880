import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { openForTest } from "../../test/support/storage.ts";
import { useV1, type V1 } from "../../test/support/v1.ts";
import { AppError } from "../errors.ts";
import type { Database } from "../storage/database.ts";
import type { Actor } from "../rights/actor.ts";
import { UseFlusher } from "./flush.ts";
import { UseMemory } from "../records/uses/memory.ts";
import { ROW_LIMITS } from "./planning.ts";

const SCOPE = { partition: "default", namespace: "default" };

/** A database whose transactions end as a connection that is cut at COMMIT: some are committed, and nobody is told. */
function cutting(db: Database, isCommitted: () => boolean | undefined): Database {
  const unknown = () => new AppError("outcome_unknown", "cut");
  return {
    ...db,
    async inTransaction(counter, work, origin) {
      if (counter.kind !== "lease") return db.inTransaction(counter, work, origin);
      const committed = isCommitted();
      if (committed === undefined) return db.inTransaction(counter, work, origin);
      if (committed) await db.inTransaction(counter, work, origin);
      throw unknown();
    },
  };
}

async function tokensOf(v1: V1, count: number): Promise<Actor[]> {
  const tokens = await Promise.all(Array.from({ length: count }, () => v1.token()));
  const rows = await v1.db.sql.selectFrom("tokens").select(["accessor_id", "create_index"]).execute();
  const indexes = new Map(rows.map((row) => [row.accessor_id, row.create_index]));
  return tokens.map(({ accessor }) => actorOf(accessor, indexes.get(accessor) ?? 0));
}

/** As much of an actor as memory takes. */
function actorOf(accessorId: string, createIndex: number): Actor {
  return { accessorId, createIndex, scope: SCOPE, login: undefined } as unknown as Actor;
}

function use(memory: UseMemory, actor: Actor, name: string | undefined): void {
  memory.count(actor, {
    by: undefined,
    resource: "key",
    access: "read",
    scope: SCOPE,
    name,
    column: "own",
    askedBy: "",
  });
}

async function totalOf({ db }: V1): Promise<number> {
  const rows = await db.sql.selectFrom("use_rows").select("total").execute();
  return rows.reduce((sum, { total }) => sum + total, 0);
}

forEachEngine((engine, makeUrl) => {
  describe("a flush", () => {
    const v1 = useV1(makeUrl);

    test("whose connection is cut at COMMIT counts each use once, 200 times", async () => {
      const [actor] = await tokensOf(v1, 1);
      const before = await totalOf(v1);
      const memory = new UseMemory();
      let turn = 0;
      const flusher = new UseFlusher(
        cutting(v1.db, () => [true, undefined, false, undefined][turn++ % 4]),
        memory,
      );
      for (let count = 0; count < 200; count++) {
        use(memory, actor as Actor, `name-${count % 7}`);
        await expect(flusher.flush()).rejects.toThrow("cut");
        await flusher.flush();
      }
      expect((await totalOf(v1)) - before).toBe(200);
    });

    test("of two nodes at once on the same rows adds up", async () => {
      const actors = await tokensOf(v1, 3);
      const before = await totalOf(v1);
      const second = engine === "postgres" ? await openForTest(v1.url, { dataDir: v1.dataDir }) : undefined;
      const memories = [new UseMemory(), new UseMemory()] as const;
      const flushers = [new UseFlusher(v1.db, memories[0]), new UseFlusher(second ?? v1.db, memories[1])];
      for (let round = 0; round < 10; round++) {
        for (const memory of memories)
          for (const actor of actors) for (let name = 0; name < 60; name++) use(memory, actor, `n${name}`);
        await Promise.all(flushers.map((flusher) => flusher.flush()));
      }
      await second?.close();
      expect((await totalOf(v1)) - before).toBe(2 * 10 * 3 * 60);
    });

    test("after its lease is gone begins anew and loses nothing", async () => {
      const [actor] = await tokensOf(v1, 1);
      const before = await totalOf(v1);
      const memory = new UseMemory();
      const flusher = new UseFlusher(v1.db, memory);
      use(memory, actor as Actor, "a");
      await flusher.flush();
      await v1.past({ kind: "root" }, async (tx) => {
        tx.unrecorded("as the removal of idle servers does");
        tx.write(tx.sql.deleteFrom("leases"));
        tx.write(tx.sql.deleteFrom("use_servers"));
      });
      use(memory, actor as Actor, "a");
      await expect(flusher.flush()).rejects.toThrow();
      await flusher.flush();
      expect((await totalOf(v1)) - before).toBe(2);
    });

    test("folds names where a scope has many rows, and leaves uses out, with a note, where it is full", async () => {
      const actors = await tokensOf(v1, 3);
      const stored = (await v1.db.sql.selectFrom("use_rows").select("id").execute()).length;
      const memory = new UseMemory();
      const flusher = new UseFlusher(v1.db, memory, { ...ROW_LIMITS, fold: stored + 1, last: stored + 2 });
      for (const actor of actors) {
        use(memory, actor, "a");
        await flusher.flush();
      }
      expect(memory.stats()).toMatchObject({ folded: 2, dropped: 1, bytes: 0 });
      expect(await v1.db.sql.selectFrom("use_gaps").select("place").execute()).toEqual([{ place: "default/default" }]);
    });
  });
});

test("memory is bounded: names are folded first, and then uses are left out", () => {
  const memory = new UseMemory({ maxBytes: 64 * 1024 });
  for (let index = 0; index < 1000; index++) use(memory, actorOf(`token-${index}`, 1), "name");
  const { bytes, folded, dropped } = memory.stats();
  expect(bytes).toBeLessThan(66 * 1024);
  expect(folded).toBeGreaterThan(0);
  expect(dropped).toBeGreaterThan(900);
});

test("incident 69: who fills the memory leaves room to others, until what it had is written", async () => {
  const memory = new UseMemory({ maxBytes: 64 * 1024 });
  const greedy = actorOf("greedy", 1);
  const other = { ...actorOf("other", 2), scope: { partition: "default", namespace: "quiet" } } as Actor;
  const ask = (actor: Actor, index: number) =>
    memory.count(actor, {
      by: undefined,
      resource: "key",
      access: "read",
      scope: SCOPE,
      name: `name-${index}`,
      column: "others",
      askedBy: `point-${index}`,
    });
  const fill = () => {
    for (let index = 0; index < 1000; index++) ask(greedy, index);
  };
  fill();
  const { bytes, dropped } = memory.stats();
  expect(bytes).toBeLessThanOrEqual(48 * 1024);
  expect(bytes).toBeGreaterThan(46 * 1024);
  expect(dropped).toBeGreaterThan(800);
  ask(other, 1);
  expect(memory.stats()).toMatchObject({ dropped });
  const taken = await memory.take(1);
  const own = taken.uses.filter(({ subject }) => subject.createIndex === 2);
  expect(own).toMatchObject([{ name: "name-1", count: 1 }]);
  // As long as nothing is written, it has what it had.
  fill();
  expect(memory.stats().dropped).toBeGreaterThanOrEqual(dropped + 1000);
  memory.release(taken.uses.length, taken.known.length);
  expect(memory.stats().bytes).toBe(0);
  fill();
  expect(memory.stats().bytes).toBe(bytes);
  ask(other, 2);
  expect((await memory.take(1)).uses.some(({ name }) => name === "name-2")).toBe(true);
});
