/** Writes of `/api/v2` under a condition: compare-and-set by the ETag of a read. */
import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { useApi } from "../../../test/support/api.ts";

const MEDIA_TYPE = "application/vnd.api+json";

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  function write(method: "PUT" | "PATCH" | "DELETE" | "POST", path: string, headers: object, data?: object) {
    return api.send({
      method,
      url: `/api/v2${path}`,
      headers: { authorization: "Bearer root-token", "content-type": MEDIA_TYPE, ...headers },
      ...(data === undefined ? {} : { payload: JSON.stringify({ data }) }),
    });
  }
  const etagOf = async (path: string) => String((await api.get(path)).headers["etag"]);
  const described = (description: string) => ({ type: "workspaces", attributes: { description } });

  test("If-Match lets a write through while what is read at its URL is the same, and only then", async () => {
    const id = await api.workspace(await api.organization(), "one");
    const etag = await etagOf(`/workspaces/${id}`);
    const path = `/workspaces/${id}`;
    expect((await write("PATCH", path, { "if-match": etag }, described("first"))).status).toBe(200);
    const late = await write("PATCH", path, { "if-match": etag }, described("second"));
    expect(late.status).toBe(412);
    expect(late.body.errors[0]).toMatchObject({ status: "412", title: "precondition failed" });
    expect((await api.get(path)).body.data.attributes.description).toBe("first");
    const both = `"other", ${await etagOf(path)}`;
    expect((await write("PATCH", path, { "if-match": both }, described("third"))).status).toBe(200);
    expect((await write("DELETE", path, { "if-match": etag })).status).toBe(412);
    expect((await write("DELETE", path, { "if-match": "*" })).status).toBe(204);
  });

  test("what others write in the organization does not matter, while what is read stays as it is", async () => {
    const organization = await api.organization();
    const id = await api.workspace(organization, "one");
    const etag = await etagOf(`/workspaces/${id}`);
    await api.workspace(organization, "two");
    expect((await write("PATCH", `/workspaces/${id}`, { "if-match": etag }, described("x"))).status).toBe(200);
  });

  test("of two who have read the same, exactly one writes", async () => {
    const id = await api.workspace(await api.organization(), "raced");
    const path = `/workspaces/${id}`;
    const etag = await etagOf(path);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => write("PATCH", path, { "if-match": etag }, described(`by ${n}`))),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 412),
    ]);
  });

  test("the attributes of an organization, which change under another counter, are compared too", async () => {
    const organization = await api.organization();
    const path = `/organizations/${organization}`;
    const etag = await etagOf(path);
    const email = (value: string) => ({ type: "organizations", attributes: { email: value } });
    expect((await write("PATCH", path, { "if-match": etag }, email("a@example.com"))).status).toBe(200);
    expect((await write("PATCH", path, { "if-match": etag }, email("b@example.com"))).status).toBe(412);
  });

  test("If-None-Match: * makes what is not there and leaves what is", async () => {
    const organization = await api.organization();
    const path = `/organizations/${organization}/tag-policy`;
    const rules = (key: string) => ({
      type: "tag-policies",
      attributes: { enforce: "advise", rules: [{ name: "owners", "required-keys": [key] }] },
    });
    expect((await write("PUT", path, { "if-match": '"x"' }, rules("a"))).status).toBe(412);
    expect((await write("PUT", path, { "if-none-match": "*" }, rules("b"))).status).toBe(200);
    expect((await write("PUT", path, { "if-none-match": "*" }, rules("c"))).status).toBe(412);
    expect((await api.get(path)).body.data.attributes.rules).toEqual([{ name: "owners", "required-keys": ["b"] }]);
  });

  test("a list that a relationship is replaced in is compared as it is read", async () => {
    const id = await api.workspace(await api.organization(), "bound");
    const path = `/workspaces/${id}/relationships/tag-bindings`;
    const etag = await etagOf(path);
    const to = (value: string) => [{ type: "tag-bindings", attributes: { key: "env", value } }];
    expect((await write("PATCH", path, { "if-match": etag }, to("dev"))).status).toBe(204);
    expect((await write("PATCH", path, { "if-match": etag }, to("prod"))).status).toBe(412);
  });

  test("a webhook is compared like all else; a reserved key, which has no read of its own, fits no If-Match", async () => {
    const at = `/organizations/${await api.organization()}`;
    const make = async (path: string, type: string, attributes: object) =>
      String((await api.post(at + path, { data: { type, attributes } })).body.data.id);
    const webhook = await make("/tag-webhooks", "tag-webhooks", { name: "one", url: "https://example.com/" });
    const path = `/tag-webhooks/${webhook}`;
    const etag = await etagOf(path);
    const named = (name: string) => ({ type: "tag-webhooks", attributes: { name } });
    expect((await write("PATCH", path, { "if-match": etag }, named("two"))).status).toBe(200);
    expect((await write("PATCH", path, { "if-match": etag }, named("three"))).status).toBe(412);
    expect((await write("DELETE", path, { "if-match": etag })).status).toBe(412);
    expect((await write("DELETE", path, { "if-match": await etagOf(path) })).status).toBe(204);
    const key = await make("/reserved-tag-keys", "reserved-tag-keys", { key: "env", "disable-overrides": true });
    for (const route of ["reserved-tag-keys", "reserved-tags"]) {
      const data = { type: "reserved-tag-keys", attributes: { "disable-overrides": false } };
      expect((await write("PATCH", `/${route}/${key}`, { "if-match": "*" }, data)).status).toBe(412);
      expect((await write("DELETE", `/${route}/${key}`, { "if-match": '"x"' })).status).toBe(412);
      expect((await write("PATCH", `/${route}/${key}`, { "if-none-match": "*" }, data)).status).toBe(200);
    }
  });

  test("who may not write learns from a condition nothing but that it is missing", async () => {
    const organization = await api.organization();
    const id = await api.workspace(organization, "seen");
    const reader = api.tokenWith({ kind: "workspace", segment: `${organization}/seen`, policy: "read" });
    for (const etag of ['"wrong"', "*"]) {
      const headers = { "if-match": etag, authorization: `Bearer ${reader}` };
      expect((await write("PATCH", `/workspaces/${id}`, headers, described("x"))).status).toBe(404);
    }
  });
});
