import { expect, test } from "vitest";
import { useApi } from "../../test/support/api.ts";
import { forEachEngine } from "../../test/support/engines.ts";

const overwrites = (mode?: boolean | null, pool?: boolean | null) => ({
  "setting-overwrites": { "default-execution-mode": mode, "default-agent-pool": pool },
});
const mode = (value: string | null) => ({ "default-execution-mode": value });

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);
  let names = 0;

  /** An organization whose mode is local. */
  const organizationOf = async () => {
    const organization = await api.organization();
    const data = { type: "organizations", attributes: mode("local") };
    expect((await api.patch(`/organizations/${organization}`, { data })).status).toBe(200);
    return organization;
  };
  const body = (attributes: object) => ({ data: { type: "projects", attributes } });
  const create = (organization: string, attributes: object) =>
    api.post(`/organizations/${organization}/projects`, body({ name: `project ${names++}`, ...attributes }));

  test.each<[string, object, string, boolean]>([
    ["nothing", {}, "local", false],
    ["a mode", mode("remote"), "remote", true],
    ["a mode with both flags", { ...mode("remote"), ...overwrites(true, true) }, "remote", true],
    ["a mode with the flag of the pool", { ...mode("remote"), ...overwrites(undefined, true) }, "remote", true],
    ["a mode with flags that are null", { ...mode("remote"), ...overwrites(null, null) }, "remote", true],
    ["a mode that overwrites deny", { ...mode("remote"), ...overwrites(false, false) }, "local", false],
    ["a mode that the pool's flag denies", { ...mode("remote"), ...overwrites(undefined, false) }, "local", false],
    ["a mode that is null", mode(null), "local", false],
    ["both flags and no mode", overwrites(true, true), "local", true],
    ["both flags and a mode that is null", { ...mode(null), ...overwrites(true, true) }, "local", true],
  ])("overwrites win over the mode, and both flags follow: %s", async (_what, attributes, shown, isOwn) => {
    const organization = await organizationOf();
    const expected = { ...mode(shown), ...overwrites(isOwn, isOwn) };
    const made = await create(organization, attributes);
    expect(made.body.data?.attributes, made.text).toMatchObject(expected);
    expect((await api.get(`/projects/${made.body.data.id}`)).body).toEqual(made.body);
    const plain = await create(organization, {});
    const updated = await api.patch(`/projects/${plain.body.data.id}`, body(attributes));
    expect(updated.body.data?.attributes, updated.text).toMatchObject(expected);
    expect((await api.patch(`/projects/${plain.body.data.id}`, body(attributes))).body).toEqual(updated.body);
  });

  test("overwrites that say different things are refused", async () => {
    const organization = await organizationOf();
    const attributes = { ...mode("remote"), ...overwrites(true, false) };
    const refusal = { status: 422, body: { errors: [{ source: { pointer: "/data/attributes/setting-overwrites" } }] } };
    const refused = await create(organization, attributes);
    expect(refused).toMatchObject(refusal);
    expect(refused.text).toContain("their values must be the same");
    const plain = await create(organization, {});
    expect(await api.patch(`/projects/${plain.body.data.id}`, body(attributes))).toMatchObject(refusal);
    expect((await api.get(`/projects/${plain.body.data.id}`)).body).toEqual(plain.body);
  });
});
