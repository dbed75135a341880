/** Functions that the commands for `/api/v2` share: objects by name or ID, bodies, columns. */
import type { Call } from "../spec.ts";
import { membersOf } from "../body.ts";
import type { OutputView } from "../output/types.ts";
import type { OutputColumn, Item } from "../output/types.ts";
import type { Flag } from "../spec.ts";
import { at, visible } from "../output/values.ts";
import { foundAs, isMissing, listOf, missing, objectOf } from "./answers.ts";
import { FOUND, onlyId } from "./ids.ts";

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

/** Kinds whose objects a command names by name or ID. The IDs have the prefix and 16 more characters. */
const KINDS = {
  workspace: { prefix: "ws", list: "listWorkspaces" },
  project: { prefix: "prj", list: "listProjects" },
  tag: { prefix: "tag", list: "listTags" },
} as const;
type Kind = keyof typeof KINDS;

/** Whether a word has the form of a whole ID, or of its first characters. */
function idForm(kind: Kind, text: string): "whole" | "part" | undefined {
  const [, given] = new RegExp(`^${KINDS[kind].prefix}-([0-9A-Za-z]{4,16})$`).exec(text) ?? [];
  if (given === undefined) return undefined;
  return given.length === 16 ? "whole" : "part";
}

/**
 * The ID that begins as a word does, of those that the caller may read in the organization; undefined for none.
 *
 * @throws CliError with the candidates when several begin so
 */
async function idByPart(call: Call, kind: Kind, text: string): Promise<string | undefined> {
  if (idForm(kind, text) !== "part") return undefined;
  const { list } = KINDS[kind];
  const query = { "filter[id-prefix]": text, sort: "name", "page[size]": FOUND };
  const answer = await call.read(list, { path: { organization_name: call.organization() }, query });
  const found = listOf(answer).map((item) => ({ id: String(item["id"]), line: namedLine(item) }));
  return onlyId(kind, text, found);
}

/** Path parameters of a workspace: its ID, or its organization and name. */
export type WorkspaceAddress = { workspace_id: string } | { organization_name: string; workspace_name: string };

/**
 * Reads a word as a workspace: an ID, `organization/name`, a name in the current organization, or the first characters
 * of an ID there.
 *
 * @throws CliError when several IDs begin so
 */
export async function workspacePath(call: Call, text: string): Promise<WorkspaceAddress> {
  const form = idForm("workspace", text);
  if (form === "whole") return { workspace_id: text };
  const [organization, name, ...rest] = text.split("/");
  if (name !== undefined && organization !== undefined && rest.length === 0)
    return { organization_name: organization, workspace_name: name };
  const path = { organization_name: call.organization(), workspace_name: text };
  if (form === undefined || (await isThere(call.read("readWorkspaceByName", { path })))) return path;
  const id = await idByPart(call, "workspace", text);
  return id === undefined ? path : { workspace_id: id };
}

async function isThere(reading: Promise<unknown>): Promise<boolean> {
  try {
    await reading;
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** A workspace. */
export async function readWorkspace(call: Call, text: string, query: Record<string, string> = {}): Promise<Item> {
  return readWorkspaceAt(call, await workspacePath(call, text), text, query);
}

/** A workspace. @param text the word that names it */
export async function readWorkspaceAt(
  call: Call,
  path: WorkspaceAddress,
  text: string,
  query: Record<string, string> = {},
): Promise<Item> {
  const operation = "workspace_id" in path ? "readWorkspace" : "readWorkspaceByName";
  return objectOf(await foundAs("workspace", text, call.read(operation, { path, query })));
}

/** A workspace's ID. */
export async function workspaceId(call: Call, text: string): Promise<string> {
  return idForm("workspace", text) === "whole" ? text : String((await readWorkspace(call, text))["id"]);
}

/** A project's ID, by its ID, the beginning of its ID, or its name. @throws CliError when there is none, or several */
export async function projectId(call: Call, text: string): Promise<string> {
  return idOf(call, "project", text, { "filter[names]": text });
}

/** A tag's ID, by its ID, the beginning of its ID, or its name. @throws CliError when there is none, or several */
export async function tagId(call: Call, text: string): Promise<string> {
  return idOf(call, "tag", text, { q: text });
}

/** @param query of a list that has the object of this name */
async function idOf(call: Call, kind: "project" | "tag", text: string, query: Record<string, string>): Promise<string> {
  const id = await findId(call, kind, text, query);
  if (id === undefined) throw missing(kind, text, call.organization());
  return id;
}

async function findId(
  call: Call,
  kind: "project" | "tag",
  text: string,
  query: Record<string, string>,
): Promise<string | undefined> {
  if (idForm(kind, text) === "whole") return text;
  const path = { organization_name: call.organization() };
  for await (const item of call.client.pages<Item>(KINDS[kind].list, { path, query }).items()) {
    if (at(item, "attributes.name") === text) return String(item["id"]);
  }
  return idByPart(call, kind, text);
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

/**
 * Shows the object that the first characters of an ID have found, before a command deletes it. A confirmation shows it
 * anyway.
 */
export async function warnOfPart(call: Call, kind: Kind, text: string, line: string): Promise<void> {
  if (idForm(kind, text) === "part" && call.flags.yes === true) await call.out.warn(`  ${visible(line)}`);
}

/** An object that goes, in one line: its name and its ID. */
export function namedLine(item: Item): string {
  return `${String(at(item, "attributes.name"))} (${String(item["id"])})`;
}

/** Tags as a body names them: by ID, by the beginning of an ID, or by a name that may be new. */
export async function tagLinks(call: Call, texts: readonly string[]): Promise<Members[]> {
  const links: Members[] = [];
  for (const text of texts) {
    const id = await foundTagId(call, text);
    links.push(id === undefined ? { type: "tags", attributes: { name: text } } : { type: "tags", id });
  }
  return links;
}

/** The ID of a tag that a word names by its ID or the beginning of it; undefined where the word is a name. */
export async function foundTagId(call: Call, text: string): Promise<string | undefined> {
  const form = idForm("tag", text);
  if (form === undefined) return undefined;
  return form === "whole" ? text : findId(call, "tag", text, { q: text });
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
