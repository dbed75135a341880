import { expect, it } from "vitest";
import { useApi } from "../../../../test/support/api.ts";
import { forEachEngine } from "../../../../test/support/engines.ts";

function key(name: string | undefined, disables?: boolean) {
  return { data: { type: "reserved-tag-keys", attributes: { key: name, "disable-overrides": disables } } };
}

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  it("reserved keys are made, listed, changed and released, in the words that clients know", async () => {
    const org = await api.organization();
    const path = `/organizations/${org}/reserved-tag-keys`;
    const made = await api.post(path, key("env", true));
    expect(made.status).toBe(201);
    const { id, attributes } = made.body.data;
    expect(id).toMatch(/^rtk-/);
    const fixed = { "is-registry-tag": false, created_at: attributes["created-at"] };
    expect(attributes).toMatchObject({ key: "env", "disable-overrides": true, ...fixed });
    expect((await api.post(path, key("Env"))).body.data.attributes["disable-overrides"]).toBe(false);
    const twice = await api.post(path, key("env"));
    expect(twice.status).toBe(422);
    expect(twice.body.errors[0]).toMatchObject({ title: "invalid attribute", detail: "Key has already been taken" });
    for (const bad of ["", "a b", "k".repeat(129), "ключ"]) {
      const answer = await api.post(path, key(bad));
      expect([answer.status, answer.body.errors[0].detail]).toEqual([422, "Key is invalid"]);
    }
    expect((await api.post(path, key(undefined))).status).toBe(422);
    const list = await api.get(path);
    expect(list.body.data.map((each: { attributes: { key: string } }) => each.attributes.key)).toEqual(["Env", "env"]);
    expect(list.body.meta.pagination["total-count"]).toBe(2);
    expect((await api.patch(`/reserved-tag-keys/${id}`, key("Env"))).status).toBe(422);
    const changed = await api.patch(`/reserved-tags/${id}`, key("zone", false));
    expect(changed.body.data.attributes).toMatchObject({ key: "zone", "disable-overrides": false });
    expect((await api.delete(`/reserved-tag-keys/${id}`)).status).toBe(204);
    expect((await api.delete(`/reserved-tag-keys/${id}`)).status).toBe(404);
    expect((await api.get(path)).body.data).toHaveLength(1);
  });

  it("reserved keys are missing for who may not see the organization, or change it", async () => {
    const org = await api.organization();
    const path = `/organizations/${org}/reserved-tag-keys`;
    const { id } = (await api.post(path, key("env"))).body.data;
    const reader = api.tokenWith({ kind: "organization", segment: org, policy: "read" });
    const stranger = api.tokenWith({ kind: "workspace", segment: `${org}/one`, policy: "write" });
    expect((await api.get(path, reader)).status).toBe(200);
    expect((await api.get(path, stranger)).status).toBe(404);
    for (const token of [reader, stranger]) {
      expect((await api.post(path, key("other"), token)).status).toBe(404);
      expect((await api.patch(`/reserved-tag-keys/${id}`, key("other"), token)).status).toBe(404);
      expect((await api.delete(`/reserved-tag-keys/${id}`, undefined, token)).status).toBe(404);
    }
  });
});
