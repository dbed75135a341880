/** Who loses which rights by what a plan changes in one place, as the server works it out. */
import { TesseraError } from "@tessera-server/client";
import type { Change } from "./change.ts";
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

export interface Loss {
  /** Such as `token 6f1c… (CI of the first team)`. */
  readonly who: string;
  /** Such as `loses policy default/default/web, by role default/default/deployers`. */
  readonly what: string;
  /** Whether it is the token with which the plan is made. */
  readonly isOwn: boolean;
}

/** Who loses something in one place. */
export interface HomeLosses {
  /** The first ones, and the own token wherever it is found. */
  readonly losses: readonly Loss[];
  readonly count: number;
}

/** Objects that the server compares at once. */
const MOST_DRAFTS = 1000;
/** Pages that are looked through for those to be named. */
const MOST_PAGES = 5;
const PAGE = 1000;
/** Rights that are named of each. */
const RIGHTS = 4;

const DRAFTS: Partial<Record<KindName, { changed: string; deleted?: string; empty: Item }>> = {
  policy: { changed: "Policies", deleted: "DeletedPolicies", empty: { Rules: "", Datacenters: [] } },
  role: { changed: "Roles", deleted: "DeletedRoles", empty: grants() },
  token: { changed: "Tokens", empty: { ...grants(), Roles: [] } },
};

function grants(): Item {
  return { Policies: [], ServiceIdentities: [], NodeIdentities: [], TemplatedPolicies: [] };
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
  changes: readonly Change[],
  own: string | undefined,
  most: number,
): Promise<HomeLosses | undefined> {
  const body = bodyOf(changes.filter(({ object }) => isSamePlace(object.where, where)));
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
  const losses: Loss[] = [];
  let count = 0;
  let after = "";
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = { ...scope, "page-size": PAGE, ...(after === "" ? {} : { after }) };
    const answer = await server.api.request<Page>("previewEffect", { query, body, signal: server.signal });
    const { Complete, Roles, BindingRules, Tokens, Entries } = answer.body;
    if (!Complete) return undefined;
    count = Roles.Lose + BindingRules.Lose + Tokens.Lose;
    for (const entry of Entries) {
      if (Number(entry["LossCount"]) === 0) continue;
      const isOwn = entry["Kind"] === "token" && entry["ID"] === own;
      if (losses.length < most || isOwn) losses.push({ who: nameOf(entry), what: whatOf(entry), isOwn });
    }
    after = answer.headers.get("x-service-next") ?? "";
    if (after === "" || (losses.length >= count && count > 0)) break;
    const isOwnFound = own === undefined || losses.some(({ isOwn }) => isOwn);
    if (losses.length >= most && isOwnFound) break;
  }
  return { losses, count };
}

/** Objects as they are to be; a token that is made takes nothing from anybody. */
function bodyOf(changes: readonly Change[]): Record<string, Item[]> {
  const body: Record<string, Item[]> = {};
  for (const { action, object, content, live } of changes) {
    const { kind, name } = object;
    const draft = DRAFTS[kind.name];
    if (draft === undefined || (kind.name === "token" && (live === undefined || action === "delete"))) continue;
    if (action === "delete") (body[draft.deleted ?? ""] ??= []).push({ Name: name });
    else {
      const { Description: _description, SecretID: _secret, ...wire } = toWire(kind.members, content);
      const named = kind.name === "token" ? { AccessorID: name } : { Name: name };
      (body[draft.changed] ??= []).push({ ...draft.empty, ...wire, ...named });
    }
  }
  return body;
}

function isSamePlace(one: Where, other: Where): boolean {
  return one.partition === other.partition && one.namespace === other.namespace;
}

function nameOf({ Kind, ID, Name }: Item): string {
  const said = typeof Name === "string" && Name !== "" ? ` (${Name.slice(0, 80)})` : "";
  return `${String(Kind)} ${String(ID)}${said}`;
}

function whatOf(entry: Item): string {
  const rights = (entry["Losses"] as readonly Item[]).slice(0, RIGHTS).map(rightText);
  const more = Number(entry["LossCount"]) - rights.length;
  return `loses ${rights.join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
}
