import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../../../test/support/engines.ts";
import { makeNamespace, secretIn } from "../../../../test/support/scopes.ts";
import { sized } from "../../../../test/support/length.ts";
import { randomOfRun } from "../../../../test/support/seeded.ts";
import { MANAGEMENT, NOBODY, useV1 } from "../../../../test/support/v1.ts";

const CHANGES = sized(60, 600);
const RULES = [
  'workspace "acme/prod" { policy = "write" }',
  'workspace_prefix "acme/" { policy = "read" }',
  'key_prefix "a" { policy = "write" }\nkey "a/b" { policy = "deny" }',
  'namespace "team" { key "a/b" { policy = "read" } acl = "read" }',
  'service_prefix "" { policy = "read" }',
  'operator = "read"',
];

interface Table {
  Entries: { Resource: string; Segment?: string; Decisions: { Allowed: string[] }[] }[];
  Damage?: { Seq?: number; Reason: string };
  Records?: number;
  At?: string;
}

/** With lists whose order means nothing, of policies and of the ways to them, in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(sorted).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, sorted(member)]));
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const random = randomOfRun();
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const some = <T>(list: readonly T[]): T[] => list.filter(() => random() < 0.4);
  const policies = new Set<string>();
  const roles = new Set<string>();
  const tokens = new Set<string>();
  const known = { roles: new Set<string>(), tokens: new Set<string>() };
  const links = (ids: ReadonlySet<string>) => some([...ids]).map((ID) => ({ ID }));
  const grants = () => ({
    Policies: links(policies),
    ServiceIdentities: random() < 0.2 ? [{ ServiceName: pick(["web", "db"]) }] : [],
  });
  const timeOf = (milliseconds: number) => new Date(milliseconds).toISOString();

  /** The changes that are made at random, each of which leaves a record. */
  const CHANGE: readonly (() => Promise<unknown>)[] = [
    async () => policies.add(await v1.policy(pick(RULES))),
    async () => {
      const role = await v1.role({ Name: v1.unique("role"), ...grants() });
      roles.add(role);
      known.roles.add(role);
    },
    async () => {
      const { accessor } = await v1.token({ ...grants(), Roles: links(roles) });
      tokens.add(accessor);
      known.tokens.add(accessor);
    },
    () => v1.patch(`/acl/policy/${pick([...policies])}`, { Rules: pick(RULES), Name: v1.unique("renamed") }),
    () => v1.patch(`/acl/role/${pick([...roles])}`, { ...grants(), Name: v1.unique("renamed") }),
    () => v1.patch(`/acl/token/${pick([...tokens])}`, { ...grants(), Roles: links(roles) }),
    () => v1.put("/namespace/default", { ACLs: { PolicyDefaults: links(policies), RoleDefaults: links(roles) } }),
    () => removeOne("policy", policies),
    () => removeOne("role", roles),
    () => removeOne("token", tokens),
  ];

  async function removeOne(kind: string, ids: Set<string>): Promise<void> {
    if (ids.size < 2) return;
    const id = pick([...ids]);
    ids.delete(id);
    expect((await v1.delete(`/acl/${kind}/${id}`)).status).toBe(200);
  }

  const ask = async (query: string, token = MANAGEMENT) => v1.get(`/acl/effective?${query}&page-size=1000`, token);
  const subjects = () => [
    ...[...known.tokens].map((id) => `accessor=${id}`),
    ...[...known.roles].map((id) => `role=${id}`),
    "namespace-defaults=default",
  ];
  /** The time now, after which the next record is written later. */
  const moment = async (): Promise<number> => {
    const now = v1.db.now();
    while (v1.db.now() <= now) await setImmediate();
    return now;
  };

  describe("effective permissions as of a time", () => {
    test(`are what the server said at that time, after ${CHANGES} random changes`, async () => {
      for (const make of CHANGE.slice(0, 3)) for (let count = 0; count < 3; count++) await make();
      const moments: { at: string; said: Map<string, unknown> }[] = [];
      for (let count = 0; count < CHANGES; count++) {
        await pick(CHANGE)();
        if (count % 6 !== 0) continue;
        const said = new Map<string, unknown>();
        for (const subject of subjects()) {
          const { status, body } = await ask(subject);
          said.set(subject, status === 200 ? sorted((body as Table).Entries) : status);
        }
        moments.push({ at: timeOf(await moment()), said });
      }
      let compared = 0;
      let gone = 0;
      for (const { at, said } of moments) {
        for (const [subject, then] of said) {
          const { status, body, text } = await ask(`${subject}&at=${at}`);
          expect(
            status === 200 ? sorted((body as Table).Entries) : status,
            `${subject} ${at} ${text.slice(0, 300)}`,
          ).toEqual(then);
          if (status === 200) expect((body as Table).Damage).toBeUndefined();
          compared++;
          gone += Number(status === 404);
        }
      }
      expect(compared).toBeGreaterThan(CHANGES);
      expect(compared - gone).toBeGreaterThan(CHANGES / 4);
    });

    test("of what was not there, or not yet, are none, and of what is gone since are all", async () => {
      await v1.put("/namespace/default", {});
      const before = timeOf(await moment());
      const policy = await v1.policy('key "x" { policy = "write" }');
      const { accessor } = await v1.token({ Policies: [{ ID: policy }] });
      const during = timeOf(await moment());
      await v1.delete(`/acl/token/${accessor}`);
      await v1.delete(`/acl/policy/${policy}`);
      expect((await ask(`accessor=${accessor}&at=${before}`)).status).toBe(404);
      expect((await ask(`accessor=${NOBODY}&at=${before}`)).status).toBe(404);
      expect((await ask(`accessor=${accessor}`)).status).toBe(404);
      const { body } = await ask(`accessor=${accessor}&at=${during}&resource=key`);
      expect((body as Table).Entries).toMatchObject([
        { Segment: "x", Decisions: [{ Allowed: ["read", "list", "write"] }] },
      ]);
      expect((body as Table).At).toBe(during);
      expect((body as Table).Records).toBeGreaterThan(0);
    });

    test("of a token that had ended by then are none", async () => {
      const { accessor } = await v1.token({ ExpirationTTL: "10m" });
      const alive = await moment();
      v1.setNow(alive + 700_000);
      expect((await ask(`accessor=${accessor}&at=${timeOf(alive)}`)).status).toBe(200);
      expect((await ask(`accessor=${accessor}&at=${timeOf(alive + 660_000)}`)).status).toBe(404);
      v1.setNow(undefined);
    });

    test("need the right to read audit records, of one's own token too", async () => {
      const { secret } = await v1.token({ Policies: [{ ID: await v1.policy('key "x" { policy = "write" }') }] });
      const at = timeOf(await moment());
      expect((await ask("", secret)).status).toBe(200);
      expect((await ask(`at=${at}`, secret)).status).toBe(403);
      await makeNamespace(v1, { namespace: "team" });
      const reader = await secretIn(v1, { namespace: "team" }, 'acl = "read"');
      const then = timeOf(await moment());
      const { status, body } = await ask(`at=${then}`, reader);
      expect(status).toBe(200);
      // How much is written elsewhere is nobody's concern who reads one namespace.
      expect((body as Table).Records).toBeUndefined();
      expect((await ask(`at=${then}&role=${NOBODY}&ns=default`, reader)).status).toBe(403);
    });

    test("before the first record are refused with its time, as those of the future are", async () => {
      const first = await v1.db.sql
        .selectFrom("audit_records")
        .select("at")
        .where("chain", "=", "partition/default")
        .orderBy("seq")
        .executeTakeFirst();
      const early = await ask(`at=2020-01-01T00:00:00Z`);
      expect(early.status).toBe(422);
      expect(early.text).toContain(first?.at);
      expect((await ask(`at=${timeOf(v1.now() + 60_000)}`)).status).toBe(400);
      expect((await ask(`at=yesterday`)).status).toBe(400);
      expect((await ask(`at=${timeOf(await moment())}&auth-method=x`)).status).toBe(400);
    });

    test("say that the chain is damaged, and where", async () => {
      const { accessor } = await v1.token();
      const at = timeOf(await moment());
      const name = v1.unique("changed");
      await v1.policy("", name);
      expect((await ask(`accessor=${accessor}&at=${at}`)).body).not.toHaveProperty("Damage");
      await v1.past({ kind: "partition", name: "default" }, (tx) => {
        tx.write(tx.sql.updateTable("audit_records").set({ name: "nobody" }).where("name", "=", name));
        return Promise.resolve();
      });
      const { body } = await ask(`accessor=${accessor}&at=${at}`);
      expect((body as Table).Damage).toEqual({
        Seq: expect.any(Number),
        Reason: expect.stringContaining("was modified or inserted"),
      });
    });
  });
});
