/** What jobs change answers to the rules for tags, and what those refuse is counted. */
import { expect, test } from "vitest";
import { useApi } from "../../test/support/api.ts";
import { forEachEngine } from "../../test/support/engines.ts";
import { filesOf, lineOf } from "../../test/support/imports.ts";
import { bind, carried, doJobs, preview, read, run, undo } from "../../test/support/jobs.ts";

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  async function put(organization: string, enforce: string, rules: object[]): Promise<void> {
    const data = { type: "tag-policies", attributes: { enforce, rules } };
    const { status } = await api.put(`/organizations/${organization}/tag-policy`, { data });
    expect(status).toBe(200);
  }

  const STAGES = { name: "stages", key: "env", "allowed-values": ["dev", "prod"] };
  const NAMES = { name: "names", "naming-pattern": "[a-z]+" };
  const OWNERS = { name: "owners", "required-keys": ["owner"] };

  test("a name that no rule allows is put on nothing, and each workspace is counted", async () => {
    const org = await api.organization();
    for (const name of ["one", "two", "three"]) await api.workspace(org, name, ["base"]);
    const add = { action: "add", tags: [{ name: "net1" }] };
    await put(org, "refuse", [NAMES]);
    expect(await preview(api, org, add)).toMatchObject({ total: 3, changed: 0, refused: { "tag-rule": 3 } });
    expect(await run(api, org, add)).toMatchObject({ status: "done", changed: 0, refused: { "tag-rule": 3 } });
    expect(Object.values(await carried(api, org)).flat()).not.toContain("net1");
    await put(org, "advise", [NAMES]);
    expect(await run(api, org, add)).toMatchObject({ status: "done", changed: 3, refused: {} });
  });

  test("rules that only advise are counted by their names, where something was changed though it breaks them", async () => {
    const org = await api.organization();
    const ids = [];
    for (const name of ["one", "two", "three"]) ids.push(await api.workspace(org, name, ["base"]));
    await api.workspace(org, "four", ["net1"]);
    await bind(api, ids[0] ?? "", { env: "dev" });
    const project = String((await api.get(`/organizations/${org}/projects`)).body.data[0].id);
    await bind(api, project, { env: "dev" });
    await put(org, "advise", [STAGES, NAMES]);
    for (const [attributes, changed, warned] of [
      [{ action: "add", tags: [{ name: "net1" }, { name: "net2" }] }, 4, { names: 4 }],
      [{ action: "set-value", tags: [{ name: "env", value: "test" }] }, 2, { stages: 2 }],
      [{ action: "set-value", tags: [{ name: "env", value: "prod" }] }, 2, {}],
      [{ action: "rename", tags: [{ name: "base" }], to: "base1" }, 1, { names: 1 }],
      [{ action: "merge", tags: [{ name: "net1" }], to: "net3" }, 5, { names: 1 }],
      [{ action: "merge", tags: [{ name: "net3" }], to: "net" }, 5, {}],
    ] as const) {
      expect(await preview(api, org, attributes)).toMatchObject({ changed, refused: {}, warned });
      const done = await run(api, org, attributes, undefined, { rows: attributes.action === "merge" ? 100 : 2 });
      expect(done).toMatchObject({ status: "done", changed, refused: {}, warned });
    }
  });

  test("what an undo and an import leave against rules that only advise is counted too", async () => {
    const org = await api.organization();
    for (const name of ["one", "two"]) await api.workspace(org, name, ["net1"]);
    const removed = await run(api, org, { action: "remove", tags: [{ name: "net1" }] });
    await put(org, "advise", [NAMES]);
    expect(await undo(api, removed.id)).toMatchObject({ changed: 2, warned: { names: 2 } });
    const file = [
      { kind: "tag", name: "net2" },
      { kind: "workspace", name: "one", tags: ["net1", "fine"] },
      { kind: "workspace", name: "two", tags: ["net3"] },
    ];
    const text = file.map(lineOf).join("");
    const { previewed, asked } = filesOf(api);
    expect(await previewed(org, text)).toMatchObject({ create: 3, warned: { names: 2 } });
    const answer = await asked(org, text);
    await doJobs(api);
    expect(await read(api, String(answer.body.data.id))).toMatchObject({ changed: 3, warned: { names: 2 } });
  });

  test("values are refused where the key is held, and a required key is taken only from who lacked it", async () => {
    const org = await api.organization();
    await bind(api, await api.workspace(org, "one", ["owner"]), { env: "dev" });
    await api.workspace(org, "two", ["base"]);
    await put(org, "refuse", [STAGES, OWNERS]);
    const set = (value: string) => ({ action: "set-value", tags: [{ name: "env", value }] });
    expect(await run(api, org, set("test"))).toMatchObject({ changed: 0, refused: { "tag-rule": 1 } });
    expect(await run(api, org, set("prod"))).toMatchObject({ changed: 1, refused: {} });
    const remove = { action: "remove", tags: [{ name: "owner" }, { name: "base" }] };
    expect(await run(api, org, remove)).toMatchObject({ changed: 1, refused: { "tag-rule": 1 } });
  });

  test("the pool is renamed and merged to names that rules allow alone, and what it loses is lost", async () => {
    const org = await api.organization();
    await api.workspace(org, "one", ["owner", "net-a", "net-b"]);
    await put(org, "refuse", [NAMES, OWNERS]);
    const rename = { action: "rename", tags: [{ name: "owner" }], to: "own1" };
    const merge = (name: string) => ({ action: "merge", tags: [{ name: "net-a" }, { name: "net-b" }], to: name });
    expect(await run(api, org, rename)).toMatchObject({ changed: 0, refused: { "tag-rule": 1 } });
    expect(await run(api, org, merge("net1"))).toMatchObject({
      status: "failed",
      changed: 0,
      reason: expect.stringContaining('Tag rule "names"'),
    });
    expect(await run(api, org, merge("net"))).toMatchObject({ status: "done" });
    expect(await run(api, org, { action: "delete", tags: [{ name: "owner" }] })).toMatchObject({ status: "done" });
    expect(await carried(api, org)).toEqual({ one: ["net"] });
  });
});
