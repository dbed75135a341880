/** Uses that are added to rows by their IDs: what is stored is what a flush without known rows stores. */
import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { useV1 } from "../../test/support/v1.ts";
import { StorageAway } from "../errors.ts";
import type { Actor } from "../rights/actor.ts";
import { unwatched } from "../storage/clock/trusted.ts";
import type { Database } from "../storage/database.ts";
import { dayOf, UseFlusher } from "./flush.ts";
import { UseMemory } from "../records/uses/memory.ts";
import { RowNotes } from "./known.ts";
import { ROW_LIMITS } from "./planning.ts";
import { changeOf } from "./stored.ts";

const SCOPE = { partition: "default", namespace: "default" };
const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const DAY = 24 * 3_600_000;
const METHOD = "method";

function loginOf(identity: string, roles: readonly string[]): Actor {
  const login = { authMethod: METHOD, methodId: METHOD, identity, roles };
  return { accessorId: "", scope: SCOPE, login } as unknown as Actor;
}

function use(memory: UseMemory, actor: Actor, name: string | undefined = "a", askedBy = ""): void {
  const column = askedBy === "" ? ("own" as const) : ("others" as const);
  const asked = { resource: "key", access: "read", scope: SCOPE, column, askedBy } as const;
  memory.count(actor, { by: undefined, name, ...asked });
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  /** The database at another time. */
  const at = (time: number): Database => ({ ...v1.db, forGood: unwatched(() => time) });

  async function rows(): Promise<{ name: string | null; total: number; days: number; subject: string }[]> {
    const found = await v1.db.sql
      .selectFrom("use_rows")
      .select(["name", "total", "subject", "last_day", "first_day"])
      .orderBy("subject")
      .orderBy("name")
      .execute();
    return found.map(({ last_day, first_day, ...row }) => ({ ...row, days: last_day - first_day }));
  }

  const emptied = async (): Promise<void> => {
    await v1.past({ kind: "root" }, async (tx) => {
      tx.unrecorded("the next case begins with nothing");
      tx.write(tx.sql.deleteFrom("use_rows"));
    });
  };

  async function tokens(count: number): Promise<Actor[]> {
    const made = await Promise.all(Array.from({ length: count }, () => v1.token()));
    const stored = await v1.db.sql.selectFrom("tokens").select(["accessor_id", "create_index"]).execute();
    return made.map(({ accessor }) => {
      const createIndex = stored.find(({ accessor_id }) => accessor_id === accessor)?.create_index;
      return { accessorId: accessor, createIndex, scope: SCOPE, login: undefined } as unknown as Actor;
    });
  }

  describe("known rows", () => {
    test("give the rows that are written without them, over days, names and flushes", async () => {
      const actors = await tokens(40);
      const stored: unknown[] = [];
      for (const isAnew of [false, true]) {
        await emptied();
        let memory = new UseMemory();
        for (const [day, sizes] of [
          [0, [60, 3, 60]],
          [1, [5, 5]],
          [0, [4]],
        ] as const) {
          let flusher = new UseFlusher(at(NOW + day * DAY), memory, { ...ROW_LIMITS });
          for (const size of sizes) {
            // A memory that knows nothing.
            if (isAnew) flusher = new UseFlusher(at(NOW + day * DAY), (memory = new UseMemory()), { ...ROW_LIMITS });
            for (const actor of actors) for (let name = 0; name < size; name++) use(memory, actor, `name ${name}`);
            await flusher.flush();
          }
        }
        expect(memory.stats().bytes).toBe(0);
        stored.push(await rows());
      }
      const [all] = stored as Awaited<ReturnType<typeof rows>>[];
      expect(all?.reduce((sum, { total }) => sum + total, 0)).toBe(40 * (60 + 3 + 60 + 5 + 5 + 4));
      expect(all?.filter(({ days }) => days === 1)).toHaveLength(40 * 5);
      expect(stored[1]).toEqual(all);
    });

    test("add up what was counted of one row while the database was away", async () => {
      await emptied();
      const [actor] = (await tokens(1)) as [Actor];
      const memory = new UseMemory();
      let isAway = false;
      const known = at(NOW);
      const inTransaction: Database["inTransaction"] = (...given) =>
        isAway ? Promise.reject(new StorageAway("away")) : known.inTransaction(...given);
      const flusher = new UseFlusher({ ...known, inTransaction }, memory);
      const flush = async () => {
        use(memory, actor);
        return flusher.flush();
      };
      await flush();
      isAway = true;
      for (let round = 0; round < 3; round++) await expect(flush()).rejects.toThrow("away");
      isAway = false;
      await flush();
      expect((await rows()).map(({ total }) => total)).toEqual([5]);
    });

    test("do not bring back a token's row, nor that of a token before it", async () => {
      await emptied();
      const { accessor } = await v1.token();
      const [{ create_index: createIndex } = { create_index: 0 }] = await v1.db.sql
        .selectFrom("tokens")
        .select("create_index")
        .where("accessor_id", "=", accessor)
        .execute();
      const actor = { accessorId: accessor, createIndex, scope: SCOPE, login: undefined } as unknown as Actor;
      const memory = new UseMemory();
      const flusher = new UseFlusher(at(NOW), memory);
      use(memory, actor);
      await flusher.flush();
      use(memory, actor);
      expect((await v1.delete(`/acl/token/${accessor}`)).status).toBe(200);
      await v1.token({ AccessorID: accessor });
      await flusher.flush();
      expect(await rows()).toEqual([]);
    });
  });
});

