/** Objects of many spellings, made alike on both engines. */
import { expect } from "vitest";
import type { Answer } from "../support/api.ts";
import { contentOf, METHOD } from "../support/scopes.ts";
import type { Asked, Pair } from "./pair.ts";

export const ORGANIZATION = "Lists";
/** Names whose order and case engines could take differently; those of /v1 and of workspaces know fewer letters. */
const NAMES = ["Zeta", "alpha", "Alpha-2", "alpha_10", "beta", "BETA-b", "a-b", "a_b", "abc", "A.B"] as const;
const SLUGS = NAMES.map((name) => name.replaceAll(".", "-dot-"));
const VALUES = [
  "",
  "prod",
  "Prod",
  "PROD",
  "straße",
  "STRASSE",
  "İstanbul",
  "ä",
  "a\u0308",
  "日本",
  "100%",
  "a_b",
  "😀",
] as const;

/** Values of tags know ASCII letters and few signs. */
const TAG_VALUES = ["", "prod", "Prod", "PROD", "a-b", "A_b", "a_b", "a.b", "A-b", "prod:1", "10", "9"] as const;

export interface World {
  /** IDs of SQLite's side by what they are of. */
  readonly ids: Readonly<Record<"workspace" | "project" | "tag" | "policy" | "role", string>>;
  urlOf(path: string, query: readonly (readonly [name: string, value: string])[]): string;
}

/** Makes the world through the API, which must answer alike on both sides. */
export async function makeWorld(pair: Pair): Promise<World> {
  const make = async (asked: Asked): Promise<Answer["body"]> => {
    const { answer, difference } = await pair.ask(asked);
    expect(difference).toBeUndefined();
    expect([200, 201, 204], `${asked.url} ${answer.text}`).toContain(answer.status);
    return answer.body;
  };
  const ids = { ...(await makeTags(make)), ...(await makeAccess(make)) };
  const inPath: Readonly<Record<string, string>> = {
    organization_name: ORGANIZATION,
    workspace_name: "Zeta",
    workspace_id: ids.workspace,
    project_id: ids.project,
    tag_id: ids.tag,
  };
  const urlOf: World["urlOf"] = (path, query) => {
    const isPolicy = path.includes("/policy/");
    const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => inPath[name] ?? (isPolicy ? "Zeta" : "default"));
    const text = query.map((pairOf) => pairOf.map(encodeURIComponent).join("=")).join("&");
    return text === "" ? place : `${place}?${text}`;
  };
  return { ids, urlOf };
}

type Make = (asked: Asked) => Promise<Answer["body"]>;

async function makeTags(make: Make): Promise<Pick<World["ids"], "workspace" | "project" | "tag">> {
  const root = "/api/v2/organizations";
  const post = async (url: string, type: string, attributes: object, relationships?: object) =>
    make({ method: "POST", url, body: { data: { type, attributes, ...(relationships && { relationships }) } } });
  await post(root, "organizations", { name: ORGANIZATION, email: "lists@example.com" });
  const within = `${root}/${ORGANIZATION}`;
  let [workspace, project, tag] = ["", "", ""];
  for (const [at, name] of SLUGS.entries()) {
    const value = TAG_VALUES[at] ?? "";
    const bindings = [
      { type: "tag-bindings", attributes: { key: "env", value } },
      { type: "tag-bindings", attributes: { key: name, value: TAG_VALUES[TAG_VALUES.length - 1 - at] } },
    ];
    const made = await post(`${within}/projects`, "projects", { name }, { "tag-bindings": { data: bindings } });
    project = String(made.data.id);
    const tags = [
      { type: "tags", attributes: { name } },
      { type: "tags", attributes: { name: "Common" } },
    ];
    const relationships = {
      tags: { data: at % 3 === 0 ? tags : tags.slice(1) },
      ...(at % 2 === 0 && { project: { data: { type: "projects", id: project } } }),
    };
    const own = await post(`${within}/workspaces`, "workspaces", { name, description: VALUES[at] }, relationships);
    if (workspace === "") workspace = String(own.data.id);
  }
  for (const key of ["env", "Zeta", "A-b"]) await post(`${within}/reserved-tag-keys`, "reserved-tag-keys", { key });
  const { data } = await make({ method: "GET", url: `${within}/tags` });
  tag = String(data[0].id);
  return { workspace, project, tag };
}

async function makeAccess(make: Make): Promise<Pick<World["ids"], "policy" | "role">> {
  const put = async (path: string, body: object) => make({ method: "PUT", url: `/v1${path}`, body });
  let [policy, role] = ["", ""];
  const config = contentOf("auth-method", { Name: METHOD });
  await put("/acl/auth-method", config);
  for (const [at, name] of SLUGS.entries()) {
    policy = (
      await put("/acl/policy", { Name: name, Description: VALUES[at], Rules: 'key_prefix "a" { policy = "read" }' })
    ).ID;
    role = (await put("/acl/role", { Name: name, Description: VALUES[at], Policies: [{ ID: policy }] })).ID;
    const links = at % 2 === 0 ? { Roles: [{ ID: role }] } : { Policies: [{ ID: policy }] };
    await put("/acl/token", { Description: name, ...links, ServiceIdentities: [{ ServiceName: name.toLowerCase() }] });
    await put("/acl/auth-method", contentOf("auth-method", { Name: name, Description: VALUES[at] }));
    await put("/acl/binding-rule", { AuthMethod: at % 2 === 0 ? METHOD : name, BindType: "service", BindName: "web" });
    await put(`/namespace/${name.toLowerCase().replaceAll("_", "-")}-${at}`, { Description: VALUES[at] });
    if (at < 3) await put(`/partition/${name.toLowerCase()}-${at}`, { Description: VALUES[at] });
  }
  return { policy, role };
}
