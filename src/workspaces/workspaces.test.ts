import { describe, expect, it } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { tagNames, useApi } from "../../test/support/api.ts";

interface WorkspaceResource {
  id: string;
  attributes: Record<string, unknown> & { name: string };
}

function body(attributes: object, relationships: object = {}) {
  return { data: { type: "workspaces", attributes, relationships } };
}

function namesOf(answer: { body: { data: WorkspaceResource[] } }): string[] {
  return answer.body.data.map((workspace) => workspace.attributes.name);
}

/** Every option that is stored, with a value that is not its default; of those that exclude each other one. */
const OPTIONS = {
  "allow-destroy-plan": false,
  "assessments-enabled": true,
  "auto-apply": true,
  "auto-apply-run-trigger": true,
  "auto-destroy-at": "2031-02-03T04:05:06.000Z",
  "inherits-project-auto-destroy": false,
  description: 'a "described" workspace\nof two lines, 😀',
  "execution-mode": "local",
  "file-triggers-enabled": false,
  "global-remote-state": true,
  "hyok-enabled": true,
  "migration-environment": "staging",
  "queue-all-runs": true,
  "speculative-enabled": false,
  "source-name": "my tool",
  "source-url": "https://tool.example/x",
  "structured-run-output-enabled": false,
  "terraform-version": "0.11.0",
  "trigger-prefixes": ["/modules", "/shared"],
  "working-directory": "bar/",
};

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  describe("a workspace", () => {
    it("echoes every option and reads the same by id, by name and in a list", async () => {
      const org = await api.organization();
      const created = await api.post(`/organizations/${org}/workspaces`, body({ name: "All", ...OPTIONS }));
      expect(created.status, created.text).toBe(201);
      const { data } = created.body;
      expect(data.attributes).toMatchObject({ name: "All", ...OPTIONS, operations: false, "tag-names": [] });
      expect(data.attributes["setting-overwrites"]).toEqual({ "execution-mode": true, "agent-pool": true });
      expect(data.links).toEqual({
        self: `/api/v2/organizations/${org}/workspaces/All`,
        "self-html": `/app/${org}/workspaces/All`,
      });
      expect((await api.get(`/workspaces/${data.id}`)).body.data).toEqual(data);
      expect((await api.get(`/organizations/${org.toUpperCase()}/workspaces/aLL`)).body.data).toEqual(data);
      expect((await api.get(`/organizations/${org}/workspaces`)).body.data).toEqual([data]);
    });

    it("has documented defaults and the rights of whoever asks", async () => {
      const org = await api.organization();
      const id = await api.workspace(org, "plain", ["one", "two"]);
      const { data } = (await api.get(`/workspaces/${id}`)).body;
      expect(data.attributes).toMatchObject({
        "auto-apply": false,
        description: null,
        environment: "default",
        "execution-mode": "remote",
        locked: false,
        operations: true,
        "resource-count": 0,
        source: "tfe-api",
        "tag-names": ["one", "two"],
        "terraform-version": "latest",
        "trigger-patterns": [],
        "vcs-repo": null,
        actions: { "is-destroyable": true },
        permissions: { "can-update": true, "can-force-delete": true, "can-manage-tags": true },
      });
      const reader = api.tokenWith({ kind: "workspace", segment: `${org}/plain`, policy: "read" });
      expect((await api.get(`/workspaces/${id}`, reader)).body.data.attributes.permissions).toMatchObject({
        "can-update": false,
        "can-destroy": false,
        "can-force-delete": false,
        "can-manage-tags": false,
        "can-read-settings": true,
      });
    });

    it.each([
      ["no name", {}, "name"],
      ["an empty name", { name: "" }, "name"],
      ["a name with a blank", { name: "a b" }, "name"],
      ["a name of 91 characters", { name: "a".repeat(91) }, "name"],
      ["a name that is no text", { name: 5 }, "name"],
      ["an unknown version", { name: "w", "terraform-version": "nonexisting" }, "terraform-version"],
      ["execution mode agent", { name: "w", "execution-mode": "agent" }, "execution-mode"],
      ["an unknown execution mode", { name: "w", "execution-mode": "cloud" }, "execution-mode"],
      ["an agent pool", { name: "w", "agent-pool-id": "apool-1" }, "agent-pool-id"],
      ["both spellings of the mode", { name: "w", "execution-mode": "local", operations: true }, "operations"],
      [
        "patterns and prefixes",
        { name: "w", "trigger-patterns": ["a"], "trigger-prefixes": ["b"] },
        "trigger-patterns",
      ],
      ["a repository", { name: "w", "vcs-repo": { identifier: "a/b" } }, "vcs-repo"],
      ["a time that is none", { name: "w", "auto-destroy-at": "soon" }, "auto-destroy-at"],
      ["a day that is none", { name: "w", "auto-destroy-at": "2030-02-31T00:00:00Z" }, "auto-destroy-at"],
      [
        "patterns of more than 64 KiB",
        { name: "w", "trigger-patterns": Array.from({ length: 66 }, () => "p".repeat(999)) },
        "trigger-patterns",
      ],
      [
        "settings of more than 128 KiB",
        {
          name: "w",
          description: "\u0001".repeat(10_000),
          "source-name": "\u0001".repeat(10_000),
          "trigger-prefixes": Array.from({ length: 60 }, () => "p".repeat(999)),
        },
        "trigger-prefixes",
      ],
      ["a text for a flag", { name: "w", "auto-apply": "yes" }, "auto-apply"],
    ])("is refused with %s", async (_, attributes, pointer) => {
      const org = await api.organization();
      const answer = await api.post(`/organizations/${org}/workspaces`, body(attributes));
      expect(answer.status, answer.text).toBe(422);
      expect(answer.body.errors[0]).toMatchObject({
        title: "invalid attribute",
        source: { pointer: `/data/attributes/${pointer}` },
      });
      expect((await api.get(`/organizations/${org}/workspaces`)).body.data).toEqual([]);
    });

    it.each(["1.5.7", "1.9.0-beta1", "~> 1.5.0", ">= 1.0, < 2.0", "latest"])(
      "takes the version %s",
      async (version) => {
        const org = await api.organization();
        const answer = await api.post(
          `/organizations/${org}/workspaces`,
          body({ name: "w", "terraform-version": version, "not-known-here": { deep: true } }),
        );
        expect(answer.body.data.attributes["terraform-version"]).toBe(version);
      },
    );

    it("refuses a name that is taken in any case", async () => {
      const org = await api.organization();
      const none = { "tag-bindings": { data: [] } };
      expect((await api.post(`/organizations/${org}/workspaces`, body({ name: "kv" }, none))).status).toBe(201);
      const taken = await api.post(`/organizations/${org}/workspaces`, body({ name: "KV" }));
      expect(taken.body.errors[0]).toEqual({
        status: "422",
        title: "invalid attribute",
        detail: "Name has already been taken",
        source: { pointer: "/data/attributes/name" },
      });
      expect((await api.get(`/workspaces/x/tag-bindings`)).status).toBe(404);
    });

    it("changes what is given and keeps the rest, rename and move included", async () => {
      const org = await api.organization();
      const id = await api.workspace(org, "before", ["one", "two"]);
      await api.patch(`/workspaces/${id}`, body(OPTIONS));
      const project = await api.post(`/organizations/${org}/projects`, {
        data: { type: "projects", attributes: { name: "Second" } },
      });
      const projectId = project.body.data.id;
      const moved = await api.patch(
        `/organizations/${org}/workspaces/before`,
        body({ name: "after", "auto-apply": null }, { project: { data: { type: "projects", id: projectId } } }),
      );
      expect(moved.status, moved.text).toBe(200);
      expect(moved.body.data.attributes).toMatchObject({ ...OPTIONS, name: "after", "auto-apply": false });
      expect(moved.body.data.relationships.project.data.id).toBe(projectId);
      expect((await api.get(`/workspaces/${id}`)).body.data).toEqual(moved.body.data);
      expect((await api.get(`/organizations/${org}/workspaces/before`)).status).toBe(404);
      expect(namesOf(await api.get(`/organizations/${org}/workspaces?search[tags]=one`))).toEqual(["after"]);
      const replaced = await api.patch(`/workspaces/${id}`, body({}, { tags: tagNames("two", "three") }));
      expect(replaced.body.data.attributes["tag-names"]).toEqual(["two", "three"]);
      expect((await api.get(`/organizations/${org}/tags`)).body.meta.pagination["total-count"]).toBe(2);
      const inherited = await api.patch(
        `/workspaces/${id}`,
        body({ "setting-overwrites": { "execution-mode": false } }),
      );
      expect(inherited.body.data.attributes["execution-mode"]).toBe("remote");
      const foreign = await api.organization();
      const { body: theirs } = await api.get(`/organizations/${foreign}/projects`);
      const elsewhere = { project: { data: { type: "projects", id: theirs.data[0].id } } };
      expect((await api.patch(`/workspaces/${id}`, body({}, elsewhere))).status).toBe(404);
    });

    it("is left alone by a change that changes nothing", async () => {
      const org = await api.organization();
      const id = await api.workspace(org, "same", ["a"]);
      const before = (await api.get(`/workspaces/${id}`)).body.data;
      const counter = () =>
        api.db.sql
          .selectFrom("counters")
          .select("value")
          .where("name", "like", "organization/%")
          .orderBy("name")
          .execute();
      const counters = await counter();
      for (const attributes of [{}, { name: "same" }, { "auto-apply": null }]) {
        expect((await api.patch(`/workspaces/${id}`, body(attributes))).body.data).toEqual(before);
      }
      expect(await counter()).toEqual(counters);
    });

    it("a tag named like the id of another is taken off when only that other is kept", async () => {
      const org = await api.organization();
      const id = await api.workspace(org, "w", ["kept", "tag-like"]);
      const { body: list } = await api.get(`/workspaces/${id}/relationships/tags`);
      const kept = { data: [{ type: "tags", id: list.data[0].id }] };
      await api.db.inTransaction({ kind: "root" }, (tx) => {
        tx.write(tx.sql.updateTable("tags").set({ name: list.data[0].id }).where("id", "=", list.data[1].id));
        return Promise.resolve();
      });
      const after = await api.patch(`/workspaces/${id}`, body({}, { tags: kept }));
      expect(after.body.data.attributes["tag-names"]).toEqual(["kept"]);
    });

    it("locks for one token, unlocks for the same, and for anyone by force", async () => {
      const org = await api.organization();
      const id = await api.workspace(org, "w");
      const other = api.tokenWith({ kind: "organization", segment: org, policy: "write" });
      const act = (action: string, data?: unknown, token?: string) =>
        api.post(`/workspaces/${id}/actions/${action}`, data, token);
      const locked = await act("lock", { data: { attributes: { reason: "busy" } } });
      expect(locked.body.data).toMatchObject({
        attributes: { locked: true, "locked-reason": "busy" },
        relationships: { "locked-by": { data: { type: "users", id: "user-root" } } },
      });
      expect((await act("lock", { reason: "again" })).status).toBe(409);
      const refused = await act("unlock", undefined, other);
      expect(refused.status).toBe(409);
      expect(refused.text).toContain("is locked by User");
      expect((await act("safe-delete")).text).toContain("locked");
      expect((await act("force-unlock", undefined, other)).body.data.attributes.locked).toBe(false);
      expect((await act("force-unlock")).status).toBe(409);
      expect((await act("unlock")).status).toBe(409);
      expect((await act("lock", { reason: "plain" })).body.data.attributes["locked-reason"]).toBe("plain");
      expect((await act("unlock")).status).toBe(200);
      expect((await act("lock")).status).toBe(200);
      const { body: list } = await api.get(`/organizations/${org}/workspaces?include=locked_by,organization,project`);
      expect(list.included.map((each: { type: string }) => each.type).toSorted()).toEqual([
        "organizations",
        "projects",
        "users",
      ]);
      // A plain delete takes a locked workspace too.
      expect((await api.delete(`/workspaces/${id}`)).status).toBe(204);
      expect((await api.get(`/workspaces/${id}`)).status).toBe(404);
    });

    it("created by 20 clients with one name exists once", async () => {
      const org = await api.organization();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => api.post(`/organizations/${org}/workspaces`, body({ name: "race" }))),
      );
      expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
      expect(answers.filter((answer) => answer.status === 422)).toHaveLength(19);
      expect((await api.get(`/organizations/${org}/workspaces`)).body.meta.pagination["total-count"]).toBe(1);
    });
  });
});
