import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { makeNamespace, secretIn } from "../../../test/support/scopes.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";

interface Denied {
  RequestID: string;
  At: string;
  Action: string;
  Question: { Resource: string; Segment?: string; Access: string; Wanted: { Rules?: string; Roles: unknown[] } };
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const denied = async (token: string): Promise<readonly Denied[]> => {
    const { status, body, text } = await v1.get("/acl/denied", token);
    expect(status, text).toBe(200);
    return body as Denied[];
  };
  const askedOf = (all: readonly Denied[]) =>
    all.map(({ Question: { Resource, Segment, Access } }) => [Resource, Segment ?? "", Access].join(" "));
  const path = "/organizations/acme/workspaces";
  const lock = (id: string, token: string) => v1.api("PATCH", `/workspaces/${id}`, BODY, token);
  const BODY = { data: { type: "workspaces", attributes: { description: "mine" } } };

  describe("denied requests of the caller", () => {
    const ids: Record<string, string> = {};
    beforeAll(async () => {
      const attributes = { name: "acme", email: "a@example.com" };
      await v1.api("POST", "/organizations", { data: { type: "organizations", attributes } }, MANAGEMENT);
      for (const name of ["payments-prod", "secret-prod"]) {
        const made = await v1.api("POST", path, { data: { type: "workspaces", attributes: { name } } }, MANAGEMENT);
        ids[name] = String(made.body.data.id);
      }
      await v1.policy('workspace_prefix "acme/" { policy = "write" }', "all-workspaces");
      await v1.put("/acl/role", { Name: "workspace-writers", Policies: [{ Name: "all-workspaces" }] });
    });

    test("have the decision, the request ID and the minimal rule, and disappear when the rule is granted", async () => {
      const policy = await v1.policy('workspace_prefix "acme/payments-" { policy = "read" }');
      const { accessor, secret } = await v1.token({ Policies: [{ ID: policy }] });
      const refused = await lock(ids["payments-prod"] ?? "", secret);
      expect(refused.status).toBe(404);
      await v1.get("/acl/tokens", secret);
      const all = await denied(secret);
      expect(askedOf(all)).toEqual(["acl  read", "workspace acme/payments-prod write"]);
      const rules = 'workspace "acme/payments-prod" {\n  policy = "write"\n}';
      expect(all[1]).toMatchObject({
        RequestID: String(refused.headers["x-request-id"]),
        Action: "write",
        Question: { Allow: false, DecidedBy: "direct", Wanted: { Rules: rules, Roles: [], RolesComplete: false } },
      });
      const granted = await v1.policy(all[1]?.Question.Wanted.Rules ?? "");
      await v1.put(`/acl/token/${accessor}`, { Policies: [{ ID: policy }, { ID: granted }] });
      expect((await lock(ids["payments-prod"] ?? "", secret)).status).toBe(200);
      expect(askedOf(await denied(secret))).toEqual(["acl  read"]);
    });

    test("do not tell a hidden workspace or organization from a missing one", async () => {
      const secret = await v1.tokenWith('workspace_prefix "acme/payments-" { policy = "read" }');
      const hidden = [
        await v1.api("GET", `${path}/secret-prod`, undefined, secret),
        await lock(ids["secret-prod"] ?? "", secret),
        await v1.api("GET", `${path}/no-such`, undefined, secret),
      ];
      expect(hidden.map(({ status }) => status)).toEqual([404, 404, 404]);
      expect(await denied(secret)).toEqual([]);
      expect((await v1.api("GET", "/organizations/acme/tags", undefined, secret)).status).toBe(404);
      expect(await denied(secret)).toEqual([]);
      // Many hidden ones push nothing out of the list.
      expect((await v1.get("/acl/tokens", secret)).status).toBe(403);
      for (let count = 0; count < 10; count++) {
        const name = `hidden-${count}`;
        await v1.api("POST", path, { data: { type: "workspaces", attributes: { name } } }, MANAGEMENT);
        expect((await v1.api("GET", `${path}/${name}`, undefined, secret)).status).toBe(404);
      }
      expect(askedOf(await denied(secret))).toEqual(["acl  read"]);
    });

    test("are those of one's own token, of whatever namespace, and of nobody else", async () => {
      await makeNamespace(v1, { namespace: "mine" });
      const secret = await secretIn(v1, { namespace: "mine" }, 'key "a" { policy = "read" }');
      expect((await v1.get("/acl/policies", secret)).status).toBe(403);
      const [one, ...others] = await denied(secret);
      expect(others).toEqual([]);
      expect(one?.Question).toMatchObject({ Resource: "acl", Namespace: "mine", Wanted: { Rules: 'acl = "read"' } });
      expect(await denied(await v1.tokenWith(""))).toEqual([]);
      expect((await v1.get("/acl/policies", "")).status).toBe(403);
      expect(await denied("")).toEqual([]);
    });
  });
});
