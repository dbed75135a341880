import { beforeEach, describe, expect, test } from "vitest";
import { ids, useApi, type Answer } from "../../test/support/api.ts";
import { forEachEngine } from "../../test/support/engines.ts";
import { MAX_CONSUMERS } from "./service.ts";

const UNKNOWN = "ws-unknownunknown00";

function names(answer: Answer): string[] {
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data.map((each: { attributes: { name: string } }) => each.attributes.name);
}

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);
  let organization = "";
  let owner = "";
  let [a, b, c] = ["", "", ""];
  beforeEach(async () => {
    organization = await api.organization();
    const make = (name: string) => api.workspace(organization, name);
    [owner, c, a, b] = await Promise.all([make("owner"), make("c"), make("a"), make("b")]);
  });

  const path = (workspace = owner) => `/workspaces/${workspace}/relationships/remote-state-consumers`;
  const list = (token?: string, query = "") => api.get(path() + query, token);
  const add = (consumers: readonly string[], token?: string) => api.post(path(), ids("workspaces", consumers), token);
  const replace = (consumers: readonly string[], token?: string) =>
    api.patch(path(), ids("workspaces", consumers), token);
  const remove = (consumers: readonly string[], token?: string) =>
    api.delete(path(), ids("workspaces", consumers), token);
  const rows = async () =>
    (await api.db.sql.selectFrom("state_consumers").select("consumer_id").where("workspace_id", "=", owner).execute())
      .length;
  const counter = () => api.db.sql.selectFrom("counters").selectAll().orderBy("name").execute();

  describe("the list", () => {
    test("is added to, replaced and taken from, in order of names", async () => {
      expect(names(await list())).toEqual([]);
      expect((await add([c, a, c])).status).toBe(204);
      expect((await add([b, a])).status).toBe(204);
      expect(names(await list())).toEqual(["a", "b", "c"]);
      expect((await remove([b, UNKNOWN])).status).toBe(204);
      expect(names(await list())).toEqual(["a", "c"]);
      expect((await replace([b, c])).status).toBe(204);
      expect(names(await list())).toEqual(["b", "c"]);
      expect((await replace([])).status).toBe(204);
      expect(names(await list())).toEqual([]);
      expect(await rows()).toBe(0);
    });

    test("shows the workspaces as they are read, a page at a time", async () => {
      await add([a, b, c]);
      const page = await list(undefined, "?page[size]=2&page[number]=2");
      expect(page.body.data).toEqual([(await api.get(`/workspaces/${c}`)).body.data]);
      expect(page.body.meta.pagination).toMatchObject({ "current-page": 2, "total-pages": 2, "total-count": 3 });
      const related = (await api.get(`/workspaces/${owner}`)).body.data.relationships["remote-state-consumers"];
      expect(related).toEqual({ links: { related: `/api/v2${path()}` } });
    });

    test("is left alone by a change that changes nothing", async () => {
      await add([a]);
      const before = await counter();
      for (const answer of [await add([a]), await replace([a]), await remove([b, UNKNOWN])]) {
        expect(answer.status).toBe(204);
      }
      expect(await counter()).toEqual(before);
    });

    test("leaves out those of other projects while state is shared with the project", async () => {
      const data = { type: "projects", attributes: { name: "Elsewhere" } };
      const project = (await api.post(`/organizations/${organization}/projects`, { data })).body.data.id;
      await add([a, b]);
      await api.post(`/projects/${project}/relationships/workspaces`, ids("workspaces", [b]));
      const share = (value: boolean) =>
        api.patch(`/workspaces/${owner}`, {
          data: { type: "workspaces", attributes: { "project-remote-state": value } },
        });
      await share(true);
      expect(names(await list())).toEqual(["a"]);
      expect((await list()).body.meta.pagination["total-count"]).toBe(1);
      await share(false);
      expect(names(await list())).toEqual(["a", "b"]);
    });

    test("is of all others while state is shared with all, unless only what was put there is asked for", async () => {
      await add([b]);
      const share = async (attributes: object) => {
        const data = { type: "workspaces", attributes };
        expect((await api.patch(`/workspaces/${owner}`, { data })).status).toBe(200);
      };
      await share({ "global-remote-state": true });
      expect(names(await list())).toEqual(["a", "b", "c"]);
      expect(names(await list(undefined, "?show_only_configured=false"))).toEqual(["a", "b", "c"]);
      const page = await list(undefined, "?page[size]=2&page[number]=2");
      expect(page.body.data).toEqual([(await api.get(`/workspaces/${c}`)).body.data]);
      expect(page.body.meta.pagination).toMatchObject({ "total-pages": 2, "total-count": 3 });
      const configured = await list(undefined, "?show_only_configured=true");
      expect(names(configured)).toEqual(["b"]);
      expect(configured.body.meta.pagination["total-count"]).toBe(1);
      // A new one is among them at once; those that the caller may not see are not, and do not count.
      await api.workspace(organization, "d");
      expect(names(await list())).toEqual(["a", "b", "c", "d"]);
      const token = api.tokenWith(
        { kind: "workspace", segment: `${organization}/owner`, policy: "read" },
        { kind: "workspace", segment: `${organization}/c`, policy: "read" },
      );
      const seen = await list(token);
      expect(names(seen)).toEqual(["c"]);
      expect(seen.body.meta.pagination["total-count"]).toBe(1);
      await share({ "global-remote-state": false });
      expect(names(await list())).toEqual(["b"]);
    });

    test("of two clients that replace it at once, one wins whole", async () => {
      for (let round = 0; round < 10; round++) {
        const answers = await Promise.all([replace([a, b]), replace([c])]);
        for (const answer of answers) expect(answer.status).toBe(204);
        expect([["a", "b"], ["c"]]).toContainEqual(names(await list()));
      }
    });

    test("has room for 1,000", async () => {
      const made = Array.from({ length: MAX_CONSUMERS + 1 }, (_, index) => `ws-many${organization}${index}`);
      await api.db.inTransaction({ kind: "root" }, async (tx) => {
        const row = await tx.sql.selectFrom("workspaces").selectAll().where("id", "=", a).executeTakeFirstOrThrow();
        for (const id of made) {
          tx.write(tx.sql.insertInto("workspaces").values({ ...row, id, name: id, name_key: id.toLowerCase() }));
        }
      });
      const refusal = { status: 422, body: { errors: [{ source: { pointer: "/data" } }] } };
      expect((await add(made.slice(0, 999))).status).toBe(204);
      expect(await add(made.slice(998))).toMatchObject(refusal);
      expect(await rows()).toBe(999);
      expect((await add(made.slice(998, 1000))).status).toBe(204);
      expect(await add([a])).toMatchObject(refusal);
      expect((await replace(made.slice(1))).status).toBe(204);
      const page = await list(undefined, "?page[size]=100&page[number]=10");
      expect(page.body.data).toHaveLength(100);
      expect(page.body.meta.pagination["total-count"]).toBe(1000);
      expect((await remove(made.slice(1))).status).toBe(204);
      expect(names(await list())).toEqual([]);
    });
  });

  describe("rights", () => {
    test("to read it are those to the workspace, and what may not be read is not in it", async () => {
      await add([a, b]);
      const some = api.tokenWith(
        { kind: "workspace", segment: `${organization}/owner`, policy: "read" },
        { kind: "workspace", segment: `${organization}/B`, policy: "read" },
      );
      expect(names(await list(some))).toEqual(["b"]);
      expect((await list(some)).body.meta.pagination["total-count"]).toBe(1);
      const blind = api.tokenWith({ kind: "workspace", segment: `${organization}/b`, policy: "write" });
      const refused = await list(blind);
      expect(refused.status).toBe(404);
      expect((await api.get(path(UNKNOWN), blind)).text).toBe(refused.text);
    });

    test("to change it are those to write the workspace, and to read each that is put on it", async () => {
      await add([a]);
      const reader = api.tokenWith({ kind: "organization", segment: organization, policy: "read" });
      for (const answer of [await add([b], reader), await replace([], reader), await remove([a], reader)]) {
        expect(answer.status).toBe(404);
      }
      const writer = api.tokenWith(
        { kind: "workspace", segment: `${organization}/owner`, policy: "write" },
        { kind: "workspace", segment: `${organization}/b`, policy: "read" },
      );
      for (const change of [add, replace]) {
        const hidden = await change([b, c], writer);
        expect(hidden.status).toBe(404);
        expect((await change([b, UNKNOWN], writer)).text).toBe(hidden.text);
        await api.expectSameStatements(
          () => change([b, c], writer),
          () => change([b, UNKNOWN], writer),
        );
      }
      expect(names(await list())).toEqual(["a"]);
      expect((await add([b], writer)).status).toBe(204);
      expect(names(await list())).toEqual(["a", "b"]);
      // The list is the workspace's: who writes it may end the access of those whom it does not see, and is not told of them.
      expect((await remove([a, c], writer)).status).toBe(204);
      expect(names(await list())).toEqual(["b"]);
      await add([a]);
      expect((await replace([b], writer)).status).toBe(204);
      expect(names(await list())).toEqual(["b"]);
    });

    test("nobody of another organization is put on it, nor the workspace itself", async () => {
      const foreign = await api.workspace(await api.organization(), "foreign");
      for (const change of [add, replace]) {
        const refused = await change([a, foreign]);
        expect(refused.status).toBe(404);
        expect((await change([a, UNKNOWN])).text).toBe(refused.text);
        expect(await change([a, owner])).toMatchObject({
          status: 422,
          body: { errors: [{ source: { pointer: "/data" } }] },
        });
      }
      expect(await rows()).toBe(0);
    });
  });

  describe("deletion", () => {
    const left = async () => {
      const { sql } = api.db;
      const [consumers, purges] = await Promise.all([
        sql.selectFrom("state_consumers").selectAll().execute(),
        sql.selectFrom("purges").selectAll().execute(),
      ]);
      return { purges: purges.length, of: consumers.map((row) => [row.workspace_id, row.consumer_id]) };
    };
    const clear = async () => {
      await api.db.inTransaction({ kind: "root" }, async (tx) => tx.write(tx.sql.deleteFrom("state_consumers")));
    };

    test("of a consumer takes it off every list at once, and its rows in the background", async () => {
      await clear();
      await add([a, b]);
      await api.post(path(c), ids("workspaces", [a]));
      expect((await api.delete(`/workspaces/${a}`)).status).toBe(204);
      expect(names(await list())).toEqual(["b"]);
      expect((await list()).body.meta.pagination["total-count"]).toBe(1);
      expect((await remove([a])).status).toBe(204);
      expect((await add([a])).status).toBe(404);
      await expect.poll(left, { timeout: 10_000 }).toEqual({ purges: 0, of: [[owner, b]] });
    });

    test("of a workspace takes its list", async () => {
      await clear();
      await add([a, b]);
      await api.post(path(a), ids("workspaces", [b]));
      expect((await api.delete(`/organizations/${organization}/workspaces/owner`)).status).toBe(204);
      expect((await list()).status).toBe(404);
      await expect.poll(left, { timeout: 10_000 }).toEqual({ purges: 0, of: [[a, b]] });
    });

    test("of a workspace that is on no list notes nothing", async () => {
      await clear();
      await add([a]);
      await expect.poll(left, { timeout: 10_000 }).toMatchObject({ purges: 0 });
      await api.delete(`/workspaces/${b}`);
      expect(await left()).toEqual({ purges: 0, of: [[owner, a]] });
    });

    test("of an organization takes all of its lists", async () => {
      await clear();
      const other = await api.organization();
      const [one, two] = [await api.workspace(other, "one"), await api.workspace(other, "two")];
      await api.post(path(one), ids("workspaces", [two]));
      await add([a, b, c]);
      await api.post(path(a), ids("workspaces", [owner]));
      expect((await api.delete(`/organizations/${organization}`)).status).toBe(204);
      await expect.poll(left, { timeout: 10_000 }).toEqual({ purges: 0, of: [[one, two]] });
    });
  });

  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["no data", {}],
    ["an object", { data: { type: "workspaces", id: "ws-1" } }],
    ["another type", { data: [{ type: "tags", id: "ws-1" }] }],
    ["no id", { data: [{ type: "workspaces" }] }],
    ["an empty id", { data: [{ type: "workspaces", id: "" }] }],
    ["an id of 101 characters", ids("workspaces", ["w".repeat(101)])],
    ["an id that is a number", { data: [{ type: "workspaces", id: 7 }] }],
    ["1,001 entries", ids("workspaces", Array<string>(1001).fill("ws-1"))],
  ])("a malformed list is 422: %s", async (_name, payload) => {
    for (const method of ["post", "patch", "delete"] as const) {
      expect((await api[method](path(), payload)).status).toBe(422);
    }
  });

  test("an empty list is for replacing alone", async () => {
    expect((await add([])).status).toBe(422);
    expect((await remove([])).status).toBe(422);
    expect((await replace([])).status).toBe(204);
  });

  test("members beside the id are passed over, as a client sends whole workspaces", async () => {
    const { data } = (await api.get(`/workspaces/${a}`)).body;
    expect((await api.post(path(), { data: [data] })).status).toBe(204);
    expect(names(await list())).toEqual(["a"]);
  });
});
