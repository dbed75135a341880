import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { told, useV1 } from "../../test/support/v1.ts";
import { resolveLinks } from "./links.ts";

/** What a stored object says of where it lies. */
const ELSEWHERE = [
  ["another namespace", { partition: "default", namespace: "team" }],
  ["another partition", { partition: "p2", namespace: "default" }],
] as const;

describe.each(ELSEWHERE)("incidents 11, 30: an object of %s is missing", (_where, scope) => {
  forEachEngine((_engine, makeUrl) => {
    const v1 = useV1(makeUrl);
    const foreign = { policy: "", role: "", token: "", secret: "" };
    beforeAll(async () => {
      const { accessor, secret } = await v1.token({ Description: "foreign token" });
      foreign.policy = await v1.policy(`acl = "write"`, "foreign-policy");
      foreign.role = await v1.role({ Name: "foreign-role", Policies: [{ Name: "global-management" }] });
      foreign.token = accessor;
      foreign.secret = secret;
      await v1.write((sql) => sql.updateTable("policies").set(scope).where("id", "=", foreign.policy));
      await v1.write((sql) => sql.updateTable("roles").set(scope).where("id", "=", foreign.role));
      await v1.write((sql) => sql.updateTable("tokens").set(scope).where("accessor_id", "=", foreign.token));
    });
    const rows = async () => [
      await v1.db.sql.selectFrom("policies").selectAll().where("id", "=", foreign.policy).execute(),
      await v1.db.sql.selectFrom("roles").selectAll().where("id", "=", foreign.role).execute(),
      await v1.db.sql.selectFrom("tokens").selectAll().where("accessor_id", "=", foreign.token).execute(),
    ];

    test.each([
      ["read policy", "get", "policy/{policy}", {}],
      ["read policy by name", "get", "policy/name/foreign-policy", {}],
      ["replace policy", "put", "policy/{policy}", { Name: "mine", Namespace: "default" }],
      ["change policy", "patch", "policy/{policy}", { Name: "mine" }],
      ["delete policy", "delete", "policy/{policy}", {}],
      ["read role", "get", "role/{role}", {}],
      ["read role by name", "get", "role/name/foreign-role", {}],
      ["replace role", "put", "role/{role}", { Name: "mine" }],
      ["make a role of this ID", "put", "role", { ID: "{role}", Name: "mine" }],
      ["change role", "patch", "role/{role}", { Name: "mine" }],
      ["delete role", "delete", "role/{role}", {}],
      ["read token", "get", "token/{token}", {}],
      ["read token expanded", "get", "token/{token}?expanded", {}],
      ["replace token", "put", "token/{token}", { Description: "mine" }],
      ["change token", "patch", "token/{token}", {}],
      ["clone token", "put", "token/{token}/clone", {}],
      ["delete token", "delete", "token/{token}", {}],
    ] as const)("for: %s", async (_what, method, path, body) => {
      const before = await rows();
      const kinds = ["policy", "role", "token"] as const;
      const fill = (text: string, id: (kind: (typeof kinds)[number]) => string) =>
        kinds.reduce((filled, kind) => filled.replaceAll(`{${kind}}`, id(kind)), text);
      const ask = (id: (kind: (typeof kinds)[number]) => string, name: string) => {
        const url = `/acl/${fill(path, id).replace(/foreign-(policy|role)/, name)}`;
        return method === "get" || method === "delete"
          ? v1[method](url)
          : v1[method](url, fill(JSON.stringify(body), id));
      };
      const unknown = "99999999-0000-4000-8000-000000000000";
      const absent = told(await ask(() => unknown, "nobody"));
      const answer = told(await ask((kind) => foreign[kind], "foreign-$1"));
      expect(answer.status).toBe(404);
      expect(answer.text.replaceAll(/[0-9a-f-]{36}/g, unknown)).toBe(absent.text);
      // A write that is refused raises the index as the one before did.
      const { "x-service-index": _s, "x-consul-index": _c, "content-length": _l, ...headers } = absent.headers;
      expect(answer.headers).toMatchObject(headers);
      expect(await rows()).toEqual(before);
    });

    test("for lists, searches and their pages", async () => {
      for (const list of ["policies", "roles", "tokens"]) {
        for (const query of ["", "?search=foreign", "?page-size=1000"]) {
          expect((await v1.get(`/acl/${list}${query}`)).text).not.toContain("foreign");
        }
      }
      expect((await v1.get(`/acl/tokens?policy=${foreign.policy}`)).text).toBe("[]");
    });

    test("incident 34: for links of tokens and roles, by ID and by name, when made and when changed", async () => {
      const role = await v1.role();
      const { accessor } = await v1.token();
      for (const link of [{ ID: foreign.policy }, { Name: "foreign-policy" }]) {
        const words = "ID" in link ? foreign.policy : "foreign-policy";
        for (const answer of [
          await v1.put("/acl/token", { Policies: [link] }),
          await v1.patch(`/acl/token/${accessor}`, { Policies: [link] }),
          await v1.put("/acl/role", { Name: "linker", Policies: [link] }),
          await v1.patch(`/acl/role/${role}`, { Policies: [link] }),
        ]) {
          expect(answer).toMatchObject({
            status: 400,
            text: expect.stringMatching(new RegExp(`^(No such ACL policy|Failed to apply).*${words}`)),
          });
        }
      }
      for (const link of [{ ID: foreign.role }, { Name: "foreign-role" }]) {
        expect((await v1.put("/acl/token", { Roles: [link] })).text).toMatch(/^No such ACL role with/);
        expect((await v1.patch(`/acl/token/${accessor}`, { Roles: [link] })).text).toMatch(/^No such ACL role with/);
      }
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

    test("names are free here, and IDs are not", async () => {
      expect((await v1.put("/acl/policy", { Name: "foreign-policy" })).status).toBe(200);
      expect((await v1.put("/acl/role", { Name: "foreign-role" })).status).toBe(200);
      for (const id of [{ AccessorID: foreign.token }, { SecretID: foreign.secret }, { SecretID: foreign.token }]) {
        expect((await v1.put("/acl/token", id)).text).toMatch(/is already in use$/);
      }
    });

    test("but in its own scope it is found, and only there", async () => {
      await v1.db.inTransaction({ kind: "partition", name: "default" }, async (tx) => {
        expect(await resolveLinks(tx, "policies", scope, [{ id: foreign.policy }])).toEqual([foreign.policy]);
        expect(await resolveLinks(tx, "roles", scope, [{ name: "Foreign-Role" }])).toEqual([foreign.role]);
      });
    });
  });
});
