/** Auth methods that lie elsewhere, of names that a tenant knows. */
import { beforeAll, describe, expect, test } from "vitest";
import { finishDeletion } from "../../../test/support/deletion.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { bearer, login } from "../../../test/support/login.ts";
import {
  allRows,
  at,
  contentOf,
  idOf,
  KEY,
  loginIn,
  makeIn,
  makeNamespace,
  makePartition,
  type Place,
} from "../../../test/support/scopes.ts";
import { FOREIGN, HOME } from "../../../test/support/tenant-operations.ts";
import { useV1 } from "../../../test/support/v1.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  let tenant = "";
  const accessors = new Map<Place, string>();

  beforeAll(async () => {
    await makePartition(v1, "p");
    for (const place of [HOME, { namespace: "b" }, { namespace: "a", partition: "p" }]) await makeNamespace(v1, place);
    for (const [, place] of FOREIGN) {
      await makeIn(v1, place, "auth-method", { Name: "foreign" });
      await makeIn(v1, place, "binding-rule", { AuthMethod: "foreign" });
      accessors.set(place, idOf(await loginIn(v1, place, {}, "foreign")));
    }
    tenant = (await makeIn(v1, HOME, "token", { Policies: [{ Name: "namespace-management" }] })).SecretID;
  });

  describe.each(FOREIGN)("an auth method that lies in %s", (_what, place) => {
    test("is to a login elsewhere as if it were not there", async () => {
      const before = await allRows(v1);
      const { namespace: Namespace } = HOME;
      const ways = (AuthMethod: string) =>
        ["", `?ns=${Namespace}`].map((query) =>
          v1.post(
            `/acl/login${query}`,
            { AuthMethod, BearerToken: bearer(KEY), ...(query === "" ? { Namespace } : {}) },
            "",
          ),
        );
      const [answers, missing] = [await Promise.all(ways("foreign")), await Promise.all(ways("nobody"))];
      for (const [n, answer] of answers.entries()) {
        expect(answer.status).toBe(403);
        expect(answer.text.replace("foreign", "nobody")).toBe(missing[n]?.text);
      }
      expect(await allRows(v1)).toEqual(before);
      const { namespace, partition } = place;
      const scope = { ...(namespace && { Namespace: namespace }), ...(partition && { Partition: partition }) };
      expect((await login(v1, "foreign", bearer(KEY), scope)).status).toBe(200);
    });

    test("is not explained to a tenant of another", async () => {
      const explain = (AuthMethod: string, query: string) =>
        v1.post(`/acl/login/explain${query}`, { AuthMethod, Identity: { value: { team: "a" } } }, tenant);
      const there = `?ns=${place.namespace ?? "default"}&partition=${place.partition ?? "default"}`;
      for (const [query, status] of [
        ["", 404],
        [at("", HOME), 404],
        [there, 403],
      ] as const) {
        const [answer, missing] = [await explain("foreign", query), await explain("nobody", query)];
        expect([query, answer.status]).toEqual([query, status]);
        expect([answer.status, answer.text.replace("foreign", "nobody")]).toEqual([missing.status, missing.text]);
      }
    });

    test("stays as it is when a tenant writes one of its name, and its rules and tokens are not the tenant's", async () => {
      const before = await allRows(v1);
      const made = await v1.put("/acl/auth-method/foreign", contentOf("auth-method"), tenant);
      expect(made.body).toMatchObject({ Name: "foreign", Namespace: "a", Partition: "default" });
      for (const list of ["binding-rules?authmethod=foreign", "tokens?authmethod=foreign"]) {
        expect((await v1.get(`/acl/${list}`, tenant)).body).toEqual([]);
      }
      expect((await login(v1, "foreign", bearer(KEY), { Namespace: "a" })).status).toBe(403);
      expect((await v1.delete("/acl/auth-method/foreign", tenant)).text).toBe("true");
      await finishDeletion(v1.db);
      expect(await allRows(v1)).toEqual(before);
      const accessor = accessors.get(place);
      expect((await v1.get(at(`/acl/token/${accessor}`, place))).status).toBe(200);
    });
  });
});
