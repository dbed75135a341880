import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { useV1 } from "../../test/support/v1.ts";
import { resolveLinks } from "../acl/kit/links.ts";

/** Scopes of the stored object. */
const ELSEWHERE = [
  ["another namespace", { partition: "default", namespace: "team" }],
  ["another partition", { partition: "p2", namespace: "default" }],
] as const;

describe.each(ELSEWHERE)("an object of %s", (_where, scope) => {
  forEachEngine((_engine, makeUrl) => {
    const v1 = useV1(makeUrl);
    const foreign = { policy: "", role: "" };
    beforeAll(async () => {
      foreign.policy = await v1.policy(`acl = "write"`, "foreign-policy");
      foreign.role = await v1.role({ Name: "foreign-role", Policies: [{ Name: "global-management" }] });
      await v1.write((sql) => sql.updateTable("policies").set(scope).where("id", "=", foreign.policy));
      await v1.write((sql) => sql.updateTable("roles").set(scope).where("id", "=", foreign.role));
    });

    test("incident 34: a link that stands in a row all the same gives no right and is not shown", async () => {
      const { accessor, secret } = await v1.token();
      const links = { policies: JSON.stringify([foreign.policy]), roles: JSON.stringify([foreign.role]) };
      await v1.write((sql) => sql.updateTable("tokens").set(links).where("accessor_id", "=", accessor));
      // Written past the application: a change of its own makes the server look again.
      await v1.put("/acl/token", {});
      expect((await v1.get("/acl/policies", secret)).status).toBe(403);
      const { body } = await v1.get(`/acl/token/${accessor}?expanded`);
      expect(body).toMatchObject({ ExpandedPolicies: null, ExpandedRoles: null });
      expect(body).not.toHaveProperty("Policies");
      expect(body).not.toHaveProperty("Roles");
    });

    test("is found by links in its own scope", async () => {
      await v1.db.inTransaction({ kind: "partition", name: "default" }, async (tx) => {
        expect(await resolveLinks(tx, "policies", scope, [{ id: foreign.policy }])).toEqual([foreign.policy]);
        expect(await resolveLinks(tx, "roles", scope, [{ name: "Foreign-Role" }])).toEqual([foreign.role]);
      });
    });
  });
});
