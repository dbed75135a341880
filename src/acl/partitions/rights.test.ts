import { beforeAll, describe, expect, test } from "vitest";
import { proveRows } from "../../../test/support/proofs.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { MANAGEMENT, RESERVED, useV1 } from "../../../test/support/v1.ts";

const UNITS = ["one", "two"];

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeAll(async () => {
    for (const Name of UNITS) await v1.put("/partition", { Name });
  });
  const tokenIn = async (scope: string, content: object = {}) =>
    (await v1.put(`/acl/token?${scope}`, content)).body.SecretID as string;

  async function seen(secret: string, query = "") {
    const answer = await v1.get(`/partitions${query}`, secret);
    expect(answer.status, answer.text).toBe(200);
    const { headers } = answer;
    expect(headers["x-consul-results-filtered-by-acls"]).toBe(headers["x-service-results-filtered-by-acls"]);
    const names = (answer.body as { Name: string }[]).map(({ Name }) => Name);
    const one: string[] = [];
    for (const name of ["default", ...UNITS]) {
      const { status } = await v1.get(`/partition/${name}`, secret);
      expect([200, 403]).toContain(status);
      if (status === 200) one.push(name);
    }
    return { names, one, filtered: headers["x-service-results-filtered-by-acls"] };
  }
  const all = { names: ["default", ...UNITS], one: ["default", ...UNITS], filtered: undefined };
  const only = (...names: string[]) => ({ names, one: names, filtered: "true" });

  describe("who reads partitions", () => {
    test.each<[rules: string, all: boolean]>([
      ["", false],
      ['operator = "read"', true],
      ['operator = "write"', true],
      ['operator = "deny"', false],
      ['acl = "write" partition_prefix "" { policy = "write" }', false],
      ['partition "one" { acl = "read" }', false],
    ])("by the rules %j all of them: %j; its own in any case", async (rules, isAll) => {
      expect(await seen(await v1.tokenWith(rules))).toEqual(isAll ? all : only("default"));
    });

    test("the anonymous token reads none, and is told that some were left out", async () => {
      expect(await seen("")).toEqual(only());
      expect(await v1.get("/partition/default", "")).toMatchObject({
        status: 403,
        text: expect.stringMatching(/^Permission denied: anonymous token lacks permission 'operator:read'\./),
      });
      expect((await v1.get("/partition/nobody", "")).status).toBe(403);
    });

    test("a token of another partition reads that one, whatever its namespace and its rights", async () => {
      expect(await seen(await tokenIn("partition=one"))).toEqual(only("one"));
      await v1.put("/namespace/team?partition=two", {});
      expect(await seen(await tokenIn("partition=two&ns=team"))).toEqual(only("two"));
      const managed = { Policies: [{ Name: "namespace-management" }] };
      const manager = await tokenIn("partition=one", managed);
      expect(await seen(manager)).toEqual(only("one"));
      for (const write of [v1.put, v1.patch]) expect((await write("/partition/one", {}, manager)).status).toBe(403);
    });

    test("a page and a search say that something is hidden, whatever is searched for: nobody guesses names by it", async () => {
      const secret = await v1.tokenWith("");
      expect(await seen(secret, "?search=DEF")).toMatchObject({ names: ["default"], filtered: "true" });
      expect(await seen(secret, "?search=one")).toMatchObject({ names: [], filtered: "true" });
      expect((await seen(secret, "?search=nobody")).filtered).toBe("true");
      expect((await seen(MANAGEMENT, "?search=nobody")).filtered).toBeUndefined();
      expect(await seen(secret, "?page-size=1")).toMatchObject({ names: ["default"], filtered: "true" });
    });

    test("what is missing is refused before it is missed", async () => {
      expect((await v1.get("/partition/nobody", await v1.tokenWith(""))).status).toBe(403);
      expect((await v1.get("/partition/nobody", await v1.tokenWith('operator = "read"'))).status).toBe(404);
    });
  });

  describe("who writes partitions", () => {
    test("a policy of another partition cannot say operator, and what was stored there before has no effect", async () => {
      const refused = await v1.put("/acl/policy?partition=one", { Name: "op", Rules: 'operator = "write"' });
      expect(refused).toMatchObject({ status: 400, text: expect.stringContaining("operator") });
      const { ID } = (await v1.put("/acl/policy?partition=one", { Name: "op", Rules: "" })).body;
      await v1.past({ kind: "partition", name: "one" }, (tx) => {
        tx.write(tx.sql.updateTable("policies").set({ rules: 'operator = "write"' }).where("id", "=", ID));
        tx.touch({ partition: "one", namespace: "default", table: "policies", key: ID });
        return Promise.resolve();
      });
      await proveRows(v1.db);
      const secret = await tokenIn("partition=one", { Policies: [{ ID }] });
      expect(await seen(secret)).toEqual(only("one"));
      expect((await v1.put("/partition/one", {}, secret)).status).toBe(403);
    });
  });

  test("each new partition has a namespace default, with a policy by which it is managed", async () => {
    const Name = v1.unique("unit");
    await v1.put("/partition", { Name });
    const [namespace, ...others] = (await v1.get(`/namespaces?partition=${Name}`)).body;
    expect(others).toEqual([]);
    expect(namespace).toMatchObject({ Name: "default", Description: "Builtin Default Namespace", Partition: Name });
    expect((await v1.get(`/namespace/default?partition=${Name}`)).body).toEqual(namespace);
    const policies = (await v1.get(`/acl/policies?partition=${Name}`)).body;
    expect(policies).toMatchObject([{ Name: "namespace-management", Partition: Name, Namespace: "default" }]);
    // Once, and not again when it is updated.
    await v1.put(`/partition/${Name}`, { Description: "x" });
    expect((await v1.get(`/acl/policies?partition=${Name}`)).body).toEqual(policies);
    expect((await v1.delete(`/namespace/default?partition=${Name}`)).status).toBe(400);
    expect((await v1.put(`/namespace/default?partition=${Name}`, { Meta: { a: "b" } })).body).toMatchObject({
      Meta: { a: "b" },
      Partition: Name,
    });
    const secret = await tokenIn(`partition=${Name}`, { Policies: [{ Name: "namespace-management" }] });
    expect((await v1.put("/acl/policy", { Name: "mine" }, secret)).body).toMatchObject({ Partition: Name });
    expect((await v1.get("/acl/policies?partition=default", secret)).status).toBe(403);
    expect((await v1.get("/acl/policies?partition=one", secret)).status).toBe(403);
  });

  test("what management tokens of the default partition may do, they may in every partition", async () => {
    for (const Partition of UNITS) {
      const questions = ["acl", "key", "mesh", "event"].map((Resource) => ({ Resource, Access: "write", Partition }));
      const answers = (await v1.post("/internal/acl/authorize", questions, MANAGEMENT)).body as { Allow: boolean }[];
      expect(answers.every(({ Allow }) => Allow)).toBe(true);
      const linked = await v1.put(`/acl/token?partition=${Partition}`, { Policies: [{ ID: `${RESERVED}01` }] });
      expect(linked.status).toBe(400);
    }
  });
});
