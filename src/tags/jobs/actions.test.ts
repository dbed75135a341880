/** Effects of each kind of job, and its preview, which must be equal to them. */
import { describe, expect, test } from "vitest";
import { tagNames, useApi } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { bind, carried, expectCounted, pool, preview, recordsOf, run } from "../../../test/support/jobs.ts";

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  /** An organization with workspaces that carry something. */
  async function filled() {
    const org = await api.organization();
    const ids: Record<string, string> = {};
    for (let at = 0; at < 7; at++)
      ids[`ws-${at}`] = await api.workspace(org, `ws-${at}`, at % 2 === 0 ? ["even"] : ["odd"]);
    ids["prod-1"] = await api.workspace(org, "prod-1", ["even", "both"]);
    await bind(api, ids["prod-1"], { env: "prod", both: "b" });
    await bind(api, ids["ws-1"] ?? "", { env: "test" });
    await bind(api, ids["ws-2"] ?? "", { env: "prod" });
    return { org, ids };
  }

  /** Changes in an order of their own; tags that are born have ids of their own each time. */
  function plain(changes: { kind: string; name: string; "object-id": string }[]): object[] {
    const list = JSON.parse(JSON.stringify(changes).replaceAll(/"tag-\w{16}"/g, '"tag"')) as typeof changes;
    const key = ({ kind, name }: (typeof changes)[0]) => `${kind} ${name}`;
    return list.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
  }

  /** Shows it, does it, and checks that both say the same. */
  async function shownAndDone(org: string, attributes: { action: string; [more: string]: unknown }) {
    const shown = await preview(api, org, attributes);
    const before = await carried(api, org);
    // In a pool job, what a workspace loses in several slices is in several records.
    const done = await run(api, org, attributes, undefined, { rows: attributes.action === "add" ? 3 : 100 });
    expect(done).toMatchObject({ status: "done", reason: null });
    const { total, changed, refused } = shown;
    expect({ total, changed, refused }).toEqual({ total: done.total, changed: done.changed, refused: done.refused });
    expect(shown.complete).toBe(true);
    expect(done.done).toBe(done.total);
    const records = await recordsOf(api, done.id);
    expect(plain(shown.changes)).toEqual(plain(records));
    await expectCounted(api);
    return { before, after: await carried(api, org), done, shown };
  }

  describe("add", () => {
    test("puts flat tags and values on all workspaces that a filter finds, and counts them", async () => {
      const { org } = await filled();
      const { after, done } = await shownAndDone(org, {
        action: "add",
        tags: [{ name: "Fresh" }, { name: "team", value: "a" }, { name: "even" }],
        filter: { workspaces: { wildcard: "ws-*", "exclude-tags": ["odd"] } },
      });
      expect(done).toMatchObject({ total: 4, changed: 4, refused: {} });
      expect(after["ws-0"]).toEqual(["even", "fresh", "team=a"]);
      expect(after["ws-1"]).toEqual(["env=test", "odd"]);
      expect(after["ws-2"]).toEqual(["env=prod", "even", "fresh", "team=a"]);
    });

    test("with an empty filter takes all workspaces, and leaves alone what carries the tag so already", async () => {
      const { org } = await filled();
      const { after, done } = await shownAndDone(org, { action: "add", tags: [{ name: "even" }], filter: {} });
      expect(done).toMatchObject({ total: 8, changed: 3 });
      expect(Object.values(after).every((tags) => tags.includes("even"))).toBe(true);
      const again = await run(api, org, { action: "add", tags: [{ name: "even" }] });
      expect(again).toMatchObject({ total: 8, done: 8, changed: 0 });
    });

    test("gives a key another value where it has one, and a tag both marks", async () => {
      const { org } = await filled();
      const filter = { workspaces: { bindings: [{ key: "env", value: "prod" }] } };
      const { after } = await shownAndDone(org, {
        action: "add",
        tags: [{ name: "env", value: "live" }, { name: "env" }],
        filter,
      });
      expect(after["ws-2"]).toEqual(["env", "env=live", "even"]);
      expect(after["ws-1"]).toEqual(["env=test", "odd"]);
    });

    test("refuses what has no room for it, as a whole, and counts that", async () => {
      const { org, ids } = await filled();
      const keys = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`k${at}`, "v"]));
      await bind(api, ids["ws-1"] ?? "", keys);
      const tags = [{ name: "flat" }, { name: "one-more", value: "" }];
      const { after, done } = await shownAndDone(org, { action: "add", tags });
      expect(done).toMatchObject({ total: 8, changed: 7, refused: { full: 1 } });
      expect(after["ws-1"]).not.toContain("flat");
    });
  });

  describe("remove", () => {
    test("takes a name off as a flat tag and as a key, or as one of them", async () => {
      const { org } = await filled();
      const asTag = await shownAndDone(org, { action: "remove", as: "tag", tags: [{ name: "BOTH" }] });
      expect(asTag.after["prod-1"]).toEqual(["both=b", "env=prod", "even"]);
      const asKey = await shownAndDone(org, { action: "remove", as: "binding", tags: [{ name: "both" }] });
      expect(asKey.after["prod-1"]).toEqual(["env=prod", "even"]);
      expect(await pool(api, org)).toEqual(["env", "even", "odd"]);
      const any = await shownAndDone(org, { action: "remove", tags: [{ name: "even" }, { name: "env" }] });
      expect(any.after).toEqual({ "ws-1": ["odd"], "ws-3": ["odd"], "ws-5": ["odd"] });
      expect(await pool(api, org)).toEqual(["odd"]);
    });

    test("with a value takes off only keys with that value", async () => {
      const { org } = await filled();
      const { after } = await shownAndDone(org, { action: "remove", tags: [{ name: "env", value: "prod" }] });
      expect(after["ws-1"]).toContain("env=test");
      expect(after["ws-2"]).toEqual(["even"]);
    });

    test("tells a key from the flat tag that is called so in another case", async () => {
      const { org, ids } = await filled();
      await bind(api, ids["ws-0"] ?? "", { Even: "key" });
      const { after } = await shownAndDone(org, { action: "remove", as: "tag", tags: [{ name: "Even" }] });
      expect(after["ws-0"]).toEqual(["Even=key"]);
    });

    test("takes off what a filter of tags found when it was asked for, by how much that was used then", async () => {
      const { org } = await filled();
      const attributes = { action: "remove", filter: { tags: { "instance-count": { gte: 3 } } } };
      const { after } = await shownAndDone(org, attributes);
      expect(after).toEqual({ "prod-1": ["both", "both=b"] });
    });
  });

  test("set-value changes a key where it is, on workspaces and on projects, and puts it nowhere", async () => {
    const { org } = await filled();
    const project = await api.post(`/organizations/${org}/projects`, {
      data: { type: "projects", attributes: { name: "keyed" } },
    });
    const id = project.body.data.id as string;
    await bind(api, id, { env: "prod" });
    const { after, done } = await shownAndDone(org, { action: "set-value", tags: [{ name: "env", value: "new" }] });
    expect(done).toMatchObject({ total: 10, changed: 4 });
    expect(after["ws-1"]).toEqual(["env=new", "odd"]);
    expect(after["ws-3"]).toEqual(["odd"]);
    expect((await api.get(`/projects/${id}/tag-bindings`)).body.data[0].attributes.value).toBe("new");
    const named = { action: "set-value", tags: [{ name: "env", value: "x" }], filter: { workspaces: { project: id } } };
    expect((await shownAndDone(org, named)).done).toMatchObject({ total: 1, changed: 1 });
    const byName = { action: "set-value", tags: [{ name: "env", value: "y" }], filter: { workspaces: { name: "ws" } } };
    expect((await shownAndDone(org, byName)).done).toMatchObject({ total: 7, changed: 2 });
    expect((await api.get(`/projects/${id}/tag-bindings`)).body.data[0].attributes.value).toBe("x");
  });

  test("rename gives a tag another name, and refuses one that is taken or a tag that is not there", async () => {
    const { org } = await filled();
    const rename = (name: string, to: string) => shownAndDone(org, { action: "rename", tags: [{ name }], to });
    expect((await rename("even", "Straight")).after["ws-0"]).toEqual(["straight"]);
    expect((await rename("straight", "odd")).done).toMatchObject({ changed: 0, refused: { "name-taken": 1 } });
    expect((await rename("none", "other")).done).toMatchObject({ changed: 0, refused: { "no-such-tag": 1 } });
    expect((await rename("odd", "odd")).done).toMatchObject({ changed: 0, refused: {} });
  });

  describe("merge", () => {
    test("gives workspaces the one tag instead of the others, with marks and values", async () => {
      const { org, ids } = await filled();
      await bind(api, ids["ws-0"] ?? "", { both: "first" });
      await bind(api, ids["ws-2"] ?? "", { both: "source" });
      const attributes = { action: "merge", tags: [{ name: "both" }, { name: "odd" }], to: "env" };
      const { after, done } = await shownAndDone(org, attributes);
      expect(done.refused).toEqual({});
      expect(after["prod-1"]).toEqual(["env", "env=prod", "even"]);
      expect(after["ws-0"]).toEqual(["env=first", "even"]);
      expect(after["ws-1"]).toEqual(["env", "env=test"]);
      expect(after["ws-2"]).toEqual(["env=prod", "even"]);
      expect(await pool(api, org)).toEqual(["env", "even"]);
    });

    test("makes the tag where it is not there, pinned when one of the others was", async () => {
      const { org } = await filled();
      await api.post(`/organizations/${org}/tags`, tagNames("pinned-one", "even"));
      await shownAndDone(org, { action: "merge", filter: { tags: { q: "n" } }, to: "joined" });
      expect(await pool(api, org)).toEqual(["both", "joined", "odd"]);
      await run(api, org, { action: "remove", tags: [{ name: "joined" }] });
      expect(await pool(api, org)).toEqual(["both", "joined", "odd"]);
    });

    test("does the same to keys of projects, and leaves the tag itself alone", async () => {
      const { org } = await filled();
      const project = await api.post(`/organizations/${org}/projects`, {
        data: { type: "projects", attributes: { name: "keyed" } },
      });
      const id = project.body.data.id as string;
      await bind(api, id, { env: "prod", odd: "o" });
      const { done } = await shownAndDone(org, { action: "merge", filter: { tags: {} }, to: "odd" });
      expect(done.refused).toEqual({});
      expect(await pool(api, org)).toEqual(["odd"]);
      const keys = (await api.get(`/projects/${id}/tag-bindings`)).body.data.map(
        (each: { attributes: object }) => each.attributes,
      );
      expect(keys).toMatchObject([{ key: "odd", value: "o" }]);
    });
  });

  describe("delete", () => {
    test("takes tags out of the pool and off all that holds them, as it names them", async () => {
      const { org } = await filled();
      const { after } = await shownAndDone(org, {
        action: "delete",
        tags: [{ name: "EVEN" }, { name: "env" }, { name: "none" }],
      });
      expect(after).toEqual({ "prod-1": ["both", "both=b"], "ws-1": ["odd"], "ws-3": ["odd"], "ws-5": ["odd"] });
      expect(await pool(api, org)).toEqual(["both", "odd"]);
    });

    test("of unused tags leaves the used ones, and an empty filter means all", async () => {
      const { org } = await filled();
      await api.post(`/organizations/${org}/tags`, tagNames(...Array.from({ length: 30 }, (_, at) => `unused-${at}`)));
      const { done } = await shownAndDone(org, { action: "delete", filter: { tags: { unused: true } } });
      expect(done).toMatchObject({ total: 30, changed: 30 });
      expect(await pool(api, org)).toEqual(["both", "env", "even", "odd"]);
      const all = await shownAndDone(org, { action: "delete", filter: { tags: {} } });
      expect(all.after).toEqual({});
      expect(await pool(api, org)).toEqual([]);
    });

    test("goes on with a tag though the filter by its uses would not find it any more", async () => {
      const { org } = await filled();
      const attributes = { action: "delete", filter: { tags: { "instance-count": { gte: 5 } } } };
      const done = await run(api, org, attributes, undefined, { rows: 2 });
      expect(done).toMatchObject({ status: "done", changed: 6 });
      expect(await pool(api, org)).toEqual(["both", "env", "odd"]);
      await expectCounted(api);
    });
  });
});
