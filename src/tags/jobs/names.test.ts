/** Names that jobs give to tags that are used as keys: equal to the names by a change of the one tag. */
import { expect, test } from "vitest";
import { tagNames, useApi } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { ask, bind, carried, doJobs, expectCounted, pool, preview, read, run } from "../../../test/support/jobs.ts";

const LONG = "k".repeat(129);

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  /** `cam` is a flat tag, `stage` a key, and the two others are keys by their names too. */
  async function filled() {
    const org = await api.organization();
    const one = await api.workspace(org, "one", ["cam", "flat"]);
    const two = await api.workspace(org, "two", ["cam"]);
    await bind(api, one, { stage: "dev", CamelKey: "a" });
    await bind(api, two, { "x.y": "b" });
    return { org, one, two };
  }

  const rename = (name: string, to: string) => ({ action: "rename", tags: [{ name }], to });
  const merge = (to: string, ...names: string[]) => ({ action: "merge", tags: names.map((name) => ({ name })), to });

  async function expectRefused(org: string, attributes: object, text: string): Promise<void> {
    const shown = await api.post(`/organizations/${org}/tag-jobs?preview=true`, {
      data: { type: "tag-jobs", attributes },
    });
    for (const answer of [shown, await ask(api, org, attributes)]) {
      expect(answer.status, answer.text).toBe(422);
      expect(answer.body.errors[0].source.pointer).toBe("/data/attributes/to");
      expect(answer.body.errors[0].detail).toContain(text);
    }
  }

  test("a key keeps the case of its new name, and may have one that no flat tag may have", async () => {
    const { org } = await filled();
    expect(await run(api, org, rename("CamelKey", "OtherKey"))).toMatchObject({ changed: 1, refused: {} });
    expect(await run(api, org, rename("x.y", "x.z"))).toMatchObject({ changed: 1, refused: {} });
    expect(await run(api, org, rename("stage", "Level"))).toMatchObject({ changed: 1, refused: {} });
    expect(await pool(api, org)).toEqual(["OtherKey", "cam", "flat", "level", "x.z"]);
    await expectCounted(api);
  });

  test("what somebody has as a key gets no name that a key may not have", async () => {
    const { org } = await filled();
    await expectRefused(org, rename("stage", "hc:stage"), "reserved");
    await expectRefused(org, rename("CamelKey", "IBM:key"), "reserved");
    await expectRefused(org, rename("stage", LONG), "too long");
    await expectRefused(org, rename("x.y", "a b"), "may only contain");
    await expectRefused(org, rename("cam", "x.z"), "Tags must only contain");
    await expectRefused(org, merge("hc:stage", "cam", "stage"), "reserved");
    await expectRefused(org, merge(LONG, "x.y"), "too long");
    await expectRefused(org, merge("x.z", "cam", "flat"), "Tags must only contain");
    expect(await run(api, org, rename("cam", "hc:cam"))).toMatchObject({ changed: 1 });
    expect(await run(api, org, rename("flat", LONG))).toMatchObject({ changed: 1 });
    expect(await pool(api, org)).toEqual(["CamelKey", "hc:cam", LONG, "stage", "x.y"].toSorted());
  });

  test("a name that became a key since is a counted refusal of a rename, and ends a merge with the reason", async () => {
    for (const [attributes, expected] of [
      [rename("flat", "hc:flat"), { status: "done", done: 1, changed: 0, refused: { "bad-name": 1 } }],
      [merge("hc:all", "flat"), { status: "failed", changed: 0, reason: expect.stringContaining("reserved") }],
    ] as const) {
      const { org, two } = await filled();
      const asked = await ask(api, org, attributes);
      expect(asked.status, asked.text).toBe(201);
      await bind(api, two, { flat: "x" });
      await doJobs(api);
      expect(await read(api, String(asked.body.data.id))).toMatchObject(expected);
      expect(await pool(api, org)).toEqual(["CamelKey", "cam", "flat", "stage", "x.y"]);
    }
  });

  test("merges go into the key of exactly that name, else into the tag of its lower case", async () => {
    const { org } = await filled();
    expect(await run(api, org, merge("CamelKey", "cam"))).toMatchObject({ status: "done", changed: 3 });
    expect(await pool(api, org)).toEqual(["CamelKey", "flat", "stage", "x.y"]);
    const merged = await run(api, org, merge("STAGE", "x.y", "stage"));
    expect(merged).toMatchObject({ status: "done", total: 2, changed: 2 });
    expect(await pool(api, org)).toEqual(["CamelKey", "flat", "stage"]);
    expect((await carried(api, org))["two"]).toContain("stage=b");
    await expectCounted(api);
  });

  test("a tag that is born by a merge is named as its sources are", async () => {
    const { org } = await filled();
    await run(api, org, merge("Joined.Key", "x.y", "CamelKey"));
    expect(await pool(api, org)).toEqual(["Joined.Key", "cam", "flat", "stage"]);
    await run(api, org, merge("Both", "cam", "stage"));
    expect(await pool(api, org)).toEqual(["Joined.Key", "both", "flat"]);
    await expectCounted(api);
  });

  test("keys are merged into no tag whose name no key may have", async () => {
    const { org } = await filled();
    await api.post(`/organizations/${org}/tags`, tagNames("ibm:all"));
    await expectRefused(org, merge("IBM:all", "stage", "cam"), "reserved");
    expect(await run(api, org, merge("IBM:all", "flat", "cam"))).toMatchObject({ status: "done" });
  });

  test("a preview of a rename refuses what the job refuses", async () => {
    const { org } = await filled();
    const names = { name: "names", "naming-pattern": "[a-z]+" };
    const data = { type: "tag-policies", attributes: { enforce: "refuse", rules: [names] } };
    expect((await api.put(`/organizations/${org}/tag-policy`, { data })).status).toBe(200);
    for (const [attributes, refused] of [
      [rename("none", "other"), { "no-such-tag": 1 }],
      [rename("cam", "flat"), { "name-taken": 1 }],
      [rename("cam", "cam2"), { "tag-rule": 1 }],
      [rename("cam", "came"), {}],
    ] as const) {
      const shown = await preview(api, org, attributes);
      const done = await run(api, org, attributes);
      expect([shown.refused, done.refused]).toEqual([refused, refused]);
      expect(shown.changed).toBe(done.changed);
    }
  });
});
