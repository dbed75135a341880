import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { makeIn, makeMethodIn, makeNamespace, METHOD, secretIn } from "../../../test/support/scopes.ts";
import { randomOfRun } from "../../../test/support/seeded.ts";
import { MANAGEMENT, NOBODY, useV1 } from "../../../test/support/v1.ts";

interface Cell {
  Accesses: string[];
  Allowed: string[];
  DecidedBy: string;
  Rule?: { Resource: string; Segment: string; Policy: string };
  Path?: { ID: string; Name: string; Places?: { Line: number; Column: number }[]; Links: { Kind: string }[] }[];
}
interface Row {
  Resource: string;
  Segment?: string;
  Prefix?: true;
  Namespace: string;
  NamespacePrefix?: true;
  Partition: string;
  PartitionPrefix?: true;
  Decisions: Cell[];
  With?: Cell[];
  Differs?: true;
}
interface Table {
  Subject: Record<string, unknown>;
  With?: Record<string, unknown>;
  DefaultPolicy: string;
  Entries: Row[];
}

const RULES = [
  'workspace "acme/prod" { policy = "write" }\nworkspace_prefix "acme/" { policy = "read" }',
  'workspace "acme/prod" { policy = "deny" }',
  'organization "acme" { policy = "write" }',
  'key_prefix "a" { policy = "write" }\n\nkey "a/b" { policy = "deny" }',
  'namespace "team" { key "a/b" { policy = "read" } acl = "read" }',
  'service_prefix "" { policy = "read" intentions = "deny" }',
  'operator = "write"',
];
const random = randomOfRun();

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const policies: string[] = [];

  beforeAll(async () => {
    await makeNamespace(v1, { namespace: "team" });
    for (const rules of RULES) policies.push(await v1.policy(rules));
    await v1.put("/namespace/team", { ACLs: { PolicyDefaults: [{ ID: policies[3] }] } });
  });

  const links = (...indexes: number[]) => indexes.map((index) => ({ ID: policies[index] }));
  const ask = async (query: string, token = MANAGEMENT) => {
    const answer = await v1.get(`/acl/effective?${query}`, token);
    expect(answer.status, answer.text).toBe(200);
    const next = answer.headers["x-service-next"] as string | undefined;
    return { ...answer, table: answer.body as Table, next };
  };
  const whole = async (query: string, token = MANAGEMENT) => (await ask(`${query}&page-size=1000`, token)).table;
  const find = (table: Table, Resource: string, Segment: string | undefined, Namespace = "default") =>
    table.Entries.find(
      (row) =>
        row.Resource === Resource && row.Segment === Segment && row.Namespace === Namespace && !row.NamespacePrefix,
    );

  describe("effective permissions", () => {
    test("of a token have each name with its decision, its rule, and the line that gives it", async () => {
      const role = await v1.role({ Name: v1.unique("writers"), Policies: links(3) });
      const { accessor } = await v1.token({ Policies: links(0, 2), Roles: [{ ID: role }] });
      const table = await whole(`accessor=${accessor}`);
      expect(table).toMatchObject({ Subject: { AccessorID: accessor }, DefaultPolicy: "deny" });
      const [cell] = find(table, "key", "a/b")?.Decisions ?? [];
      expect(cell).toMatchObject({ Accesses: ["read", "list", "write"], Allowed: [], Rule: { Policy: "deny" } });
      expect(cell?.Path).toMatchObject([
        { ID: policies[3], Places: [{ Line: 3, Column: 5 }], Links: [{ Kind: "role", ID: role }] },
      ]);
      expect(find(table, "workspace", "acme/prod")?.Decisions).toMatchObject([
        { Accesses: ["read", "write"], Allowed: ["read", "write"] },
      ]);
      expect(find(table, "workspace", "acme/")?.Decisions).toMatchObject([{ Allowed: ["read"] }]);
      // Nothing is said of what only the default policy decides.
      expect(table.Entries.every(({ Resource }) => Resource !== "service")).toBe(true);
    });

    test("of random tokens are what authorize says of each row", async () => {
      const some = policies.filter(() => random() < 0.5);
      const { accessor, secret } = await v1.token({ Policies: some.map((ID) => ({ ID })) });
      const { Entries } = await whole(`accessor=${accessor}`);
      const cells = Entries.flatMap((row) =>
        row.Decisions.flatMap(({ Accesses, Allowed }) => Accesses.map((access) => ({ row, access, Allowed }))),
      );
      for (const { row, access, Allowed } of cells) {
        const around = row.Prefix ? `${row.Segment ?? ""}zz${row.Resource === "workspace" ? "/zz" : ""}` : row.Segment;
        const where = row.NamespacePrefix || row.PartitionPrefix ? undefined : row.Namespace;
        if (where === undefined) continue;
        const question = { Resource: row.Resource, Segment: around, Access: access, Namespace: where };
        const asked = row.Resource === "namespace" ? { ...question, Namespace: around ?? "" } : question;
        const { body, text } = await v1.post("/acl/authorize", [asked], secret);
        expect((body as { Allow: boolean }[])[0]?.Allow, `${JSON.stringify(row)} ${text}`).toBe(
          Allowed.includes(access),
        );
      }
    });

    test("of a role, and of all tokens of a namespace, come without those of others", async () => {
      const Name = v1.unique("role");
      const role = await v1.role({ Name, Policies: links(4) });
      const table = await whole(`role=${Name}`);
      expect(table.Subject).toMatchObject({ Role: { ID: role, Name } });
      expect(find(table, "key", "a/b", "team")?.Decisions).toMatchObject([{ Allowed: ["read"], DecidedBy: "direct" }]);
      expect(await whole(`role=${role}`)).toEqual(table);
      const given = await whole("namespace-defaults=team");
      expect(given.Subject).toMatchObject({ Namespace: "team" });
      expect(find(given, "key", "a")?.Decisions ?? given.Entries).toBeDefined();
      expect(given.Entries.flatMap(({ Decisions }) => Decisions.map(({ DecidedBy }) => DecidedBy))).toContain(
        "default",
      );
      expect((await v1.get("/acl/effective?namespace-defaults=none", MANAGEMENT)).status).toBe(404);
    });

    test("of an auth method have what its rules give by name, and name those that the identity decides", async () => {
      await makeMethodIn(v1, {});
      const Name = v1.unique("bound");
      await v1.role({ Name, Policies: links(3) });
      const rule = async (BindName: string) =>
        (
          (await v1.put("/acl/binding-rule", { AuthMethod: METHOD, BindType: "role", BindName })).body as {
            ID: string;
          }
        ).ID;
      const [literal, computed] = [await rule(Name), await rule("${value.team}")];
      const table = await whole(`auth-method=${METHOD}`);
      expect(table.Subject).toMatchObject({
        AuthMethod: METHOD,
        Computed: [{ ID: computed, BindName: "${value.team}" }],
      });
      expect(find(table, "key", "a/b")?.Decisions[0]?.Path).toMatchObject([
        { Links: [{ Kind: "role", Name, BindingRules: [{ ID: literal }] }] },
      ]);
    });

    test.each([1, 2, 1000])("come whole in pages of %i, each row once", async (size) => {
      const { accessor } = await v1.token({ Policies: links(0, 1, 2, 3, 4, 5, 6) });
      const rows: Row[] = [];
      let after = "";
      do {
        const page = await ask(`accessor=${accessor}&page-size=${size}${after && `&after=${after}`}`);
        expect(page.table.Entries.length).toBeLessThanOrEqual(size);
        rows.push(...page.table.Entries);
        after = page.next ?? "";
      } while (after !== "");
      expect(rows).toEqual((await whole(`accessor=${accessor}`)).Entries);
      const keys = (await whole(`accessor=${accessor}&resource=key`)).Entries;
      expect(keys).toEqual(rows.filter(({ Resource }) => Resource === "key"));
      expect(keys.length).toBeGreaterThan(1);
    });

    test("of two subjects show why one may and the other may not", async () => {
      const [one, other] = [await v1.token({ Policies: links(3, 5) }), await v1.token({ Policies: links(4, 5) })];
      const table = await whole(`accessor=${one.accessor}&with=accessor:${other.accessor}`);
      expect(table.With).toMatchObject({ AccessorID: other.accessor });
      expect(find(table, "key", "a")).toMatchObject({
        Differs: true,
        Prefix: true,
        Decisions: [{ Allowed: ["read", "list", "write"] }],
      });
      expect(find(table, "key", "a")?.With).toMatchObject([{ Allowed: [], DecidedBy: "default-policy" }]);
      expect(find(table, "key", "a/b")?.Differs).toBeUndefined();
      expect(find(table, "key", "a/b", "team")).toMatchObject({ Differs: true, With: [{ Allowed: ["read"] }] });
      // Both may the same with services, so nothing is said of them.
      expect(table.Entries.some(({ Resource }) => Resource === "service")).toBe(false);
      expect((await whole(`accessor=${one.accessor}&with=accessor:${one.accessor}`)).Entries).toEqual([]);
    });
  });

  describe("of effective permissions", () => {
    test("a caller sees its own without acl:read: what it may do, and neither policies nor what they deny", async () => {
      const { secret, accessor } = await v1.token({ Policies: links(3) });
      const { table, headers } = await ask("page-size=1000", secret);
      expect(table.Subject).toMatchObject({ AccessorID: accessor });
      expect(find(table, "key", "a")?.Decisions).toMatchObject([
        { Allowed: ["read", "list", "write"], Path: [{ ID: "hidden", Name: "hidden" }] },
      ]);
      expect(JSON.stringify(table)).not.toContain("a/b");
      expect(headers["x-service-results-filtered-by-acls"]).toBe("true");
      for (const query of [`accessor=${accessor}`, "accessor=self"])
        expect((await ask(`${query}&page-size=1000`, secret)).table).toEqual(table);
      const other = await v1.token();
      expect((await v1.get(`/acl/effective?accessor=${other.accessor}`, secret)).status).toBe(403);
      expect((await v1.get(`/acl/effective?with=accessor:${other.accessor}`, secret)).status).toBe(403);
    });

    test("who may read one namespace sees its subjects, and no name that only its defaults contain", async () => {
      const reader = await secretIn(v1, { namespace: "team" }, 'acl = "read"');
      const { AccessorID } = (await makeIn(v1, { namespace: "team" }, "token", {})) as { AccessorID: string };
      const { table, headers, text } = await ask(`accessor=${AccessorID}&ns=team&page-size=1000`, reader);
      expect(headers["x-service-results-filtered-by-acls"]).toBe("true");
      expect(text).not.toContain("a/b");
      expect(table.Entries).toEqual([]);
      expect(find(await whole(`accessor=${AccessorID}&ns=team`), "key", "a/b")).toBeDefined();
      expect((await v1.get(`/acl/effective?accessor=${AccessorID}&ns=default`, reader)).status).toBe(403);
      expect((await v1.get(`/acl/effective?namespace-defaults=default`, reader)).status).toBe(403);
    });

    test("what cannot be asked is refused", async () => {
      for (const query of [
        `accessor=${NOBODY}&role=x`,
        "with=x",
        "with=accessor:",
        "with=key:x",
        "resource=x",
        "page-size=x",
        "after=x",
        "after=1-zz",
      ])
        expect((await v1.get(`/acl/effective?${query}`, MANAGEMENT)).status, query).toBe(400);
      for (const query of [`accessor=${NOBODY}`, "role=none", "auth-method=none", `with=role:${NOBODY}`])
        expect((await v1.get(`/acl/effective?${query}`, MANAGEMENT)).status, query).toBe(404);
    });
  });
});
