/** Makes one change under `/api/v2`: what is written is read before, must be as it was planned for, and is written by `If-Match`. */
import type { OperationId } from "@tessera-server/client";
import type { PlannedChange } from "./change.ts";
import { keyOf } from "./kinds.ts";
import { tagRulesOf, type ApiResource } from "./live-organizations.ts";
import { itemsOf, type Server } from "./server.ts";
import { isSame, type FileContent } from "./shape.ts";

/** The object differs from the state for which the plan was made. */
class NotAsPlanned extends Error {
  override readonly name = "NotAsPlanned";
}

/** A document, and what names its state. */
interface Read {
  data: ApiResource;
  included: readonly ApiResource[];
  etag: string;
}

type Path = Readonly<Record<string, string>>;

/** @throws NotAsPlanned; Error in words; what the client throws */
export async function writeOrganizations(server: Server, change: PlannedChange): Promise<void> {
  const { name } = change.object.kind;
  if (name === "organization") await writeOrganization(server, change);
  else if (name === "project") await writeProject(server, change);
  else if (name === "tag") await writeTag(server, change);
  else if (name === "tag-rules") await writeTagRules(server, change);
  else await writeWorkspace(server, change);
}

async function writeOrganization(server: Server, change: PlannedChange): Promise<void> {
  const { object, live, content, action } = change;
  const attributes = { ...content, name: object.name };
  if (live === undefined) {
    await send(server, "createOrganization", {}, body("organizations", { attributes }));
    return;
  }
  const path = { organization_name: live.name };
  const { data, etag } = await read(server, "readOrganization", path);
  if (action === "delete") {
    await refuseFull(server, live.name);
    await send(server, "deleteOrganization", path, undefined, { "if-match": etag });
    return;
  }
  checkSame(change, data.attributes as FileContent);
  await send(server, "updateOrganization", path, body("organizations", { attributes: content }), { "if-match": etag });
}

/**
 * Refuses to delete an organization that has workspaces: they would be deleted with it. A user who knows of them must
 * delete them first.
 */
async function refuseFull(server: Server, name: string): Promise<void> {
  for await (const _ of itemsOf(server, "listWorkspaces", {
    path: { organization_name: name },
    query: { "page[size]": 1 },
  })) {
    throw new Error(`organization ${name} has workspaces, which would be deleted too: delete them first`);
  }
}

async function writeProject(server: Server, change: PlannedChange): Promise<void> {
  const { object, live, content, action } = change;
  const { description } = content;
  const bindings = content["tag-bindings"];
  const attributes = { name: object.name, ...(description === undefined ? {} : { description }) };
  const relationships =
    bindings === undefined ? {} : { relationships: { "tag-bindings": { data: bindingsOf(bindings as FileContent) } } };
  if (live === undefined) {
    await send(server, "createProject", organizationPath(change), body("projects", { attributes, ...relationships }));
    return;
  }
  const path = { project_id: live.id };
  const { data, etag } = await read(server, "readProject", path);
  if (action === "delete") {
    await send(server, "deleteProject", path, undefined, { "if-match": etag });
    return;
  }
  const changes = (name: string) => change.fields.some((field) => field.name === name);
  if (changes("description")) {
    checkSame(change, { ...change.live?.content, description: textOf(data.attributes["description"]) });
    await send(server, "updateProject", path, body("projects", { attributes }), { "if-match": etag });
  }
  if (!changes("tag-bindings")) return;
  const bound = await server.api.request<{ data: ApiResource[] }>("readProjectTagBindings", {
    path,
    signal: server.signal,
  });
  const pairs = bound.body.data.map((each): [string, string] => [
    String(each.attributes["key"]),
    textOf(each.attributes["value"]),
  ]);
  checkSame(change, { ...change.live?.content, "tag-bindings": Object.fromEntries(pairs) });
  const headers = { "if-match": bound.headers.get("etag") ?? "" };
  await send(server, "replaceProjectTagBindings", path, { data: bindingsOf(bindings as FileContent) }, headers);
}

async function writeTag(server: Server, { object, live, action }: PlannedChange): Promise<void> {
  const path = { organization_name: object.where.organization };
  const data =
    action === "delete" ? { type: "tags", id: live?.id } : { type: "tags", attributes: { name: object.name } };
  await send(server, action === "delete" ? "deleteTags" : "createTags", path, { data: [data] });
}

