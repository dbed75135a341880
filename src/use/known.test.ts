/** Uses that are added to rows by their IDs: what is stored is what a flush without known rows stores. */
import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { useV1 } from "../../test/support/v1.ts";
import { StorageAway } from "../errors.ts";
import type { Actor } from "../rights/actor.ts";
import { unwatched } from "../storage/clock/trusted.ts";
import type { Database } from "../storage/database.ts";
import { dayOf, UseFlusher } from "./flush.ts";
import { KnownRows } from "./known.ts";
import { type CountedUse, UseMemory } from "../records/uses/memory.ts";
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
  memory.count(actor, { by: undefined, name, question: `asked ${askedBy}`, ...asked });
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
      for (const known of [new KnownRows(), new KnownRows(0), new KnownRows(2000)]) {
        await emptied();
        const memory = new UseMemory();
        for (const [day, sizes] of [
          [0, [60, 3, 60]],
          [1, [5, 5]],
          [0, [4]],
        ] as const) {
          const flusher = new UseFlusher(at(NOW + day * DAY), memory, { ...ROW_LIMITS }, known);
          for (const size of sizes) {
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
      expect(stored[2]).toEqual(all);
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

describe("a known row", () => {
  const folded = { kind: "roles", authMethod: METHOD, roles: ["r"] } as const;

  async function usesOf(actor: Actor, names: readonly (string | undefined)[], askedBy = ""): Promise<CountedUse[]> {
    const memory = new UseMemory();
    for (const name of names) use(memory, actor, name, askedBy);
    return memory.take(dayOf(NOW));
  }

  test("is not that of a use which was folded: its place is chosen each time", async () => {
    const known = new KnownRows();
    const [one, other] = (await usesOf(loginOf("ada", ["r"]), ["a", "b"])) as [CountedUse, CountedUse];
    known.note([changeOf(one, folded, "a"), changeOf(other, other.subject.as, undefined)]);
    expect([known.find(one), known.find(other)]).toEqual([undefined, undefined]);
    known.note([changeOf(one, one.subject.as, "a")]);
    expect(known.find(one)?.id).toBe(changeOf(one, one.subject.as, "a").id);
  });

  test("is of one subject, rule, question and name, whatever these hold", async () => {
    const known = new KnownRows();
    const actors = [loginOf("a", ["r"]), loginOf("a b", ["r"]), loginOf('a"', ["r"])];
    const names = [undefined, "", "a", "a b", "=a", "1:a", " "];
    const uses: CountedUse[] = [];
    for (const actor of actors)
      for (const askedBy of ["", "a", "a 1:b"]) uses.push(...(await usesOf(actor, names, askedBy)));
    const segments = ["", "a", "1:a", "a 0:"].flatMap((segment) =>
      uses.map((each) => ({ ...each, rule: { ...each.rule, segment } })),
    );
    const changes = segments.map((each) => changeOf(each, each.subject.as, each.name));
    known.note(changes);
    expect(segments.map((each) => known.find(each)?.id)).toEqual(changes.map(({ id }) => id));
    expect(new Set(changes.map(({ id }) => id)).size).toBe(segments.length);
  });

  test("is known for its day, and as long as there is room", async () => {
    const known = new KnownRows(2000);
    const uses = await usesOf(
      loginOf("ada", []),
      Array.from({ length: 40 }, (_, number) => `name ${number}`),
    );
    known.note(uses.map((each) => changeOf(each, each.subject.as, each.name)));
    const found = uses.filter((each) => known.find(each) !== undefined);
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(8);
    expect(found.some((each) => known.find({ ...each, day: each.day + 1 }) !== undefined)).toBe(false);
  });
});
