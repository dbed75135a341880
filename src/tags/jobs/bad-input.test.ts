/** Requests for jobs that are refused, each with a pointer to what is wrong; nothing is stored of them. */
import { beforeAll, expect, test } from "vitest";
import { useApi } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { jobBody } from "../../../test/support/jobs.ts";

const AT = "/data/attributes";
const ADD = { action: "add", tags: [{ name: "a" }] };
const many = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `t${at}` }));
const workspaces = (filter: object) => ({ ...ADD, filter: { workspaces: filter } });
const tags = (filter: object) => ({ action: "delete", filter: { tags: filter } });

const REFUSED: readonly [what: string, attributes: object, pointer: string][] = [
  ["no action", {}, `${AT}/action`],
  ["another action", { ...ADD, action: "explode" }, `${AT}/action`],
  ["a member that is not known", { ...ADD, filters: {} }, `${AT}/filters`],
  ["a filter that is not known", { ...ADD, filter: { workspace: {} } }, `${AT}/filter/workspace`],
  ["a condition that is not known", workspaces({ nmae: "x" }), `${AT}/filter/workspaces/nmae`],
  ["add without tags", { action: "add" }, `${AT}/tags`],
  ["add of no tags", { action: "add", tags: [] }, `${AT}/tags`],
  ["101 tags", { action: "add", tags: many(101) }, `${AT}/tags`],
  ["a name that is none of a tag", { action: "add", tags: [{ name: "a" }, { name: "no space" }] }, `${AT}/tags/1/name`],
  ["a name that is empty", { action: "add", tags: [{ name: "" }] }, `${AT}/tags/0/name`],
  ["a name that is too long", { action: "add", tags: [{ name: "x".repeat(256) }] }, `${AT}/tags/0/name`],
  ["a name with a NUL", { action: "add", tags: [{ name: "a\u0000" }] }, `${AT}/tags/0/name`],
  ["a lone surrogate", { action: "add", tags: [{ name: "a\uD800" }] }, `${AT}/tags/0/name`],
  ["a key that is reserved", { action: "add", tags: [{ name: "hcp:a", value: "" }] }, `${AT}/tags/0/name`],
  ["a key of 129 characters", { action: "add", tags: [{ name: "k".repeat(129), value: "" }] }, `${AT}/tags/0/name`],
  ["a value of 257 characters", { action: "add", tags: [{ name: "k", value: "v".repeat(257) }] }, `${AT}/tags/0/value`],
  ["a value with a blank", { action: "add", tags: [{ name: "k", value: "a b" }] }, `${AT}/tags/0/value`],
  [
    "a key twice",
    {
      action: "add",
      tags: [
        { name: "k", value: "1" },
        { name: "k", value: "2" },
      ],
    },
    `${AT}/tags/1/name`,
  ],
  ["add with filter.tags", { ...ADD, filter: { tags: {} } }, `${AT}/filter/tags`],
  ["add with to", { ...ADD, to: "x" }, `${AT}/to`],
  ["add with as", { ...ADD, as: "tag" }, `${AT}/as`],
  ["as something else", { action: "remove", tags: many(1), as: "label" }, `${AT}/as`],
  ["remove of nothing", { action: "remove", filter: { workspaces: {} } }, `${AT}/tags`],
  ["remove by names and a filter", { action: "remove", tags: many(1), filter: { tags: {} } }, `${AT}/filter/tags`],
  ["a flat tag's value", { action: "remove", as: "tag", tags: [{ name: "a", value: "b" }] }, `${AT}/tags/0/value`],
  ["set-value without a value", { action: "set-value", tags: [{ name: "k" }] }, `${AT}/tags/0/value`],
  [
    "set-value of a key twice",
    {
      action: "set-value",
      tags: [
        { name: "k", value: "" },
        { name: "k", value: "x" },
      ],
    },
    `${AT}/tags/1/name`,
  ],
  ["set-value by a filter of tags", { action: "set-value", filter: { tags: {} } }, `${AT}/filter/tags`],
  ["rename of two", { action: "rename", tags: many(2), to: "x" }, `${AT}/tags`],
  ["rename by a filter", { action: "rename", filter: { tags: {} }, to: "x" }, `${AT}/filter/tags`],
  ["rename without to", { action: "rename", tags: many(1) }, `${AT}/to`],
  ["rename to what is no tag", { action: "rename", tags: many(1), to: "-" }, `${AT}/to`],
  ["rename of a value", { action: "rename", tags: [{ name: "a", value: "b" }], to: "x" }, `${AT}/tags/0/value`],
  ["merge without to", { action: "merge", tags: many(2) }, `${AT}/to`],
  ["merge of nothing", { action: "merge", to: "x" }, `${AT}/tags`],
  ["delete of nothing", { action: "delete" }, `${AT}/tags`],
  ["delete on workspaces", { action: "delete", tags: many(1), filter: { workspaces: {} } }, `${AT}/filter/workspaces`],
  ["delete with to", { action: "delete", tags: many(1), to: "x" }, `${AT}/to`],
  ["unused as a text", tags({ unused: "yes" }), `${AT}/filter/tags/unused`],
  ["a negative count", tags({ "instance-count": { gte: -1 } }), `${AT}/filter/tags/instance-count/gte`],
  ["a count that is no integer", tags({ "instance-count": { lte: 1.5 } }), `${AT}/filter/tags/instance-count/lte`],
  ["a count beyond all", tags({ "instance-count": { gte: 9007199254740992 } }), `${AT}/filter/tags/instance-count/gte`],
  ["a count that is huge", tags({ "instance-count": { lte: 1e19 } }), `${AT}/filter/tags/instance-count/lte`],
  ["a count that is endless", tags({ "instance-count": { gte: 1e300 } }), `${AT}/filter/tags/instance-count/gte`],
  ["another comparison", tags({ "instance-count": { gt: 1 } }), `${AT}/filter/tags/instance-count/gt`],
  ["a name that is no text", workspaces({ name: 1 }), `${AT}/filter/workspaces/name`],
  ["a wildcard that is too long", workspaces({ wildcard: "*".repeat(1001) }), `${AT}/filter/workspaces/wildcard`],
  ["101 tags in a filter", workspaces({ tags: many(101).map(({ name }) => name) }), `${AT}/filter/workspaces/tags`],
  ["tags that are no list", workspaces({ "exclude-tags": "a" }), `${AT}/filter/workspaces/exclude-tags`],
  [
    "21 bindings in a filter",
    workspaces({ bindings: many(21).map(({ name }) => ({ key: name })) }),
    `${AT}/filter/workspaces/bindings`,
  ],
  ["a binding without its key", workspaces({ bindings: [{ value: "x" }] }), `${AT}/filter/workspaces/bindings/0/key`],
  ["a project that is no text", workspaces({ project: null }), `${AT}/filter/workspaces/project`],
  // A script whose variables are not set sends these. All of them are no condition at all, or cannot be met.
  ...["name", "wildcard", "project"].map((name) => emptied("workspaces", name, "")),
  ...["tags", "exclude-tags", "bindings"].map((name) => emptied("workspaces", name, [])),
  emptied("tags", "q", ""),
  emptied("tags", "instance-count", {}),
];

