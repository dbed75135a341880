import { Compile } from "typebox/compile";
import { beforeAll, describe, expect, test } from "vitest";
import { useApi, type Answer } from "../../test/support/api.ts";
import { forEachEngine } from "../../test/support/engines.ts";
import { projectDocument, projectList } from "./schema.ts";

function body(attributes: object, more: object = {}) {
  return { data: { type: "projects", attributes, ...more } };
}

function firstError(answer: Answer) {
  return { status: answer.status, ...(answer.body.errors[0] as Record<string, unknown>) };
}

function names(answer: Answer): string[] {
  expect(answer).toMatchObject({ status: 200 });
  return answer.body.data.map((each: { attributes: { name: string } }) => each.attributes.name);
}

const NAME = "/data/attributes/name";

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);
  let organization = "";
  let projects = "";
  let count = 0;
  beforeAll(async () => {
    organization = await api.organization();
    projects = `/organizations/${organization}/projects`;
  });
  const create = async (attributes: object = {}) => {
    const answer = await api.post(projects, body({ name: `Project ${count++}`, ...attributes }));
    expect(answer).toMatchObject({ status: 201 });
    return answer.body.data;
  };
  const defaultProject = async (name: string) =>
    (await api.get(`/organizations/${name}`)).body.data.relationships["default-project"].data.id as string;

  describe("create", () => {
    test("answers the defaults, and read and list answer the same", async () => {
      const made = await create({ "from-the-future": 1, id: "prj-mine" });
      const path = `/api/v2/projects/${made.id}`;
      expect(made).toMatchObject({
        id: expect.stringMatching(/^prj-\w{16}$/),
        type: "projects",
        attributes: {
          description: "",
          "workspace-count": 0,
          "auto-destroy-activity-duration": null,
          "default-execution-mode": "remote",
          "setting-overwrites": { "default-execution-mode": false, "default-agent-pool": false },
          permissions: { "can-update": true, "can-destroy": true, "can-create-workspace": true },
        },
        relationships: {
          organization: { data: { id: organization, type: "organizations" } },
          "tag-bindings": { links: { related: `${path}/tag-bindings` } },
        },
        links: { self: path },
      });
      expect((await api.get(`/projects/${made.id}`)).body).toEqual({ data: made });
      expect((await api.get(`${projects}?filter[names]=${made.attributes.name}`)).body.data).toEqual([made]);
    });

    test("every answer has the shape that is documented", async () => {
      const { id } = await create({ "auto-destroy-activity-duration": "1d" });
      expect(Compile(projectDocument).Check((await api.get(`/projects/${id}`)).body)).toBe(true);
      expect(Compile(projectList).Check((await api.get(projects)).body)).toBe(true);
    });

    test("echoes every option", async () => {
      const options = {
        description: "Cards",
        "default-execution-mode": "local",
        "auto-destroy-activity-duration": "14d",
      };
      const made = await create({ ...options, "setting-overwrites": { "default-agent-pool": true } });
      expect(made.attributes).toMatchObject({ ...options, "setting-overwrites": { "default-execution-mode": true } });
      expect((await api.get(`/projects/${made.id}`)).body.data).toEqual(made);
    });

    test("a name is unique in any case within its organization", async () => {
      const made = await create();
      const again = await api.post(projects, body({ name: made.attributes.name.toUpperCase() }));
      expect(firstError(again)).toMatchObject({
        status: "422",
        title: "invalid attribute",
        detail: "Name has already been taken",
        source: { pointer: NAME },
      });
      const other = await api.organization();
      const elsewhere = await api.post(`/organizations/${other}/projects`, body({ name: made.attributes.name }));
      expect(elsewhere.status).toBe(201);
    });

    test("of 20 at once with one name, one is made", async () => {
      const all = Array.from({ length: 20 }, () => api.post(projects, body({ name: "At once" })));
      const answers = await Promise.all(all);
      expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
      expect(answers.filter((answer) => answer.status === 422)).toHaveLength(19);
    });
  });

  test.each<[string, object, string, string?]>([
    ["no name", {}, NAME],
    ["name null", { name: null }, NAME],
    ["name a list", { name: [] }, NAME],
    ["name empty", { name: "" }, NAME],
    ["name too short", { name: "ab" }, NAME, "too short"],
    ["name too long", { name: "n".repeat(41) }, NAME, "too long"],
    ["name of 256 characters", { name: "n".repeat(256) }, NAME],
    ["name with a slash", { name: "no/slash" }, NAME, "Name may only contain"],
    ["name beyond ASCII", { name: "Ünicode" }, NAME, "Name may only contain"],
    ["name with a line break", { name: "abc\n" }, NAME, "Name may only contain"],
    ["name with a blank in front", { name: " abc" }, NAME, "Name may only contain"],
    ["name with a blank behind", { name: "abc " }, NAME, "Name may only contain"],
    ["name with NUL", { name: "a\0bc" }, NAME],
    ["description too long", { name: "bad", description: "d".repeat(257) }, "/data/attributes/description"],
    ["description a number", { name: "bad", description: 1 }, "/data/attributes/description"],
    ["agents", { name: "bad", "default-execution-mode": "agent" }, "/data/attributes/default-execution-mode"],
    [
      "duration",
      { name: "bad", "auto-destroy-activity-duration": "3w" },
      "/data/attributes/auto-destroy-activity-duration",
      "Auto destroy activity duration has an incorrect format, we expect up to 4 numeric digits and 1 unit ('d' or 'h')",
    ],
    ["overwrites a list", { name: "bad", "setting-overwrites": [] }, "/data/attributes/setting-overwrites"],
  ])("refused: %s", async (_name, attributes, pointer, detail = "") => {
    const answer = await api.post(projects, body(attributes));
    expect(firstError(answer)).toMatchObject({
      status: "422",
      title: "invalid attribute",
      detail: expect.stringContaining(detail),
      source: { pointer },
    });
    expect(names(await api.get(`${projects}?filter[names]=bad`))).toEqual([]);
  });

  test("agent pools are refused in clear words, empty ones are not", async () => {
    const made = await create();
    const answers = async (more: object, attributes: object = {}) => [
      await api.post(projects, body({ name: "bad", ...attributes }, more)),
      await api.patch(`/projects/${made.id}`, body(attributes, more)),
    ];
    const pool = { relationships: { "default-agent-pool": { data: { type: "agent-pools", id: "apool-1" } } } };
    for (const answer of [...(await answers(pool)), ...(await answers({}, { "default-agent-pool-id": "apool-1" }))]) {
      expect(answer.status).toBe(422);
      expect(answer.text).toContain("must not be specified unless using 'agent' execution mode");
    }
    const none = { relationships: { "tag-bindings": { data: [] }, "default-agent-pool": { data: null } } };
    expect((await api.patch(`/projects/${made.id}`, body({}, none))).body.data).toEqual(made);
  });

  describe("list", () => {
    test("is ordered, searched, filtered and paged", async () => {
      api.setNow(Date.parse("2026-01-02T03:04:05Z"));
      const name = await api.organization();
      const path = `/organizations/${name}/projects`;
      for (const [at, project] of ["beta one", "Alpha", "beta_two"].entries()) {
        // The last two in the same moment, in which the name decides.
        api.setNow(Date.parse("2026-01-02T04:00:00Z") + Math.min(at, 1));
        await api.post(path, body({ name: project }));
      }
      api.setNow(undefined);
      const newest = ["Alpha", "beta_two", "beta one", "Default Project"];
      expect(names(await api.get(path))).toEqual(newest);
      expect(names(await api.get(`${path}?q=beta`))).toEqual(["beta_two", "beta one"]);
      expect(names(await api.get(`${path}?page[size]=1&page[number]=3`))).toEqual(["beta one"]);
      const all = ["Alpha", "beta one", "beta_two", "Default Project"];
      expect(names(await api.get(`${path}?sort=name`))).toEqual(all);
      expect(names(await api.get(`${path}?sort=-name`))).toEqual(all.toReversed());
      expect(names(await api.get(`${path}?q=BETA&sort=name`))).toEqual(["beta one", "beta_two"]);
      expect(names(await api.get(`${path}?q=_`))).toEqual(["beta_two"]);
      expect(names(await api.get(`${path}?filter%5Bnames%5D=ALPHA,default%20project,bet`))).toEqual([all[0], all[3]]);
      expect(names(await api.get(`${path}?filter[names]=Alpha&q=beta`))).toEqual([]);
      expect(names(await api.get(`${path}?filter[tagged][0][key]=a`))).toEqual([]);
      const page = await api.get(`${path}?sort=name&page[number]=2&page[size]=3`);
      expect(names(page)).toEqual(["Default Project"]);
      expect(page.body.meta.pagination).toMatchObject({ "current-page": 2, "total-pages": 2, "total-count": 4 });
      const searched = await api.get(`${path}?q=beta&page[size]=1`);
      expect(searched.body.meta.pagination).toMatchObject({ "total-pages": 2, "total-count": 2 });
      expect((await api.get(`${path}?page[number]=999`)).body).toMatchObject({
        data: [],
        meta: { pagination: { "current-page": 999, "total-count": 4 } },
      });
    });

    test("an include is 400 in words that clients know", async () => {
      const made = await create();
      for (const path of [projects, `/projects/${made.id}`]) {
        const answer = await api.get(`${path}?include=teams`);
        expect(firstError(answer)).toMatchObject({
          status: "400",
          detail: expect.stringContaining("include parameter"),
        });
      }
    });

    test("an unknown sort is passed over", async () => {
      const inOrder = names(await api.get(projects));
      expect(inOrder.length).toBeGreaterThan(1);
      for (const sort of ["created-at", "-created-at", "Name", "name,-name", ""]) {
        expect(names(await api.get(`${projects}?sort=${sort}`))).toEqual(inOrder);
      }
    });

    test("a filter takes up to 100 names, and more are 400 in words that say so", async () => {
      const made = await create();
      const ask = (asked: number) => {
        const list = [...Array.from({ length: asked - 1 }, (_, i) => `absent ${i}`), made.attributes.name];
        return api.get(`${projects}?filter[names]=${encodeURIComponent(list.join())}`);
      };
      expect(names(await ask(100))).toEqual([made.attributes.name]);
      for (const asked of [101, 500]) {
        expect(firstError(await ask(asked))).toMatchObject({
          status: "400",
          detail: "The parameter filter[names] must have at most 100 names",
        });
      }
    });
  });

  describe("update", () => {
    test.each<[string, object, object]>([
      ["nothing", {}, {}],
      ["name", { name: "Renamed" }, { name: "Renamed" }],
      ["case of the name", { name: "RENAMED" }, { name: "RENAMED" }],
      ["description", { description: "d" }, { description: "d" }],
      ["description to nothing", { description: null }, { description: "" }],
      ["duration", { "auto-destroy-activity-duration": "2h" }, { "auto-destroy-activity-duration": "2h" }],
      ["duration to nothing", { "auto-destroy-activity-duration": null }, { "auto-destroy-activity-duration": null }],
      [
        "execution mode",
        { "default-execution-mode": "local" },
        {
          "default-execution-mode": "local",
          "setting-overwrites": { "default-execution-mode": true, "default-agent-pool": true },
        },
      ],
      [
        "execution mode back to the organization's",
        { "setting-overwrites": { "default-execution-mode": false } },
        {
          "default-execution-mode": "remote",
          "setting-overwrites": { "default-execution-mode": false, "default-agent-pool": false },
        },
      ],
      ["name null", { name: null }, {}],
    ])("changes only %s", async (_name, change, effect) => {
      const found = (await api.get(`${projects}?filter[names]=steady,renamed`)).body.data[0];
      const before = found ?? (await create({ name: "steady" }));
      const updated = await api.patch(`/projects/${before.id}`, body(change));
      expect(updated.body.data).toEqual({ ...before, attributes: { ...before.attributes, ...effect } });
      expect((await api.get(`/projects/${before.id}`)).body).toEqual(updated.body);
    });

    test("a project without a mode of its own follows its organization", async () => {
      const name = await api.organization();
      const id = await defaultProject(name);
      const change = { data: { type: "organizations", attributes: { "default-execution-mode": "local" } } };
      await api.patch(`/organizations/${name}`, change);
      expect((await api.get(`/projects/${id}`)).body.data.attributes["default-execution-mode"]).toBe("local");
      const pinned = await api.patch(
        `/projects/${id}`,
        body({ "setting-overwrites": { "default-execution-mode": true } }),
      );
      expect(pinned.body.data.attributes["default-execution-mode"]).toBe("local");
      change.data.attributes["default-execution-mode"] = "remote";
      await api.patch(`/organizations/${name}`, change);
      expect((await api.get(`/projects/${id}`)).body.data.attributes["default-execution-mode"]).toBe("local");
    });

    test("a taken or bad name is refused and changes nothing", async () => {
      const made = await create();
      for (const name of ["DEFAULT PROJECT", "bad!"]) {
        expect((await api.patch(`/projects/${made.id}`, body({ name, description: "x" }))).status).toBe(422);
      }
      expect((await api.get(`/projects/${made.id}`)).body.data).toEqual(made);
    });
  });

  describe("delete", () => {
    test("removes an empty project and frees its name", async () => {
      const made = await create();
      const total = async () => (await api.get(projects)).body.meta.pagination["total-count"] as number;
      const before = await total();
      expect((await api.delete(`/projects/${made.id}`)).status).toBe(204);
      expect((await api.get(`/projects/${made.id}`)).status).toBe(404);
      expect((await api.delete(`/projects/${made.id}`)).status).toBe(404);
      expect(await total()).toBe(before - 1);
      await create({ name: made.attributes.name });
    });

    test("the default project stays, renamed or not", async () => {
      const name = await api.organization();
      const id = await defaultProject(name);
      await api.patch(`/projects/${id}`, body({ name: "Home" }));
      expect(firstError(await api.delete(`/projects/${id}`))).toMatchObject({ status: "403", title: "forbidden" });
      expect((await api.get(`/projects/${id}`)).status).toBe(200);
    });
  });
});
