import { beforeEach, expect, test } from "vitest";
import { unwatched } from "../storage/clock/trusted.ts";
import { forEachEngine } from "../../test/support/engines.ts";
import { useV1 } from "../../test/support/v1.ts";
import { noteLedgerSince } from "./flush.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const DAY = 24 * 3_600_000;

interface Entry {
  Policy?: { ID: string; Name: string };
  Rule?: { Resource: string; Segment: string; Block?: string };
  Token?: { AccessorID: string };
  Role?: { ID: string };
  Own: number;
  Enforced: number;
  FirstDay?: string;
  LastDay?: string;
  Names?: { Name: string; Access: string; Total: number }[];
  OtherNames?: boolean;
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeEach(() => v1.setNow(NOW));

  async function report(query: string, token?: string): Promise<Entry[]> {
    await v1.flushUses();
    const { status, body, text } = await v1.get(`/acl/use?${query}`, token);
    expect(status, text).toBe(200);
    return (body as unknown as { Entries: Entry[] }).Entries;
  }

  async function ask(secret: string, segment: string): Promise<void> {
    await v1.post("/internal/acl/authorize", [{ Resource: "key", Access: "read", Segment: segment }], secret);
  }

  test("policies, rules, tokens and roles are reported with their use, by day, and unused ones without", async () => {
    const ID = await v1.policy(`key_prefix "used/" { policy = "write" } key "idle" { policy = "read" }`);
    const idle = await v1.policy(`key "x" { policy = "read" }`);
    const role = await v1.role({ Policies: [{ ID }] });
    const other = await v1.role({ Policies: [{ ID }] });
    const { accessor, secret } = await v1.token({ Roles: [{ ID: role }] });
    await ask(secret, "used/a");
    const find = async <T>(query: string, of: (entry: Entry) => T, wanted: T) =>
      (await report(query)).find((entry) => of(entry) === wanted);
    const policyOf = ({ Policy }: Entry) => Policy?.ID;
    const days = { FirstDay: "2026-01-02", LastDay: "2026-01-02" };
    expect(await find("", policyOf, ID)).toMatchObject({ Own: 1, Enforced: 0, ...days });
    expect(await find("by=policy", policyOf, idle)).toMatchObject({ Own: 0 });
    expect(await find("by=policy", policyOf, idle)).not.toHaveProperty("LastDay");
    expect(await find("by=token", ({ Token }) => Token?.AccessorID, accessor)).toMatchObject({ Own: 1, ...days });
    expect(await find("by=role", ({ Role }) => Role?.ID, role)).toMatchObject({ Own: 1 });
    expect(await find("by=role", ({ Role }) => Role?.ID, other)).toMatchObject({ Own: 0 });
    const rules = await report(`by=rule&policy=${ID}`);
    expect(rules.map(({ Rule, Own }) => [Rule?.Segment, Own])).toEqual([
      ["idle", 0],
      ["used/", 1],
    ]);
    expect(rules[1]?.Names).toEqual([{ Name: "used/a", Access: "read", Total: 1, LastDay: "2026-01-02" }]);
  });

  test("a report of one policy names the lines of its rules, and one of a role counts that role alone", async () => {
    const ID = await v1.policy(`# about\nkey "a" { policy = "read" }\n\nacl = "read"\n`);
    const [role, other] = [await v1.role({ Policies: [{ ID }] }), await v1.role({ Policies: [{ ID }] })];
    const { secret } = await v1.token({ Roles: [{ ID: role }] });
    await ask(secret, "a");
    const lines = (await report(`by=rule&policy=${ID}`)).map(({ Rule, Own }) => [Rule, Own]);
    expect(lines).toMatchObject([
      [{ Resource: "acl", Line: 4 }, 0],
      [{ Resource: "key", Line: 2 }, 1],
    ]);
    expect(JSON.stringify(await report("by=rule"))).not.toContain("Line");
    expect(await report(`by=role&id=${role}`)).toMatchObject([{ Role: { ID: role }, Own: 1, DaysUsed: 1 }]);
    expect(await report(`by=role&id=${other}`)).toMatchObject([{ Role: { ID: other }, Own: 0 }]);
  });

  test("unused-for shows what was not used for that time, and what never was only when use is recorded for longer", async () => {
    await noteLedgerSince({ ...v1.db, forGood: unwatched(() => NOW) }, true);
    const [early, late, never] = [await keyPolicy("a"), await keyPolicy("b"), await keyPolicy("c")];
    await ask(early.secret, "a");
    await v1.flushUses();
    v1.setNow(NOW + 40 * DAY);
    await ask(late.secret, "b");
    const found = async (duration: string) => {
      const ids = (await report(`unused-for=${duration}`)).map(({ Policy }) => Policy?.ID);
      return [early, late, never].map(({ ID }) => ids.includes(ID));
    };
    expect(await found("30d")).toEqual([true, false, true]);
    expect(await found("60d")).toEqual([false, false, false]);
    await noteLedgerSince(v1.db, false);
    expect(await found("30d")).toEqual([true, false, false]);
  });

  async function keyPolicy(key: string): Promise<{ ID: string; secret: string }> {
    const ID = await v1.policy(`key "${key}" { policy = "read" }`);
    return { ID, secret: (await v1.token({ Policies: [{ ID }] })).secret };
  }

  test("a name is shown only to callers that may read it", async () => {
    const ID = await v1.policy(`key_prefix "" { policy = "read" }`);
    const { secret } = await v1.token({ Policies: [{ ID }] });
    for (const name of ["public/a", "secret/b"]) await ask(secret, name);
    const reader = await v1.tokenWith(`acl = "read" key_prefix "public/" { policy = "read" }`);
    const [entry] = await report(`by=rule&policy=${ID}`, reader);
    expect(entry).toMatchObject({ Own: 2, OtherNames: true });
    expect(entry?.Names?.map(({ Name }) => Name)).toEqual(["public/a"]);
    expect((await v1.get("/acl/use", secret)).status).toBe(403);
  });

  test.each(["by=people", "unused-for=x", "unused-for=-1d"])("%s is refused", async (query) => {
    expect((await v1.get(`/acl/use?${query}`)).status).toBe(400);
  });
});
