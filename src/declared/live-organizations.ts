/**
 * Reads a server's objects under `/api/v2`: organizations, their projects, tags, rules for tags, and workspaces with
 * their tags.
 */
import { fold } from "../fold.ts";
import { TesseraError } from "@tessera-server/client";
import { keyOf, pathOf, type DeclaredKind } from "./kinds.ts";
import type { Live, WantedObjects } from "./object.ts";
import { inParallel, itemsOf, readIfThere, textIn, type Server } from "./server.ts";
import type { FileValue } from "./documents.ts";
import { isRecord, withoutEmpty, type FileContent } from "./shape.ts";

type Json = Readonly<Record<string, unknown>>;

/** A resource of JSON:API. */
export interface ApiResource {
  id: string;
  attributes: Readonly<Record<string, unknown>>;
  relationships?: Readonly<Record<string, { data?: { id: string } | null }>>;
}

/** A resource as an answer has it; one that is none has no attributes. */
function resourceOf(item: unknown): ApiResource {
  const wire: Json = isRecord(item) ? item : {};
  const { attributes } = wire;
  return { ...(wire as unknown as ApiResource), attributes: isRecord(attributes) ? attributes : {} };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Reads what is asked for; an organization that is not there, or may not be seen, has nothing. */
export async function readOrganizations(server: Server, wanted: readonly WantedObjects[]): Promise<Live[]> {
  const names = new Set<string>();
  for (const { kind, where } of wanted) if (kind.home === "organization") names.add(fold(where.organization));
  const found: Live[] = [];
  const organizations = wanted.filter(({ kind }) => kind.name === "organization");
  if (organizations.length > 0) {
    for await (const item of itemsOf(server, "listOrganizations", { query: { "page[number]": 1 } })) {
      const live = organizationOf(organizations[0] as WantedObjects, resourceOf(item));
      if (organizations.some(({ has }) => has(live.key))) found.push(live);
    }
  }
  for (const name of names) {
    const asked = wanted.filter(({ where }) => fold(where.organization) === name);
    if ((await readIfThere(server, "readOrganization", { path: { organization_name: name } })) === undefined) continue;
    found.push(...(await readOrganization(server, name, asked)));
  }
  return found;
}

function organizationOf({ kind, where }: WantedObjects, { id, attributes }: ApiResource): Live {
  const name = asText(attributes["name"]) || textIn({ id }, "id");
  const content = pick(attributes, Object.keys(kind.members));
  return madeOf(kind, where, name, { id, content });
}

/** Reads the wanted objects of one organization. */
async function readOrganization(
  server: Server,
  organization: string,
  wanted: readonly WantedObjects[],
): Promise<Live[]> {
  const path = { organization_name: organization };
  const find = (name: DeclaredKind["name"]) => wanted.filter(({ kind }) => kind.name === name);
  const needs = (...names: DeclaredKind["name"][]) => names.some((name) => find(name).length > 0);
  const projects = new Map<string, ApiResource>();
  if (needs("project", "workspace", "tag-rules")) {
    for await (const item of itemsOf(server, "listProjects", { path }))
      projects.set(textIn(item, "id"), resourceOf(item));
  }
  const nameOf = (id: string | undefined) => asText(projects.get(id ?? "")?.attributes["name"]);
  const bindings = needs("project", "workspace")
    ? await readBindings(server, path)
    : new Map<string, Record<string, string>>();
  const found: Live[] = [];
  const add = (all: readonly WantedObjects[], name: string, made: { id: string; content: FileContent }) => {
    for (const { kind, where, has } of all.slice(0, 1)) {
      const live = madeOf(kind, where, name, made);
      if (all.some((each) => each.has(live.key)) || has(live.key)) found.push(live);
    }
  };
  for (const { id, attributes } of projects.values()) {
    const content = { description: asText(attributes["description"]), "tag-bindings": bindings.get(id) ?? {} };
    add(find("project"), textIn(attributes, "name"), { id, content });
  }
  if (needs("workspace")) {
    for await (const item of itemsOf(server, "listWorkspaces", { path })) {
      const { attributes, relationships } = resourceOf(item);
      const id = textIn(item, "id");
      const content = {
        project: nameOf(relationships?.["project"]?.data?.id),
        description: asText(attributes["description"]),
        tags: listOf(attributes["tag-names"]).filter((each) => typeof each === "string"),
        "tag-bindings": bindings.get(id) ?? {},
      };
      add(find("workspace"), textIn(attributes, "name"), { id, content });
    }
  }
  if (needs("tag")) {
    for await (const item of itemsOf(server, "listTags", { path })) {
      add(find("tag"), textIn(resourceOf(item).attributes, "name"), {
        id: textIn(item, "id"),
        content: {},
      });
    }
  }
  if (needs("tag-rules")) {
    const policy = await readIfThere(server, "readTagPolicy", { path });
    if (policy !== undefined) add(find("tag-rules"), "", tagRulesOf(resourceOf(policy["data"]), nameOf));
  }
  return found;
}

/** Keys and values by the ID of what has them. */
type Bindings = Map<string, Record<string, string>>;

async function readBindings(server: Server, path: { organization_name: string }): Promise<Bindings> {
  const found: Bindings = new Map();
  try {
    for await (const item of itemsOf(server, "listTagBindings", { path })) {
      const { attributes, relationships } = resourceOf(item);
      addBinding(found, relationships?.["target"]?.data?.id ?? idIn(attributes["target"]), attributes);
    }
    return found;
  } catch (error) {
    // Others serve no list of all of them, but that of each.
    if (!(error instanceof TesseraError) || error.status !== 404) throw error;
    return readBindingsOfEach(server, path);
  }
}

async function readBindingsOfEach(server: Server, path: { organization_name: string }): Promise<Bindings> {
  const found: Bindings = new Map();
  for (const [list, read, parameter] of [
    ["listProjects", "listProjectTagBindings", "project_id"],
    ["listWorkspaces", "listWorkspaceTagBindings", "workspace_id"],
  ] as const) {
    const ids: string[] = [];
    for await (const item of itemsOf(server, list, { path })) ids.push(textIn(item, "id"));
    await inParallel(server, ids, async (id) => {
      for await (const item of itemsOf(server, read, { path: { [parameter]: id } })) {
        addBinding(found, id, resourceOf(item).attributes);
      }
    });
  }
  return found;
}

function addBinding(found: Bindings, id: string, attributes: Json): void {
  const own = found.get(id) ?? {};
  own[asText(attributes["key"])] = asText(attributes["value"]);
  found.set(id, own);
}

function idIn(target: unknown): string {
  return typeof target === "object" && target !== null && "id" in target ? String(target.id) : "";
}

/** Rules name their project, which has another ID elsewhere. */
export function tagRulesOf({ id, attributes }: Pick<ApiResource, "id" | "attributes">, nameOf: (id: string) => string) {
  const rules = listOf(attributes["rules"])
    .filter(isRecord)
    .map((rule): FileContent => {
      const { project, ...others } = rule;
      const named = typeof project === "string" ? { project: nameOf(project) || project } : {};
      return withoutEmpty({ ...(others as FileContent), ...named });
    });
  return { id, content: { enforce: asText(attributes["enforce"]), rules } };
}

function madeOf(
  kind: DeclaredKind,
  where: Live["where"],
  name: string,
  { id, content }: { id: string; content: FileContent },
): Live {
  return {
    kind,
    key: keyOf(kind.name, where, name),
    where,
    name,
    path: pathOf(kind, where, name),
    content,
    labels: {},
    place: undefined,
    id,
    index: undefined,
    isGoing: false,
  };
}

function pick(attributes: Json, names: readonly string[]): FileContent {
  return Object.fromEntries(names.map((name) => [name, (attributes[name] ?? "") as FileValue]));
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
