import { expect, test } from "vitest";
import { useApi } from "../../test/support/api.ts";
import { forEachEngine } from "../../test/support/engines.ts";

const body = (attributes: object) => ({ data: { type: "workspaces", attributes } });
const overwrites = (mode?: boolean | null, pool?: boolean | null) => ({
  "setting-overwrites": { "execution-mode": mode, "agent-pool": pool },
});
const OWN = overwrites(true, true);
const INHERITED = overwrites(false, false);

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  /** An organization with this default mode. */
  const organizationOf = async (mode: string) => {
    const name = await api.organization();
    await setDefault(name, mode);
    return name;
  };
  const setDefault = async (name: string, mode: string) => {
    const data = { type: "organizations", attributes: { "default-execution-mode": mode } };
    expect((await api.patch(`/organizations/${name}`, { data })).status).toBe(200);
  };
  const create = (organization: string, attributes: object) =>
    api.post(`/organizations/${organization}/workspaces`, body({ name: "w", ...attributes }));
  const shown = async (organization: string) => {
    const { attributes } = (await api.get(`/organizations/${organization}/workspaces/w`)).body.data;
    return {
      mode: attributes["execution-mode"],
      operations: attributes.operations,
      "setting-overwrites": attributes["setting-overwrites"],
    };
  };

  // The organization's mode is local, so a mode of its own that is remote can be told from it.
  const cases: [what: string, attributes: object, mode: string, isOwn: boolean][] = [
    ["nothing", {}, "local", false],
    ["a mode", { "execution-mode": "remote" }, "remote", true],
    ["a mode with both flags", { "execution-mode": "remote", ...OWN }, "remote", true],
    ["a mode with the flag of the mode", { "execution-mode": "remote", ...overwrites(true) }, "remote", true],
    [
      "a mode with the flag of the pool",
      { "execution-mode": "remote", ...overwrites(undefined, true) },
      "remote",
      true,
    ],
    ["a mode with flags that are null", { "execution-mode": "remote", ...overwrites(null, null) }, "remote", true],
    ["a mode with overwrites null", { "execution-mode": "remote", "setting-overwrites": null }, "remote", true],
    ["a mode that overwrites deny", { "execution-mode": "remote", ...INHERITED }, "local", false],
    ["a mode that one flag denies", { "execution-mode": "remote", ...overwrites(false) }, "local", false],
    [
      "a mode that the pool's flag denies",
      { "execution-mode": "remote", ...overwrites(undefined, false) },
      "local",
      false,
    ],
    ["operations that overwrites deny", { operations: true, ...INHERITED }, "local", false],
    ["operations with both flags", { operations: true, ...OWN }, "remote", true],
    ["a mode that is null", { "execution-mode": null }, "local", false],
    ["both flags and no mode", OWN, "local", true],
    ["both flags and a mode that is null", { "execution-mode": null, ...OWN }, "local", true],
  ];

  test.each(cases)("overwrites win over the mode on create: %s", async (_what, attributes, mode, isOwn) => {
    const organization = await organizationOf("local");
    const made = await create(organization, attributes);
    expect(made.status, made.text).toBe(201);
    const expected = { mode, operations: mode === "remote", ...overwrites(isOwn, isOwn) };
    expect(await shown(organization)).toEqual(expected);
    // An own setting stays when the organization's changes. An inherited one follows.
    await setDefault(organization, "remote");
    expect(await shown(organization)).toMatchObject(isOwn ? expected : { mode: "remote" });
  });

  test.each(cases.slice(1))("overwrites win over the mode on update: %s", async (_what, attributes, mode, isOwn) => {
    const organization = await organizationOf("local");
    await create(organization, {});
    const path = `/organizations/${organization}/workspaces/w`;
    const updated = await api.patch(path, body(attributes));
    expect(updated.status, updated.text).toBe(200);
    const expected = { mode, operations: mode === "remote", ...overwrites(isOwn, isOwn) };
    expect(await shown(organization)).toEqual(expected);
    const again = await api.patch(path, body(attributes));
    expect(again.body).toEqual(updated.body);
  });

  test("a mode of its own stays when only overwrites are given, and goes when they deny it", async () => {
    const organization = await organizationOf("local");
    await create(organization, { "execution-mode": "remote" });
    const path = `/organizations/${organization}/workspaces/w`;
    await api.patch(path, body(OWN));
    expect(await shown(organization)).toMatchObject({ mode: "remote", ...OWN });
    await api.patch(path, body({ description: "other" }));
    expect(await shown(organization)).toMatchObject({ mode: "remote", ...OWN });
    // The provider sends this when its settings of a workspace are destroyed.
    await api.patch(path, body({ "execution-mode": "remote", "agent-pool-id": "", ...INHERITED }));
    expect(await shown(organization)).toMatchObject({ mode: "local", ...INHERITED });
  });

  test("overwrites that say different things are refused, and nothing changes", async () => {
    const organization = await organizationOf("local");
    const pointer = "/data/attributes/setting-overwrites";
    for (const [mode, pool] of [
      [true, false],
      [false, true],
    ]) {
      const attributes = { "execution-mode": "remote", ...overwrites(mode, pool) };
      const refused = await create(organization, attributes);
      expect(refused).toMatchObject({ status: 422, body: { errors: [{ source: { pointer } }] } });
      expect(refused.text).toContain("their values must be the same");
    }
    await create(organization, {});
    const attributes = { "execution-mode": "remote", ...overwrites(true, false) };
    expect((await api.patch(`/organizations/${organization}/workspaces/w`, body(attributes))).status).toBe(422);
    expect(await shown(organization)).toMatchObject({ mode: "local", ...INHERITED });
  });

  test("incident 82: trigger prefixes and patterns take each other's place, also when they are empty", async () => {
    const organization = await api.organization();
    const made = await create(organization, { "trigger-prefixes": ["/a"], "trigger-patterns": [] });
    const change = async (attributes: object) => {
      const answer = await api.patch(`/workspaces/${made.body.data.id}`, body(attributes));
      const { "trigger-prefixes": prefixes, "trigger-patterns": patterns } = answer.body.data?.attributes ?? {};
      return { status: answer.status, prefixes, patterns };
    };
    const prefixed = { status: 200, prefixes: ["/a"], patterns: [] };
    const patterned = { status: 200, prefixes: [], patterns: ["/**/x"] };
    const none = { status: 200, prefixes: [], patterns: [] };
    expect(await change({ "trigger-patterns": null })).toEqual(prefixed);
    expect(await change({ description: "d" })).toEqual(prefixed);
    expect(await change({ "trigger-patterns": [], "trigger-prefixes": ["/a"] })).toEqual(prefixed);
    expect(await change({ "trigger-patterns": [] })).toEqual(none);
    expect(await change({ "trigger-patterns": ["/**/x"] })).toEqual(patterned);
    expect((await change({ "trigger-patterns": ["/b"], "trigger-prefixes": ["/b"] })).status).toBe(422);
    expect(await change({ "trigger-patterns": ["/**/x"], "trigger-prefixes": [] })).toEqual(patterned);
    expect(await change({ "trigger-prefixes": [] })).toEqual(none);
    expect(await change({ "trigger-prefixes": ["/a"] })).toEqual(prefixed);
    expect(await change({ "trigger-prefixes": [], "trigger-patterns": [] })).toEqual(none);
  });

  test("incident 82: there are no trigger patterns while file triggers are off, whichever came first", async () => {
    const organization = await api.organization();
    const [enabled, patterns] = ["file-triggers-enabled", "trigger-patterns"];
    const detail = "'trigger_patterns' cannot be populated when 'file_triggers_enabled' is set to false.";
    const pointer = `/data/attributes/${patterns}`;
    const refusal = { status: 422, body: { errors: [{ title: "invalid attribute", detail, source: { pointer } }] } };
    expect(await create(organization, { [enabled]: false, [patterns]: ["/a"] })).toMatchObject(refusal);
    const { id } = (await create(organization, { [patterns]: ["/a"] })).body.data;
    const change = (attributes: object) => api.patch(`/workspaces/${id}`, body(attributes));
    expect(await change({ [enabled]: false, description: "d" })).toMatchObject(refusal);
    expect((await change({})).body.data.attributes).toMatchObject({
      [enabled]: true,
      [patterns]: ["/a"],
      description: null,
    });
    for (const rest of [{ [patterns]: [] }, { [patterns]: null }, { "trigger-prefixes": ["/b"] }]) {
      expect((await change({ [enabled]: true, [patterns]: ["/a"] })).status).toBe(200);
      expect((await change({ [enabled]: false, ...rest })).status).toBe(200);
    }
    expect(await change({ [patterns]: ["/a"] })).toMatchObject(refusal);
    // As a program of before has left it: what is not about these can still be changed.
    const settings = JSON.stringify({ [enabled]: false, [patterns]: ["/a"] });
    await api.db.inTransaction({ kind: "root" }, (tx) => {
      tx.write(tx.sql.updateTable("workspaces").set({ settings }).where("id", "=", id));
      return Promise.resolve();
    });
    expect((await change({ description: "e" })).status).toBe(200);
    expect(await change({ [enabled]: false })).toMatchObject(refusal);
  });

  test("state is shared with the project or with all, also with what is stored", async () => {
    const organization = await api.organization();
    const [project, global] = ["project-remote-state", "global-remote-state"];
    const pointer = `/data/attributes/${project}`;
    const detail = "Project remote state cannot be enabled when global remote state sharing is enabled";
    const refusal = { status: 422, body: { errors: [{ title: "invalid attribute", detail, source: { pointer } }] } };
    expect(await create(organization, { [project]: true, [global]: true })).toMatchObject(refusal);
    const { id } = (await create(organization, { [project]: true })).body.data;
    const change = (attributes: object) => api.patch(`/workspaces/${id}`, body(attributes));
    expect(await change({ [global]: true })).toMatchObject(refusal);
    expect(await change({ [global]: true, [project]: true })).toMatchObject(refusal);
    expect((await change({ description: "d", [global]: false })).status).toBe(200);
    const swapped = await change({ [global]: true, [project]: false });
    expect(swapped.body.data.attributes).toMatchObject({ [global]: true, [project]: false });
    expect(await change({ [project]: true })).toMatchObject(refusal);
    expect((await change({ [project]: true, [global]: null })).status).toBe(200);
    // As a program of before has left it: what is not about these can still be changed.
    const settings = JSON.stringify({ [project]: true, [global]: true });
    await api.db.inTransaction({ kind: "root" }, (tx) => {
      tx.write(tx.sql.updateTable("workspaces").set({ settings }).where("id", "=", id));
      return Promise.resolve();
    });
    expect((await change({ description: "e" })).status).toBe(200);
    expect(await change({ [project]: true })).toMatchObject(refusal);
  });
});
