/** Changes by jobs obey the tag policy, and refused changes are counted. */
import { expect, test } from "vitest";
import { useApi } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { filesOf, lineOf } from "../../../test/support/imports.ts";
import { bind, carried, doJobs, preview, read, run, undo } from "../../../test/support/jobs.ts";

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

  test("the pool is renamed and merged to names that rules allow alone, and keeps what they require", async () => {
    const org = await api.organization();
    await api.workspace(org, "one", ["owner", "net-a", "net-b"]);
    await api.workspace(org, "two", ["owner", "net-a"]);
    await put(org, "refuse", [NAMES, OWNERS]);
    for (const to of ["own1", "holder"]) {
      const rename = { action: "rename", tags: [{ name: "owner" }], to };
      expect(await preview(api, org, rename)).toMatchObject({ changed: 0, refused: { "tag-rule": 1 } });
      expect(await run(api, org, rename)).toMatchObject({ changed: 0, refused: { "tag-rule": 1 } });
    }
    const merge = (from: string, to: string) => ({ action: "merge", tags: [{ name: from }, { name: "net-b" }], to });
    for (const [from, to, rule] of [
      ["net-a", "net1", "names"],
      ["owner", "net", "owners"],
    ] as const) {
      const reason = expect.stringContaining(`Tag policy rule "${rule}"`);
      expect(await run(api, org, merge(from, to))).toMatchObject({ status: "failed", changed: 0, reason });
    }
    expect(await run(api, org, merge("net-a", "net"))).toMatchObject({ status: "done" });
    expect(await carried(api, org)).toEqual({ one: ["net", "owner"], two: ["net", "owner"] });
  });

  test("a job passes over tags that rules keep in the pool, and counts each with its uses", async () => {
    const org = await api.organization();
    for (const name of ["one", "two", "three"]) await api.workspace(org, name, ["alpha", "owner", "zeta"]);
    await put(org, "refuse", [OWNERS]);
    const all = { action: "delete", filter: { tags: {} } };
    const expected = { total: 12, changed: 8, refused: { "tag-rule": 4 } };
    expect(await preview(api, org, all)).toMatchObject(expected);
    const job = await run(api, org, all, undefined, { rows: 2 });
    expect(job).toMatchObject({ ...expected, status: "done", done: 12 });
    expect(await carried(api, org)).toEqual({ one: ["owner"], two: ["owner"], three: ["owner"] });
    await put(org, "advise", [OWNERS]);
    expect(await preview(api, org, all)).toMatchObject({ changed: 4, refused: {}, warned: { owners: 1 } });
    expect(await run(api, org, all, undefined, { rows: 2 })).toMatchObject({ changed: 4, warned: { owners: 1 } });
  });

  test("no key gets values by a merge or a rename, or by taking one back, that rules keep from it", async () => {
    const org = await api.organization();
    await bind(api, await api.workspace(org, "one"), { stage: "test" });
    const rename = { action: "rename", tags: [{ name: "stage" }], to: "env" };
    const renamed = await run(api, org, { ...rename, to: "phase" });
    const back = { name: "phases", key: "stage", "allowed-values": ["dev"] };
    await put(org, "refuse", [STAGES, back]);
    expect(await undo(api, renamed.id)).toMatchObject({ changed: 0, refused: { "tag-rule": 1 } });
    const phase = { ...rename, tags: [{ name: "phase" }] };
    expect(await run(api, org, phase)).toMatchObject({ changed: 0, refused: { "tag-rule": 1 } });
    expect(await run(api, org, { ...phase, action: "merge" })).toMatchObject({ status: "failed", changed: 0 });
    await put(org, "advise", [STAGES, back]);
    expect(await run(api, org, { ...phase, action: "merge" })).toMatchObject({ changed: 2, warned: { stages: 1 } });
  });

  test("a name that rules keep from the pool is not put back into it", async () => {
    const org = await api.organization();
    for (const name of ["net1", "net"]) {
      await api.post(`/organizations/${org}/tags`, { data: [{ type: "tags", attributes: { name } }] });
    }
    const deleted = await run(api, org, { action: "delete", filter: { tags: {} } });
    await put(org, "refuse", [NAMES]);
    expect(await undo(api, deleted.id)).toMatchObject({ changed: 1, refused: { "tag-rule": 1 } });
  });
});
