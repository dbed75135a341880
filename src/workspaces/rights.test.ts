import { describe, expect, it } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { tagNames, useApi, type Api } from "../../test/support/api.ts";

function body(attributes: object) {
  return { data: { type: "workspaces", attributes } };
}

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  describe("rights to a workspace", () => {
    it.each(["read", "write", "deny"] as const)("workspace %s decides over the organization's", async (policy) => {
      const org = await api.organization();
      const id = await api.workspace(org, "Prod");
      const token = api.tokenWith(
        { kind: "organization", segment: org, policy: policy === "deny" ? "write" : "deny" },
        { kind: "workspace", segment: `${org.toUpperCase()}/pROD`, policy },
      );
      const reads = policy === "deny" ? 404 : 200;
      const writes = policy === "write" ? 200 : 404;
      const path = `/organizations/${org}/workspaces/PROD`;
      expect((await api.get(`/workspaces/${id}`, token)).status).toBe(reads);
      expect((await api.get(path, token)).status).toBe(reads);
      expect((await api.patch(path, body({ description: "x" }), token)).status).toBe(writes);
      for (const action of ["lock", "unlock", "lock", "force-unlock"]) {
        expect((await api.post(`/workspaces/${id}/actions/${action}`, undefined, token)).status).toBe(writes);
      }
      // To rename needs the right to the new name as well.
      expect((await api.patch(path, body({ name: "other" }), token)).status).toBe(404);
      expect((await api.patch(path, body({ name: "PROD" }), token)).status).toBe(writes);
      expect((await api.delete(`/workspaces/${id}`, undefined, token)).status).toBe(policy === "write" ? 204 : 404);
      expect((await api.post(`/organizations/${org}/workspaces`, body({ name: "prod" }), token)).status).toBe(
        policy === "write" ? 201 : 404,
      );
    });

    it("incident 12: by every path, a refusal is the very answer to a missing workspace, after the same statements", async () => {
      const org = await api.organization();
      const id = await api.workspace(org, "w");
      const token = api.tokenWith({ kind: "workspace", segment: "nobody/none", policy: "write" });
      const byId: [string, (path: string) => ReturnType<Api["get"]>][] = [
        ["", (path) => api.get(path, token)],
        ["", (path) => api.patch(path, body({ description: "x" }), token)],
        ["", (path) => api.delete(path, undefined, token)],
        ["/actions/lock", (path) => api.post(path, undefined, token)],
        ["/actions/unlock", (path) => api.post(path, undefined, token)],
        ["/actions/force-unlock", (path) => api.post(path, undefined, token)],
        ["/actions/safe-delete", (path) => api.post(path, undefined, token)],
        ["/relationships/tags", (path) => api.get(path, token)],
        ["/relationships/tags", (path) => api.post(path, tagNames("a"), token)],
        ["/relationships/tags", (path) => api.delete(path, tagNames("a"), token)],
      ];
      const pairs: [string, string, (path: string) => ReturnType<Api["get"]>][] = byId.map(([suffix, ask]) => [
        `/workspaces/${id}${suffix}`,
        `/workspaces/ws-none${suffix}`,
        ask,
      ]);
      pairs.push(
        [`/organizations/${org}/workspaces/w`, `/organizations/${org}/workspaces/none`, (path) => api.get(path, token)],
        [`/organizations/${org}/workspaces`, "/organizations/nowhere/workspaces", (path) => api.get(path, token)],
        [
          `/organizations/${org}/workspaces`,
          "/organizations/nowhere/workspaces",
          (path) => api.post(path, body({ name: "n" }), token),
        ],
      );
      for (const [path, missing, ask] of pairs) {
        const refused = await ask(path);
        const absent = await ask(missing);
        expect(refused.status, path).toBe(404);
        expect(refused.text).toBe(absent.text);
        await api.expectSameStatements(
          () => ask(path),
          () => ask(missing),
        );
      }
    });
  });
});
