/** Bounds of the ledger and their ends: identities, decision points, retention, options, deletion, and clocks that jump. */
import { beforeEach, describe, expect, test } from "vitest";
import { finishDeletion } from "../../test/support/deletion.ts";
import { forEachEngine } from "../../test/support/engines.ts";
import { loginIn, makeIn, makeMethodIn, METHOD } from "../../test/support/scopes.ts";
import { useV1 } from "../../test/support/v1.ts";
import type { Actor } from "../rights/actor.ts";
import { daysUsed } from "./days.ts";
import { takeLease } from "../storage/feed/lease.ts";
import { dayOf, UseFlusher } from "./flush.ts";
import { UseMemory } from "../records/uses/memory.ts";
import { ROW_LIMITS } from "./planning.ts";
import { oldUses } from "./retention.ts";
import { IDENTITIES_OF_METHOD, type UseRow } from "../records/uses/row.ts";
import { readRows } from "./store.ts";

const SCOPE = { partition: "default", namespace: "default" };
const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const DAY = 24 * 3_600_000;

/** As much of the actor of a login as memory takes. */
function loginOf(methodId: string, identity: string, roles: readonly string[] = ["r"]): Actor {
  const login = { authMethod: METHOD, methodId, identity, roles };
  return { accessorId: "", scope: SCOPE, login } as unknown as Actor;
}

