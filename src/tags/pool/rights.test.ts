import { describe, expect, it } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { ids, tagNames, useApi, type Api } from "../../../test/support/api.ts";

type TagResource = { id: string; attributes: { name: string } };

async function createTags(api: Api, organization: string, names: string[]): Promise<Map<string, string>> {
  const { body } = await api.post(`/organizations/${organization}/tags`, tagNames(...names));
  return new Map((body.data as TagResource[]).map((tag) => [tag.attributes.name, tag.id]));
}

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  describe("rights to the pool", () => {
    it.each(["read", "write", "deny"] as const)("organization %s decides, in any case of the name", async (policy) => {
      const org = await api.organization();
      const tags = await createTags(api, org, ["a"]);
      const id = tags.get("a") ?? "";
      const token = api.tokenWith({ kind: "organization", segment: org.toUpperCase(), policy });
      const reads = policy !== "deny";
      const writes = policy === "write";
      for (const name of [org, org.toUpperCase()]) {
        expect((await api.get(`/organizations/${name}/tags`, token)).status).toBe(reads ? 200 : 404);
        expect((await api.post(`/organizations/${name}/tags`, tagNames("b"), token)).status).toBe(writes ? 201 : 404);
      }
      expect((await api.get(`/tags/${id}`, token)).status).toBe(reads ? 200 : 404);
      const rename = { data: { type: "tags", attributes: { name: "c" } } };
      expect((await api.patch(`/tags/${id}`, rename, token)).status).toBe(writes ? 200 : 404);
      expect((await api.delete(`/organizations/${org}/tags`, ids("tags", [id]), token)).status).toBe(
        writes ? 204 : 404,
      );
    });

    it("what the pool says of a tag is told only to who may read the organization", async () => {
      const org = await api.organization();
      const workspace = await api.workspace(org, "w", ["a"]);
      await api.workspace(org, "other", ["a"]);
      const path = `/workspaces/${workspace}/relationships/tags`;
      const seen = async (organization: "read" | "deny") => {
        const token = api.tokenWith(
          { kind: "organization", segment: org, policy: organization },
          { kind: "workspace", segment: `${org}/w`, policy: "read" },
        );
        return (await api.get(path, token)).body.data.map(({ attributes }: { attributes: object }) => attributes);
      };
      expect(await seen("read")).toEqual([{ name: "a", "created-at": expect.any(String), "instance-count": 2 }]);
      expect(await seen("deny")).toEqual([{ name: "a", "created-at": null, "instance-count": null }]);
    });

    it("a refusal is the very answer to a missing thing, after the same statements", async () => {
      const org = await api.organization();
      const id = (await createTags(api, org, ["a"])).get("a") ?? "";
      const token = api.tokenWith({ kind: "organization_prefix", segment: "nobody", policy: "write" });
      const cases: [method: "get" | "post" | "patch" | "delete", path: string, missing: string, body?: unknown][] = [
        ["get", `/organizations/${org}/tags?q=a`, "/organizations/nowhere/tags?q=a"],
        ["post", `/organizations/${org}/tags`, "/organizations/nowhere/tags", tagNames("b")],
        ["delete", `/organizations/${org}/tags`, "/organizations/nowhere/tags", ids("tags", [id])],
        ["get", `/tags/${id}`, "/tags/tag-nothing"],
        ["patch", `/tags/${id}`, "/tags/tag-nothing", { data: { type: "tags", attributes: { name: "b" } } }],
      ];
      for (const [method, path, missing, body] of cases) {
        const ask = (target: string) => (method === "get" ? api.get(target, token) : api[method](target, body, token));
        const refused = await ask(path);
        const absent = await ask(missing);
        expect(refused.status, path).toBe(404);
        expect(refused.text).toBe(absent.text);
        await api.expectSameStatements(
          () => ask(path),
          () => ask(missing),
        );
        const { "x-request-id": _, date: __, ...headers } = refused.headers;
        expect(absent.headers).toMatchObject(headers);
      }
    });

    it("a token that is missing or unknown gets 401 before anything else", async () => {
      const unknown = await api.get("/organizations/x/tags", "nobody");
      expect(unknown).toMatchObject({ status: 401, body: { errors: [{ status: "401", title: "unauthorized" }] } });
      const missing = await api.send({ method: "GET", url: "/api/v2/organizations/x/tags" });
      expect(missing.status).toBe(401);
    });
  });
});
