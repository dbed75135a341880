import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { afterNextTurn } from "../../turns.ts";
import { useV1, type V1 } from "../../../test/support/v1.ts";

const AWKWARD = '<script>"&\u2028\\ \u0007 ü漢🔑';

/** Tokens that between them show each member that a token can have. */
async function fill(v1: V1): Promise<void> {
  const role = await v1.role();
  const policy = await v1.policy('key "a" { policy = "read" }');
  const contents: object[] = [
    { Description: AWKWARD, Policies: [{ ID: policy }], Roles: [{ ID: role }] },
    { SecretID: "2b5a1d3e-0c9f-4a7b-8e6d-5f4c3b2a1908", ExpirationTTL: "2h", Local: true },
    { ServiceIdentities: [{ ServiceName: "web" }, { ServiceName: "api", Datacenters: ["dc1", "dc2"] }] },
    { NodeIdentities: [{ NodeName: "n1", Datacenter: "dc1" }] },
    { TemplatedPolicies: [{ TemplateName: "builtin/service", TemplateVariables: { Name: "web" } }] },
    { TemplatedPolicies: [{ TemplateName: "builtin/dns", Datacenters: ["dc1"] }] },
    { ExpirationTime: new Date(Date.now() + 7_200_000).toISOString().replace(/\d\dZ$/, "00Z") },
  ];
  for (const content of contents) await v1.token(content);
  // More than the first slice has.
  for (let index = 0; index < 60; index++) await v1.token({ Description: `token ${index}` });
}

interface Listed {
  AccessorID: string;
  SecretID: string;
  Description: string;
}

/** The whole list, made anew: who asks in the turn in which one was made is given that one. */
async function listed(v1: V1): Promise<Listed[]> {
  await afterNextTurn();
  return (await v1.get("/acl/tokens")).body as Listed[];
}

async function expectDamaged(v1: V1): Promise<void> {
  await afterNextTurn();
  const before = v1.db.damagedRows()["tokens"] ?? 0;
  const answer = await v1.get("/acl/tokens");
  expect([answer.status, answer.text]).toEqual([503, expect.stringContaining("storage is corrupted")]);
  expect(v1.db.damagedRows()["tokens"]).toBeGreaterThan(before);
}

forEachEngine((_engine, makeUrl) => {
  describe.each(["enterprise", "community"] as const)("%s", (edition) => {
    const v1 = useV1(makeUrl, { config: { edition } });
    beforeAll(() => fill(v1));

    test.each(["", "&pretty"])("a whole list is, letter by letter, the page that has all of it%s", async (manner) => {
      const whole = await v1.get(`/acl/tokens?${manner}`);
      const page = await v1.get(`/acl/tokens?page-size=1000${manner}`);
      expect([whole.status, page.status]).toEqual([200, 200]);
      expect((whole.body as unknown[]).length).toBeGreaterThan(60);
      expect(whole.text).toBe(page.text);
    });

    test("a whole list shows each token as a read of it does", async () => {
      const all = (await v1.get("/acl/tokens")).body as { AccessorID: string }[];
      for (const token of all) expect((await v1.get(`/acl/token/${token.AccessorID}`)).body).toEqual(token);
    });

    test("who may not write tokens is shown no secret in a whole list", async () => {
      const reader = await v1.tokenWith('acl = "read"');
      const all = (await v1.get("/acl/tokens", reader)).body as { SecretID: string }[];
      expect(all.length).toBeGreaterThan(60);
      expect(new Set(all.map(({ SecretID }) => SecretID))).toEqual(new Set(["<hidden>"]));
    });

    test("whole lists by a filter, by one that nothing fits, and of nothing", async () => {
      const policy = await v1.policy("", v1.unique("p"));
      expect((await v1.get(`/acl/tokens?policy=${policy}`)).text).toBe("[]");
      expect((await v1.get(`/acl/tokens?policy=${policy}&pretty`)).text).toBe("[]\n");
      const { accessor } = await v1.token({ Policies: [{ ID: policy }] });
      const found = (await v1.get(`/acl/tokens?policy=${policy}`)).body as { AccessorID: string }[];
      expect(found.map(({ AccessorID }) => AccessorID)).toEqual([accessor]);
      expect((await v1.get("/acl/tokens?search=nothing-has-this")).text).toBe("[]");
    });

    // The token is in the first slice: damage that is found later breaks off the answer.
    test("a token that is not what was written keeps the list from being told", async () => {
      const all = await listed(v1);
      const { AccessorID: accessor = "", Description = "" } = all[7] ?? {};
      const rewrite = (description: string) =>
        v1.past({ kind: "root" }, async (tx) =>
          tx.write(tx.sql.updateTable("tokens").set({ description }).where("accessor_id", "=", accessor)),
        );
      await rewrite("altered");
      await expectDamaged(v1);
      await rewrite(Description);
      expect(await listed(v1)).toEqual(all);
    });

    test("a sealed secret that was moved to another token does not open in a whole list", async () => {
      const all = await listed(v1);
      const [mine, other] = [all[3]?.AccessorID ?? "", all[4]?.AccessorID ?? ""];
      const sealedOf = async (accessor: string) =>
        (
          await v1.db.sql
            .selectFrom("tokens")
            .select("secret_sealed")
            .where("accessor_id", "=", accessor)
            .executeTakeFirstOrThrow()
        ).secret_sealed;
      const own = await sealedOf(mine);
      // The proof of the row is right: nothing but the seal says that it is another's.
      const seal = (secret_sealed: string) =>
        v1.write((sql) => sql.updateTable("tokens").set({ secret_sealed }).where("accessor_id", "=", mine));
      await seal(await sealedOf(other));
      await expectDamaged(v1);
      await seal(own);
      expect(await listed(v1)).toEqual(all);
    });
  });
});
