/** Rights that a plan takes from tokens, roles and binding rules in one place, as the server computes them. */
import { TesseraError } from "@tessera-server/client";
import type { PlannedChange } from "./change.ts";
import type { KindName, Where } from "./kinds.ts";
import { rightText } from "./rights.ts";
import { scopeQuery, type Server } from "./server.ts";
import { toWire } from "./shape.ts";

type Item = Readonly<Record<string, unknown>>;

interface Page {
  Complete: boolean;
  Roles: { Lose: number };
  BindingRules: { Lose: number };
  Tokens: { Lose: number };
  Entries: readonly Item[];
}

export interface RightsLoss {
  /** Holder, such as `token 6f1c… (CI of the first team)`. */
  readonly who: string;
  /** Loss, such as `loses policy default/default/web, by role default/default/deployers`. */
  readonly what: string;
  /** Whether it is the token with which the plan is made. */
  readonly isOwn: boolean;
}

/** Losses in one place. */
export interface HomeLosses {
  /** The first ones, and the own token wherever it is found. */
  readonly losses: readonly RightsLoss[];
  readonly count: number;
  /** Whether there are namespaces whose tokens the caller may not read, its own perhaps among them. */
  readonly isFiltered: boolean;
}

/** Objects that the server compares at once. */
export const MOST_DRAFTS = 1000;
/** Pages that are looked through for those to be named. */
const MOST_PAGES = 5;
const PAGE = 1000;
/** Rights that are named of each. */
const RIGHTS = 4;

const DRAFTS: Partial<Record<KindName, { changed: string; deleted?: string; empty: Item }>> = {
  policy: { changed: "Policies", deleted: "DeletedPolicies", empty: { Rules: "", Datacenters: [] } },
  role: { changed: "Roles", deleted: "DeletedRoles", empty: grants() },
  token: { changed: "Tokens", empty: { ...grants(), Roles: [] } },
  namespace: { changed: "Namespaces", empty: {} },
};

function grants(): Item {
  return { Policies: [], ServiceIdentities: [], NodeIdentities: [], TemplatedPolicies: [] };
}

/**
 * Returns the place where the server compares the effect of a change on rights: defaults of a namespace apply in
 * `default`. Undefined when the change has no such effect.
 */
export function placeOf({ object, live, action, fields }: PlannedChange): Where | undefined {
  const { kind, where } = object;
  if (kind.name === "policy" || kind.name === "role") return where;
  // A new token or namespace takes no rights from anybody.
  if (live === undefined || action === "delete") return undefined;
  if (kind.name === "token") return where;
  const isGiving = kind.name === "namespace" && fields.some(({ name }) => DEFAULTS.includes(name));
  return isGiving ? { ...where, namespace: "default" } : undefined;
}

/** Members by which a namespace gives something to all its tokens. */
const DEFAULTS: readonly string[] = ["policy-defaults", "role-defaults"];

/** Whether both are one place. */
export function isSamePlace(one: Where | undefined, other: Where): boolean {
  return one?.partition === other.partition && one.namespace === other.namespace;
}

/**
 * Asks the server for those who lose rights by the changes in one place.
 *
 * @param changes all of them, wherever they are
 * @returns undefined where it does not say all: it is older, the caller may not ask, or there is more than it compares at once
 * @throws what the client throws, but for refusals
 */
export async function lossesAt(
  server: Server,
  where: Where,
  changes: readonly PlannedChange[],
  own: string | undefined,
  most: number,
): Promise<HomeLosses | undefined> {
  const body = draftsOf(changes.filter((change) => isSamePlace(placeOf(change), where)));
  if (Object.values(body).reduce((sum, list) => sum + list.length, 0) > MOST_DRAFTS) return undefined;
  try {
    return await readLosses(server, scopeQuery(server, where), body, { own, most });
  } catch (error) {
    if (error instanceof TesseraError && error.status >= 400 && error.status < 500) return undefined;
    throw error;
  }
}

async function readLosses(
  server: Server,
  scope: Readonly<Record<string, string>>,
  body: object,
  { own, most }: { own: string | undefined; most: number },
): Promise<HomeLosses | undefined> {
  const losses: RightsLoss[] = [];
  let count = 0;
  let seen = 0;
  let after = "";
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = { ...scope, "page-size": PAGE, ...(after === "" ? {} : { after }) };
    const answer = await server.api.request<Page>("previewEffect", { query, body, signal: server.signal });
    const { Complete, Roles, BindingRules, Tokens, Entries } = answer.body;
    if (!Complete) return undefined;
    count = Roles.Lose + BindingRules.Lose + Tokens.Lose;
    for (const entry of Entries) {
      if (Number(entry["LossCount"]) === 0) continue;
      seen++;
      const isOwn = entry["Kind"] === "token" && entry["ID"] === own;
      if (losses.length < most || isOwn) losses.push({ who: nameOf(entry), what: whatOf(entry), isOwn });
    }
    after = answer.headers.get("x-service-next") ?? "";
    const isOwnFound = own === undefined || losses.some(({ isOwn }) => isOwn);
    if (after === "" || seen >= count || (isOwnFound && losses.length >= most)) {
      const isFiltered = answer.headers.get("x-service-results-filtered-by-acls") === "true";
      return { losses, count, isFiltered };
    }
  }
  // The own token may be behind all that was looked at.
  return undefined;
}

/** Objects as they are to be, in the body of the question. */
export function draftsOf(changes: readonly PlannedChange[]): Record<string, Item[]> {
  const body: Record<string, Item[]> = {};
  for (const { action, object, content } of changes) {
    const { kind, name } = object;
    const draft = DRAFTS[kind.name];
    if (draft === undefined) continue;
    if (action === "delete") (body[draft.deleted ?? ""] ??= []).push({ Name: name });
    else if (kind.name === "namespace") {
      const { PolicyDefaults = [], RoleDefaults = [] } = toWire(kind.members, content);
      (body[draft.changed] ??= []).push({ Name: name, ACLs: { PolicyDefaults, RoleDefaults } });
    } else {
      const { Description: _description, SecretID: _secret, ...wire } = toWire(kind.members, content);
      const named = kind.name === "token" ? { AccessorID: name } : { Name: name };
      (body[draft.changed] ??= []).push({ ...draft.empty, ...wire, ...named });
    }
  }
  return body;
}

function nameOf({ Kind, ID, Name, AuthMethod, Description }: Item): string {
  if (typeof Description === "string" && Description !== "")
    return `${String(Kind)} ${String(AuthMethod)}/${Description.slice(0, 80)} (${String(Name)})`;
  const said = typeof Name === "string" && Name !== "" ? ` (${Name.slice(0, 80)})` : "";
  return `${String(Kind)} ${String(ID)}${said}`;
}

function whatOf(entry: Item): string {
  const rights = (entry["Losses"] as readonly Item[]).slice(0, RIGHTS).map(rightText);
  const more = Number(entry["LossCount"]) - rights.length;
  return `loses ${rights.join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
}