test("a token that is made again with the AccessorID of another one is another subject", async () => {
  const memory = new UseMemory();
  const token = (createIndex: number) =>
    ({ accessorId: "one", createIndex, scope: SCOPE, login: undefined }) as unknown as Actor;
  const again = async (index: number) => {
    use(memory, token(index));
    return memory.take(dayOf(NOW));
  };
  const notes = new RowNotes();
  const note = ({ uses }: Awaited<ReturnType<typeof again>>) =>
    notes.note(uses.map((each) => changeOf(each, each.subject.as, each.name)));
  note(await again(1));
  expect((await again(1)).known).toHaveLength(1);
  const made = await again(2);
  expect(made.uses.map(({ subject }) => subject.createIndex)).toEqual([2]);
  note(made);
  expect((await again(2)).known).toHaveLength(1);
});

describe("a known row", () => {
  const folded = { kind: "roles", authMethod: METHOD, roles: ["r"] } as const;
  const today = dayOf(NOW);

  test("is not that of a use which was folded: its place is chosen each time", async () => {
    const memory = new UseMemory();
    const ada = loginOf("ada", ["r"]);
    const again = async () => {
      for (const name of ["a", "b", "c"]) use(memory, ada, name);
      return memory.take(today);
    };
    const { uses } = await again();
    const [one, other, third] = uses.map((each) => changeOf(each, each.subject.as, each.name));
    if (one === undefined || other === undefined || third === undefined) throw new Error("three were counted");
    const notes = new RowNotes();
    notes.note([changeOf(one.use, folded, "a"), changeOf(other.use, other.subject, undefined), third]);
    const second = await again();
    expect([second.uses.map(({ name }) => name), second.known.map(({ row }) => row.id)]).toEqual([
      ["a", "b"],
      [third.id],
    ]);
    notes.note([one]);
    expect((await again()).known.map(({ row }) => row.id).sort()).toEqual([one.id, third.id].sort());
  });

  test("is known for its day, with what was counted of it", async () => {
    const memory = new UseMemory();
    const actors = ["a", "b"].map((identity) => loginOf(identity, ["r"]));
    const again = async (day: number) => {
      for (const actor of actors) for (const askedBy of ["", "p", ""]) use(memory, actor, "a", askedBy);
      return memory.take(day);
    };
    const notes = new RowNotes();
    const changes = (await again(today)).uses.map((each) => changeOf(each, each.subject.as, each.name));
    notes.note(changes);
    const { uses, known } = await again(today);
    expect(uses).toEqual([]);
    expect(known.map(({ row, count }) => [row.id, count])).toEqual(changes.map(({ id, count }) => [id, count]));
    for (const day of [today + 1, today - 1]) {
      const other = await again(day);
      expect([other.known, other.uses.map((each) => each.day)]).toEqual([[], [day, day, day, day]]);
    }
  });

  test("is forgotten where there is no room for it, and what is counted then is not", async () => {
    const memory = new UseMemory({ maxBytes: 64 * 1024 });
    const notes = new RowNotes();
    const again = async (from: number, to: number) => {
      for (let each = from; each < to; each++) use(memory, loginOf(`user-${each}`, []));
      const taken = await memory.take(today);
      notes.note(taken.uses.map((each) => changeOf(each, each.subject.as, each.name)));
      memory.release(taken.uses.length, taken.known.length);
      return [taken.uses.length, taken.known.length];
    };
    expect(await again(0, 20)).toEqual([20, 0]);
    expect(await again(0, 20)).toEqual([0, 20]);
    const [uses = 0, known = 0] = await again(100, 134);
    expect([uses, known]).toEqual([34, 0]);
    // The first ones gave way.
    expect(await again(0, 20)).toEqual([20, 0]);
    expect(memory.stats()).toEqual({ bytes: 0, folded: 0, dropped: 0 });
  });

  test.each([
    [4, [0, 4]],
    [22, [22, 0]],
  ])("of what %i subjects asked before gives way to what they ask now where it is tight", async (count, again) => {
    const memory = new UseMemory({ maxBytes: 64 * 1024 });
    const notes = new RowNotes();
    const ask = async (askedBy: string) => {
      for (let each = 0; each < count; each++) use(memory, loginOf(`user-${each}`, []), "a", askedBy);
      const taken = await memory.take(today);
      notes.note(taken.uses.map((one) => changeOf(one, one.subject.as, one.name)));
      memory.release(taken.uses.length, taken.known.length);
      return [taken.uses.length, taken.known.length];
    };
    expect(await ask("")).toEqual([count, 0]);
    expect(await ask("p")).toEqual([count, 0]);
    expect(await ask("p")).toEqual([0, count]);
    expect(await ask("")).toEqual(again);
  });
});
