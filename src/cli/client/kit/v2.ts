/** Functions that the commands for `/api/v2` share: objects by name or ID, bodies, columns. */
import type { Call } from "../spec.ts";
import { membersOf } from "../body.ts";
import type { OutputView } from "../output/types.ts";
import type { OutputColumn, Item } from "../output/types.ts";
import type { Flag } from "../spec.ts";
import { at } from "../output/values.ts";
import { foundAs, missing, objectOf } from "./answers.ts";

type Members = Record<string, unknown>;

/** A column of an attribute. */
export function attribute(title: string, name: string, wide = false): OutputColumn {
  return { title, value: `attributes.${name}`, ...(wide ? { wide: true } : {}) };
}

/** Objects that have an ID and columns. */
export function shownBy(columns: readonly OutputColumn[], name = "id"): OutputView {
  return { columns, name: (item) => at(item, name) };
}

/** The body of a write: the attributes that flags, `--set` and `--file` give, or a whole document of `--file`. */
export async function documentOf(call: Call, type: string, more: Members = {}): Promise<Members> {
  const members = await membersOf(call);
  if (typeof members["data"] === "object") return members;
  const { relationships, ...attributes } = members;
  const related = { ...(relationships as Members | undefined), ...(more["relationships"] as Members | undefined) };
  return {
    data: {
      type,
      attributes: { ...attributes, ...(more["attributes"] as Members | undefined) },
      ...(Object.keys(related).length === 0 ? {} : { relationships: related }),
    },
  };
}

/** Path parameters of a workspace: its ID, or its organization and name. */
export type WorkspaceAddress = { workspace_id: string } | { organization_name: string; workspace_name: string };

/** Reads a word as a workspace: an ID, `organization/name`, or a name in the current organization. */
export function workspacePath(call: Call, text: string): WorkspaceAddress {
  if (/^ws-[A-Za-z0-9]+$/.test(text)) return { workspace_id: text };
  const [organization, name, ...rest] = text.split("/");
  if (name !== undefined && organization !== undefined && rest.length === 0)
    return { organization_name: organization, workspace_name: name };
  return { organization_name: call.organization(), workspace_name: text };
}

/** A workspace. */
export async function readWorkspace(call: Call, text: string, query: Record<string, string> = {}): Promise<Item> {
  const path = workspacePath(call, text);
  const operation = "workspace_id" in path ? "readWorkspace" : "readWorkspaceByName";
  return objectOf(await foundAs("workspace", text, call.read(operation, { path, query })));
}

/** A workspace's ID. */
export async function workspaceId(call: Call, text: string): Promise<string> {
  const path = workspacePath(call, text);
  return "workspace_id" in path ? path.workspace_id : String((await readWorkspace(call, text))["id"]);
}

/** A project's ID, by its ID or its name. @throws CliError when there is none of this name */
export async function projectId(call: Call, text: string): Promise<string> {
  if (/^prj-[A-Za-z0-9]+$/.test(text)) return text;
  const organization = call.organization();
  const query = { "filter[names]": text };
  for await (const project of call.client
    .pages<Item>("listProjects", { path: { organization_name: organization }, query })
    .items()) {
    if (at(project, "attributes.name") === text) return String(project["id"]);
  }
  throw missing("project", text, organization);
}

/** A tag's ID, by its ID or its name. @throws CliError when there is none of this name */
export async function tagId(call: Call, text: string): Promise<string> {
  if (/^tag-[A-Za-z0-9]+$/.test(text)) return text;
  const organization = call.organization();
  for await (const tag of call.client
    .pages<Item>("listTags", { path: { organization_name: organization }, query: { q: text } })
    .items()) {
    if (at(tag, "attributes.name") === text) return String(tag["id"]);
  }
  throw missing("tag", text, organization);
}

/** A project by its ID or its name. */
export async function readProject(call: Call, text: string): Promise<Item> {
  const path = { project_id: await projectId(call, text) };
  return objectOf(await foundAs("project", text, call.read("readProject", { path })));
}

/** A tag by its ID or its name. */
export async function readTag(call: Call, text: string): Promise<Item> {
  const path = { tag_id: await tagId(call, text) };
  return objectOf(await foundAs("tag", text, call.read("readTag", { path })));
}

/** An organization. */
export async function readOrganization(call: Call, name: string): Promise<Item> {
  const path = { organization_name: name };
  return objectOf(await foundAs("organization", name, call.read("readOrganization", { path })));
}

/** An object that goes, in one line: its name and its ID. */
export function namedLine(item: Item): string {
  return `${String(at(item, "attributes.name"))} (${String(item["id"])})`;
}

/** Tags as a body names them, by ID or by name. */
export function tagLinks(texts: readonly string[]): Members[] {
  return texts.map((text) =>
    /^tag-[A-Za-z0-9]{16}$/.test(text) ? { type: "tags", id: text } : { type: "tags", attributes: { name: text } },
  );
}

/** Links by ID. */
export function linksTo(type: string, ids: readonly string[]): Members[] {
  return ids.map((id) => ({ type, id }));
}

/** Keys and values as a body names them; a key without a value has none. */
export function bindingLinks(texts: readonly string[]): Members[] {
  return texts.map((text) => {
    const index = text.indexOf("=");
    const [key, value] = index === -1 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
    return { type: "tag-bindings", attributes: { key, ...(value === undefined ? {} : { value }) } };
  });
}

/** How many. */
export const LIMIT: Flag = { name: "limit", value: "N", help: "Maximum number of results." };

/** The query of a filter by key and value. */
export const TAGGED_FLAGS: readonly Flag[] = [
  { name: "key", value: "KEY", query: "filter[tagged][0][key]", help: "Filter by tag key." },
  { name: "value", value: "VALUE", query: "filter[tagged][0][value]", help: "Filter by the value of the tag key." },
];

/** Columns of keys and values. */
export const BINDING_COLUMNS: readonly OutputColumn[] = [attribute("Key", "key"), attribute("Value", "value")];