/** Notes one use. */
function use(memory: UseMemory, actor: Actor, askedBy = ""): void {
  const column = askedBy === "" ? ("own" as const) : ("others" as const);
  const asked = { resource: "key", access: "read", scope: SCOPE, column, askedBy } as const;
  memory.count(actor, { by: undefined, name: "a", ...asked });
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { loginFailureLimit: 0 } });
  beforeEach(() => v1.setNow(NOW));

  async function rows(): Promise<UseRow[]> {
    const all: UseRow[] = [];
    for await (const page of readRows(v1.db, SCOPE)) all.push(...page);
    return all;
  }

  async function methodId(): Promise<string> {
    const found = await v1.db.sql.selectFrom("auth_methods").select("id").where("name", "=", METHOD).execute();
    if (found.length === 0) await makeMethodIn(v1, {});
    return found[0]?.id ?? methodId();
  }

  async function removeOld(keepMs: number, now: number): Promise<void> {
    const removal = oldUses(v1.db, keepMs, () => now);
    const lease = await takeLease(v1.db, removal.lease, "test");
    if (lease === undefined) throw new Error("nobody else holds it");
    for (const job of await removal.jobs()) {
      for (let isLast = false; !isLast;) ({ isLast } = await job.remove(lease, 50));
    }
  }

  test(`identities above ${IDENTITIES_OF_METHOD} of a method are counted by their roles, and none is lost`, async () => {
    const id = await methodId();
    const memory = new UseMemory();
    const flusher = new UseFlusher(v1.db, memory);
    for (let each = 0; each < IDENTITIES_OF_METHOD + 5; each++) use(memory, loginOf(id, `user-${each}`));
    await flusher.flush();
    use(memory, loginOf(id, "user-3"));
    use(memory, loginOf(id, "late"));
    await flusher.flush();
    const own = (await rows()).filter(({ subject }) => subject.kind !== "token");
    const identities = own.filter(({ subject }) => subject.kind === "identity");
    expect(identities).toHaveLength(IDENTITIES_OF_METHOD);
    const folded = own.filter(({ subject }) => subject.kind === "roles");
    expect(folded.map(({ subject, total }) => [subject, total])).toEqual([
      [{ kind: "roles", authMethod: METHOD, roles: ["r"] }, 6],
    ]);
    expect(own.reduce((sum, { total }) => sum + total, 0)).toBe(IDENTITIES_OF_METHOD + 7);
  });

  test("decision points above the limit of a scope have no name, and those that are known keep theirs", async () => {
    const id = await methodId();
    const memory = new UseMemory();
    const flusher = new UseFlusher(v1.db, memory, { ...ROW_LIMITS, points: 2 });
    for (const point of ["one", "two", "three", "one"]) {
      use(memory, loginOf(id, "asked"), point);
      await flusher.flush();
    }
    const asked = (await rows()).filter(({ column }) => column === "others");
    expect(new Map(asked.map(({ askedBy, total }) => [askedBy, total]))).toEqual(
      new Map([
        ["one", 2],
        ["two", 1],
        ["", 1],
      ]),
    );
  });

  test("without identities only the roles of logins are kept, and no decision point that logs in", async () => {
    const memory = new UseMemory({ identities: false });
    use(memory, loginOf("m", "ada"));
    use(memory, loginOf("m", "bob"));
    use(memory, loginOf("m", "bob"), "sso/gateway");
    const taken = await memory.take(dayOf(NOW));
    const written = taken.uses.map(({ from: _from, ...each }) => each);
    expect(JSON.stringify(written)).not.toMatch(/ada|bob|gateway/);
    expect(taken.uses.map(({ subject, askedBy }) => [subject.as, askedBy])).toEqual(
      Array.from({ length: 3 }, () => [{ kind: "roles", authMethod: METHOD, roles: ["r"] }, ""]),
    );
  });

  describe("retention", () => {
    test("deletes what was not used for longer, with its notes, and keeps what was used since", async () => {
      const ID = await v1.policy('acl = "read"');
      const [old, kept] = [await v1.token({ Policies: [{ ID }] }), await v1.token({ Policies: [{ ID }] })];
      const own = async () => (await rows()).filter(({ rule }) => rule.policyId === ID);
      for (const { secret } of [old, kept]) await v1.get("/acl/policies", secret);
      await v1.flushUses();
      v1.setNow(NOW + 9 * DAY);
      await v1.get("/acl/policies", kept.secret);
      await v1.flushUses();
      await removeOld(10 * DAY, NOW + 10 * DAY);
      expect(await own()).toHaveLength(2);
      await removeOld(0, NOW + 400 * DAY);
      expect(await own()).toHaveLength(2);
      await removeOld(10 * DAY, NOW + 11 * DAY);
      expect((await own()).map(({ subject, total }) => [subject, total])).toEqual([
        [{ kind: "token", accessorId: kept.accessor }, 2],
      ]);
    });
  });

  test("a deleted auth method takes the rows of its logins", async () => {
    const id = await methodId();
    const memory = new UseMemory();
    use(memory, loginOf(id, "gone"));
    const flusher = new UseFlusher(v1.db, memory);
    await flusher.flush();
    const ofLogins = async () => (await rows()).filter(({ subject }) => subject.kind !== "token");
    expect(await ofLogins()).not.toEqual([]);
    expect((await v1.delete(`/acl/auth-method/${METHOD}`)).status).toBe(200);
    await finishDeletion(v1.db);
    expect(await ofLogins()).toEqual([]);
    // Uses that were counted before come after the end of the method.
    use(memory, loginOf(id, "gone"));
    await flusher.flush();
    expect([await ofLogins(), memory.stats().bytes]).toEqual([[], 0]);
  });

  test("a clock that jumps back or far ahead loses no use, and each day is its own", async () => {
    const { accessor, secret } = await v1.token({ Policies: [{ ID: await v1.policy('acl = "read"') }] });
    for (const day of [10, 0, 9, 500, 499, 3]) {
      v1.setNow(NOW + day * DAY);
      await v1.get("/acl/policies", secret);
      // The lease of a server ends by a jump ahead: the next attempt writes what the one before kept.
      await v1.flushUses().catch(v1.flushUses);
    }
    const [row] = (await rows()).filter(({ subject }) => subject.kind === "token" && subject.accessorId === accessor);
    expect(row).toMatchObject({ total: 6, firstDay: dayOf(NOW), lastDay: dayOf(NOW) + 500, days: 3n });
    // Set back behind the last day, it counts as today.
    expect(daysUsed({ lastDay: dayOf(NOW) + 500, days: 3n }, dayOf(NOW), 30)).toBe(2);
    v1.setNow(NOW);
    expect((await v1.get(`/acl/use?by=token&unused-for=30d`)).text).not.toContain(accessor);
  });

  describe("binding rules", () => {
    test("are reported with their logins, and never matched where there were none", async () => {
      await methodId();
      await v1.role({ Name: "matched" });
      const rule = async (team: string) => {
        const content = { BindType: "role", BindName: "matched", Selector: `value.team == "${team}"` };
        return String((await makeIn(v1, {}, "binding-rule", content)).ID);
      };
      const [used, idle] = [await rule("a"), await rule("b")];
      v1.setNow(undefined);
      for (let login = 0; login < 2; login++) await loginIn(v1, {}, { sub: "ada", team: "a" });
      const { body } = await v1.get("/acl/use?by=binding-rule");
      const { Entries, Since } = body as unknown as {
        Since: string;
        Entries: { BindingRule: { ID: string }; Enforced: number; DaysUsed?: number }[];
      };
      const found = new Map(
        Entries.map(({ BindingRule, Enforced, DaysUsed }) => [BindingRule.ID, [Enforced, DaysUsed]]),
      );
      expect([found.get(used), found.get(idle)]).toEqual([
        [2, 1],
        [0, undefined],
      ]);
      expect(Since).toBe(new Date(v1.now()).toISOString().slice(0, 10));
    });
  });
});
