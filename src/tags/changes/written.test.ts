import { beforeAll, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { useStreams, type Stream } from "../../../test/support/event-stream.ts";
import { useV1, type V1 } from "../../../test/support/v1.ts";

/** An event in few words: what it is, the object's name, and the details. */
type Told = [event: string, name: unknown, details: unknown];

function told(stream: Stream): Told[] {
  return stream.events.map(({ event, data = {} }) => {
    const { name, details } = data["attributes"] as { name: unknown; details: unknown };
    return [event, name, details];
  });
}

/** Writes as the management token does, and fails when the server refuses. */
function writerOf(v1: V1) {
  const send = async (method: "POST" | "PATCH" | "DELETE", path: string, data?: unknown) => {
    const answer = await v1.api(method, path, data === undefined ? undefined : { data });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer;
  };
  const made = async (path: string, type: string, attributes: object) =>
    (await send("POST", path, { type, attributes })).body.data.id as string;
  return {
    send,
    async organization(): Promise<string> {
      const name = v1.unique("org");
      await made("/organizations", "organizations", { name, email: "o@example.com" });
      return name;
    },
    workspace: async (organization: string, name: string) =>
      made(`/organizations/${organization}/workspaces`, "workspaces", { name }),
    project: async (organization: string, name: string) =>
      made(`/organizations/${organization}/projects`, "projects", { name }),
    change: async (path: string, attributes: object) => send("PATCH", path, { type: path.split("/")[1], attributes }),
  };
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  let url: string;
  const open = useStreams(() => url, "/api/v2/organizations/");
  const { send, organization, workspace, project, change } = writerOf(v1);
  beforeAll(async () => {
    url = await v1.listen();
  });

  test("each write of a workspace is told, with the names of what it changed", async () => {
    const name = await organization();
    const stream = await open(`${name}/events`);
    const id = await workspace(name, "one");
    const path = `/workspaces/${id}`;
    const target = await project(name, "Target");
    await change(path, { description: "new" });
    await change(path, { description: "new" });
    await send("POST", `${path}/actions/lock`);
    await send("POST", `${path}/actions/unlock`);
    await send("POST", `/projects/${target}/relationships/workspaces`, [{ type: "workspaces", id }]);
    await change(path, { name: "two" });
    await send("DELETE", path);
    const expected: Told[] = [
      ["workspace.created", "one", { name: "one" }],
      ["project.created", "Target", { name: "Target" }],
      ["workspace.updated", "one", { changed: ["description"] }],
      ["workspace.updated", "one", { changed: ["locked", "locked-by"] }],
      ["workspace.updated", "one", { changed: ["locked", "locked-by"] }],
      ["workspace.updated", "one", { changed: ["project-id"] }],
      ["workspace.renamed", "two", { from: "one", to: "two" }],
      ["workspace.deleted", "two", { name: "two" }],
    ];
    await expect.poll(() => told(stream)).toEqual(expected);
    const ids = stream.events.map(({ data = {} }) => (data["attributes"] as Record<string, unknown>)["object-id"]);
    expect(ids).toEqual([id, target, id, id, id, id, id, id]);
    // A client that connects again receives the rest.
    const again = await open(`${name}/events`, { lastId: stream.events[5]?.id ?? "" });
    await expect.poll(() => told(again)).toEqual(expected.slice(6));
  });

  test("each write of a project is told, with its keys for themselves", async () => {
    const name = await organization();
    const stream = await open(`${name}/events`);
    const id = await project(name, "First one");
    await change(`/projects/${id}`, { description: "new" });
    await change(`/projects/${id}`, { name: "Second one" });
    await change(`/projects/${id}`, { name: "Second one" });
    await send("PATCH", `/projects/${id}/tag-bindings`, [
      { type: "tag-bindings", attributes: { key: "env", value: "prod" } },
    ]);
    await send("DELETE", `/projects/${id}`);
    await expect
      .poll(() => told(stream))
      .toEqual([
        ["project.created", "First one", { name: "First one" }],
        ["project.updated", "First one", { changed: ["description"] }],
        ["project.renamed", "Second one", { from: "First one", to: "Second one" }],
        ["project.tags-changed", "Second one", { bindings: { added: [{ key: "env", value: "prod" }] } }],
        ["project.tags-changed", "Second one", { bindings: { removed: [{ key: "env", value: "prod" }] } }],
        ["project.deleted", "Second one", { name: "Second one" }],
      ]);
  });

  test("a workspace is told of to nobody who may not read it, and the two names of a renamed one each to who may", async () => {
    const name = await organization();
    await workspace(name, "mine");
    const streamOf = async (rules: string) => open(`${name}/events`, { token: await v1.tokenWith(rules) });
    const [some, most] = [
      await streamOf(
        `organization "${name}" { policy = "read" } workspace_prefix "${name}/" { policy = "deny" } ` +
          `workspace_prefix "${name}/mine" { policy = "read" }`,
      ),
      await streamOf(`organization "${name}" { policy = "read" } workspace_prefix "${name}/other" { policy = "deny" }`),
    ];
    const id = await workspace(name, "other-1");
    await project(name, "A project");
    for (const step of ["other-2", "mine-1", "mine-2", "other-3"]) await change(`/workspaces/${id}`, { name: step });
    await change(`/workspaces/${id}`, { description: "told to nobody" });
    await send("POST", `/workspaces/${id}/actions/lock`);
    await send("DELETE", `/workspaces/${id}`);
    await workspace(name, "mine-last");
    const shared: Told[] = [
      ["workspace.created", "mine-1", { name: "mine-1" }],
      ["workspace.renamed", "mine-2", { from: "mine-1", to: "mine-2" }],
      ["workspace.deleted", "mine-2", { name: "mine-2" }],
      ["workspace.created", "mine-last", { name: "mine-last" }],
    ];
    for (const stream of [some, most]) {
      await expect
        .poll(() => told(stream))
        .toEqual([["project.created", "A project", { name: "A project" }], ...shared]);
    }
    for (const stream of [some, most]) expect(JSON.stringify(stream.events)).not.toContain("other");
  });
});