async function writeTagRules(server: Server, change: PlannedChange): Promise<void> {
  const { live, content, action, object } = change;
  const path = organizationPath(change);
  const condition: Record<string, string> = { "if-none-match": "*" };
  if (live !== undefined) {
    const { data, etag } = await read(server, "readTagPolicy", path);
    checkSame(change, tagRulesOf(data, await projectNames(server, path)).content);
    delete condition["if-none-match"];
    condition["if-match"] = etag;
  }
  if (action === "delete") {
    await send(server, "deleteTagPolicy", path, undefined, condition);
    return;
  }
  const rules: object[] = [];
  for (const rule of (content["rules"] ?? []) as FileContent[]) {
    const { project } = rule;
    rules.push(
      project === undefined
        ? rule
        : { ...rule, project: await projectId(server, object.where.organization, textOf(project)) },
    );
  }
  await send(
    server,
    "putTagPolicy",
    path,
    body("tag-policies", { attributes: { enforce: content["enforce"], rules } }),
    condition,
  );
}

async function writeWorkspace(server: Server, change: PlannedChange): Promise<void> {
  const { object, live, content } = change;
  const { organization } = object.where;
  const { description, project, tags } = content;
  const bindings = content["tag-bindings"];
  const resource = {
    attributes: { name: object.name, ...(description === undefined ? {} : { description }) },
    relationships: {
      ...(project === undefined
        ? {}
        : { project: { data: { type: "projects", id: await projectId(server, organization, textOf(project)) } } }),
      ...(tags === undefined
        ? {}
        : { tags: { data: (tags as string[]).map((name) => ({ type: "tags", attributes: { name } })) } }),
      ...(bindings === undefined ? {} : { "tag-bindings": { data: bindingsOf(bindings as FileContent) } }),
    },
  };
  if (live === undefined) {
    await send(server, "createWorkspace", organizationPath(change), body("workspaces", resource));
    return;
  }
  const path = { workspace_id: live.id };
  const query = { include: "effective_tag_bindings,project" };
  const found = await read(server, "readWorkspace", path, query);
  checkSame(change, workspaceContent(found));
  await send(server, "updateWorkspace", path, body("workspaces", resource), { "if-match": found.etag }, query);
}

function workspaceContent({ data, included }: Read): FileContent {
  const own = included.filter(({ relationships }) => relationships?.["inherited-from"] === undefined);
  const bindings = own.flatMap(({ attributes }) =>
    typeof attributes["key"] === "string" ? [[attributes["key"], textOf(attributes["value"])]] : [],
  );
  const ofProject = data.relationships?.["project"]?.data?.id;
  return {
    project: textOf(included.find(({ id }) => id === ofProject)?.attributes["name"]),
    description: textOf(data.attributes["description"]),
    tags: (data.attributes["tag-names"] ?? []) as string[],
    "tag-bindings": Object.fromEntries(bindings) as Record<string, string>,
  };
}

/** Checks that the members of the change still have the values of the plan. @throws NotAsPlanned */
function checkSame({ fields, object }: PlannedChange, found: FileContent): void {
  for (const { name, before } of fields) {
    const shape = object.kind.members[name]?.shape ?? "free";
    if (!isSame(shape, before, found[name])) throw new NotAsPlanned(`${name} has changed`);
  }
}

async function read(
  server: Server,
  operation: OperationId,
  path: Path,
  query: Record<string, string> = {},
): Promise<Read> {
  const { body: document, headers } = await server.api.request<{ data: ApiResource; included?: ApiResource[] }>(
    operation,
    {
      path,
      query,
      signal: server.signal,
    },
  );
  return { data: document.data, included: document.included ?? [], etag: headers.get("etag") ?? "" };
}

async function send(
  server: Server,
  operation: OperationId,
  path: Path,
  document: object | undefined,
  headers: Record<string, string> = {},
  query: Record<string, string> = {},
): Promise<void> {
  await server.api.request(operation, { path, query, headers, body: document, signal: server.signal });
}

/** The ID of a project by its name, in any case. @throws Error in words when there is none */
async function projectId(server: Server, organization: string, name: string): Promise<string> {
  const wanted = keyOf("project", { partition: "", namespace: "", organization }, name);
  const path = { organization_name: organization };
  for await (const item of itemsOf(server, "listProjects", { path, query: { "filter[names]": name } })) {
    const { id, attributes } = item as unknown as ApiResource;
    const key = keyOf("project", { partition: "", namespace: "", organization }, textOf(attributes["name"]));
    if (key === wanted) return id;
  }
  throw new Error(`organization ${organization} does not have project ${name}`);
}

async function projectNames(server: Server, path: Path): Promise<(id: string) => string> {
  const names = new Map<string, string>();
  for await (const item of itemsOf(server, "listProjects", { path })) {
    const { id, attributes } = item as unknown as ApiResource;
    names.set(id, textOf(attributes["name"]));
  }
  return (id) => names.get(id) ?? "";
}

function organizationPath({ object }: PlannedChange): Path {
  return { organization_name: object.where.organization };
}

function bindingsOf(bindings: FileContent): object[] {
  return Object.entries(bindings).map(([key, value]) => ({ type: "tag-bindings", attributes: { key, value } }));
}

function body(type: string, resource: object): object {
  return { data: { type, ...resource } };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