function emptied(kind: "workspaces" | "tags", name: string, value: unknown): (typeof REFUSED)[number] {
  const attributes = kind === "tags" ? tags({ unused: true, [name]: value }) : workspaces({ [name]: value });
  return [`an empty condition: ${kind}, ${name}`, attributes, `${AT}/filter/${kind}/${name}`];
}

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);
  let org = "";
  beforeAll(async () => {
    org = await api.organization();
    await api.workspace(org, "one", ["a"]);
  });

  test.each(REFUSED)("%s", async (_what, attributes, pointer) => {
    for (const query of ["", "?preview=true"]) {
      const answer = await api.post(`/organizations/${org}/tag-jobs${query}`, jobBody(attributes));
      expect(answer.status, answer.text).toBe(422);
      expect(answer.body.errors[0].source.pointer).toBe(pointer);
    }
    expect((await api.get(`/organizations/${org}/tag-jobs`)).body.data).toEqual([]);
  });

  test("more tags than a job may name, found by a filter of one that takes them off", async () => {
    const data = many(101).map((attributes) => ({ type: "tags", attributes }));
    await api.post(`/organizations/${org}/tags`, { data });
    const answer = await api.post(
      `/organizations/${org}/tag-jobs`,
      jobBody({ action: "remove", filter: { tags: {} } }),
    );
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0]).toMatchObject({
      detail: expect.stringContaining("more than 100 tags"),
      source: { pointer: `${AT}/filter/tags` },
    });
  });

  test("another type, another organization, tags in a filter that are too many together", async () => {
    const path = `/organizations/${org}/tag-jobs`;
    expect((await api.post(path, { data: { type: "jobs", attributes: ADD } })).status).toBe(422);
    expect((await api.post("/organizations/none/tag-jobs", jobBody(ADD))).status).toBe(404);
    const names = (prefix: string) => Array.from({ length: 60 }, (_, at) => `${prefix}${at}`);
    const filter = { workspaces: { tags: names("a"), "exclude-tags": names("b") } };
    const together = await api.post(path, jobBody({ ...ADD, filter }));
    expect(together.status).toBe(422);
    expect(together.body.errors[0].source.pointer).toBe(`${AT}/filter/workspaces/exclude-tags`);
  });

  test("the largest count that may be asked for finds nothing, and is no fault", async () => {
    const most = Number.MAX_SAFE_INTEGER;
    for (const [gte, lte, total] of [
      [most, most, 0],
      [0, most, 2],
    ]) {
      const body = jobBody(tags({ q: "a", "instance-count": { gte, lte } }));
      const shown = await api.post(`/organizations/${org}/tag-jobs?preview=true`, body);
      expect(shown.status, shown.text).toBe(200);
      expect(shown.body.data.attributes.total).toBe(total);
    }
  });

  test("words for what is not known, and for a number beyond its bounds", async () => {
    const detail = async (attributes: object) =>
      (await api.post(`/organizations/${org}/tag-jobs`, jobBody(attributes))).body.errors[0].detail as string;
    expect(await detail({ ...ADD, Bogus: 1 })).toBe("Bogus is not known");
    expect(await detail(tags({ "instance-count": { gt: 1 } }))).toBe("Gt is not known");
    expect(await detail(tags({ "instance-count": { gte: 1e300 } }))).toBe("Gte must be at most 9007199254740991");
    expect(await detail(tags({ "instance-count": { gte: -1 } }))).toBe("Gte must be at least 0");
  });

  test("what no name can hold finds nothing", async () => {
    const shown = async (attributes: object) =>
      (await api.post(`/organizations/${org}/tag-jobs?preview=true`, jobBody(attributes))).body.data.attributes
        .total as number;
    expect(await shown(tags({ q: "no name" }))).toBe(0);
    expect(await shown(workspaces({ name: "é" }))).toBe(0);
    expect(await shown(workspaces({ tags: ["é"] }))).toBe(0);
    expect(await shown(workspaces({ bindings: [{ key: "é", value: "é" }] }))).toBe(0);
    expect(await shown(workspaces({ project: "prj-none" }))).toBe(0);
  });
});
