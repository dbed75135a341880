/** What jobs change answers to the rules for tags, and what those refuse is counted. */
import { expect, test } from "vitest";
import { useApi } from "../../test/support/api.ts";
import { forEachEngine } from "../../test/support/engines.ts";
import { bind, carried, preview, run } from "../../test/support/jobs.ts";

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
