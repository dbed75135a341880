/**
 * Whom a plan takes something from: who loses which rights, as the server works it out from what is to be; and the tokens and
 * logins that go or change themselves. Where the server does not say it, those who hold what goes or becomes less, and by what.
 */
import type { Change } from "./change.ts";
import { lossesAt, type Loss } from "./effect.ts";
import type { Where } from "./kinds.ts";
import { contentOf } from "./live.ts";
import { kindOf } from "./kinds.ts";
import { itemsOf, readIfThere, scopeQuery, type Server } from "./server.ts";
import type { Content } from "./shape.ts";

export interface Losses {
  /** The first ones, the own token before all others. */
  readonly first: readonly Loss[];
  readonly count: number;
}

const MOST = 100;

/** What is lost, by who has it. */
interface Lost {
  readonly where: Where;
  /** Names, in lower case, with what becomes of them. */
  readonly policies: Map<string, string>;
  readonly roles: Map<string, string>;
}

/** Finds whom the changes take something from. */
export async function findLosses(server: Server, changes: readonly Change[]): Promise<Losses> {
  const losses: Loss[] = directLosses(changes);
  const homes = placesOf(changes);
  if (homes.length === 0 && losses.length === 0) return { first: [], count: 0 };
  const ownToken = await readOwn(server);
  const own = ownToken?.accessor;
  let count = losses.length;
  const add = (loss: Loss): void => {
    count++;
    if (losses.length < MOST || loss.isOwn) losses.push(loss);
  };
  for (const where of homes) {
    const told = await lossesAt(server, where, changes, own, MOST);
    if (told === undefined) {
      const here = changes.filter(({ object }) => JSON.stringify(object.where) === JSON.stringify(where));
      tokenLosses(here).forEach(add);
      for (const home of lostIn(here)) await findHolders(server, home, { own, add });
    } else {
      count += told.count - told.losses.length;
      told.losses.forEach(add);
    }
  }
  const goes = new Set(ownToken?.goesWith);
  const isOwn = (loss: Loss) => loss.isOwn || (own !== undefined && (loss.who.includes(own) || goes.has(loss.who)));
  const marked = losses.map((loss) => ({ ...loss, isOwn: isOwn(loss) }));
  return { first: marked.toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn)).slice(0, MOST), count };
}

/** The token of the command, and that with whose end it ends. */
interface OwnToken {
  readonly accessor: string;
  readonly goesWith: readonly string[];
}

async function readOwn(server: Server): Promise<OwnToken | undefined> {
  try {
    const own = await readIfThere(server, "readOwnToken", {});
    if (own === undefined) return undefined;
    const { Partition = "default", Namespace = "default", AuthMethod, AuthMethodNamespace } = own;
    const home = `${String(Partition)}/${String(AuthMethodNamespace ?? Namespace)}`;
    const method = typeof AuthMethod === "string" && AuthMethod !== "" ? [`auth-method ${home}/${AuthMethod}`] : [];
    const goesWith = [
      `partition ${String(Partition)}`,
      `namespace ${String(Partition)}/${String(Namespace)}`,
      ...method,
    ];
    return { accessor: String(own["AccessorID"]), goesWith };
  } catch {
    // The anonymous token has none to be asked for.
    return undefined;
  }
}

/** Where policies, roles and tokens that there are change or go: what is new takes nothing by itself. */
function placesOf(changes: readonly Change[]): Where[] {
  const places = new Map<string, Where>();
  for (const { object, live, action } of changes) {
    const { kind, where } = object;
    const counts = kind.name === "policy" || kind.name === "role" || (kind.name === "token" && action !== "delete");
    if (live !== undefined && counts) places.set(JSON.stringify(where), where);
  }
  return [...places.values()];
}

/** Tokens that hold less than before, by what they link to. */
function tokenLosses(changes: readonly Change[]): Loss[] {
  return changes.flatMap(({ action, object, live, fields }): Loss[] => {
    if (object.kind.name !== "token" || action !== "update" || live === undefined) return [];
    const gone = fields.flatMap(({ name, before, after }) =>
      missing(before, after).map((each) => `${name.replace(/ies$/, "y").replace(/s$/, "")} ${each}`),
    );
    const who = `token ${live.id}${described(live.content)}`;
    return gone.length === 0 ? [] : [{ who, what: `loses ${gone.join(", ")}`, isOwn: false }];
  });
}

/** What changes themselves say: tokens that go, methods and rules by which logins are given something. */
function directLosses(changes: readonly Change[]): Loss[] {
  return changes.flatMap(({ action, object, live, fields }): Loss[] => {
    const { kind, path } = object;
    if (live === undefined) return [];
    const who = `${kind.name} ${kind.name === "token" ? live.id : path}${described(live.content)}`;
    const lose = (what: string): Loss[] => [{ who, what, isOwn: false }];
    if (action === "delete") {
      if (kind.name === "token") return lose("goes");
      if (kind.name === "auth-method") return lose("goes, and with it the tokens of its logins");
      if (kind.name === "binding-rule") return lose("goes: logins that it fits get no more by it");
      if (kind.name === "namespace" || kind.name === "partition") return lose("goes, with all tokens in it");
      return [];
    }
    const narrows = fields.filter(({ name }) => ["selector", "bind-type", "bind-name", "bind-vars"].includes(name));
    if (kind.name === "binding-rule" && narrows.length > 0)
      return lose(`gives something else: its ${narrows.map(({ name }) => name).join(" and ")} changes`);
    return [];
  });
}

/** Policies and roles that go or become less, by where they lie. */
function lostIn(changes: readonly Change[]): Lost[] {
  const homes = new Map<string, Lost>();
  const homeOf = (where: Where): Lost => {
    const key = JSON.stringify(where);
    const home = homes.get(key) ?? { where, policies: new Map<string, string>(), roles: new Map<string, string>() };
    homes.set(key, home);
    return home;
  };
  for (const { action, object, live, fields } of changes) {
    const { kind, where, name } = object;
    if (live === undefined) continue;
    const key = name.toLowerCase();
    if (kind.name === "policy") {
      if (action === "delete") homeOf(where).policies.set(key, `loses policy ${object.path}`);
      else if (fields.some((field) => field.name === "rules"))
        homeOf(where).policies.set(key, `has other rules by policy ${object.path}`);
    }
    if (kind.name === "role") {
      const gone = fields.flatMap(({ before, after }) => missing(before, after));
      if (action === "delete") homeOf(where).roles.set(key, `loses role ${object.path}`);
      else if (gone.length > 0) homeOf(where).roles.set(key, `loses ${gone.join(", ")} by role ${object.path}`);
    }
  }
  return [...homes.values()];
}

async function findHolders(
  server: Server,
  { where, policies, roles }: Lost,
  { own, add }: { own: string | undefined; add(loss: Loss): void },
): Promise<void> {
  const query = scopeQuery(server, where);
  const through = new Map(roles);
  if (policies.size > 0) {
    for await (const wire of itemsOf(server, "listRoles", { query })) {
      const name = String(wire["Name"]);
      const held = namesIn(contentOf(kindOf("role"), wire)["policies"]).flatMap((each) => policies.get(each) ?? []);
      if (held.length > 0 && !through.has(name.toLowerCase()))
        through.set(name.toLowerCase(), `${held.join(", ")}, by role ${name}`);
    }
  }
  for await (const wire of itemsOf(server, "listTokens", { query })) {
    const content = contentOf(kindOf("token"), wire);
    const held = [
      ...namesIn(content["policies"]).flatMap((each) => policies.get(each) ?? []),
      ...namesIn(content["roles"]).flatMap((each) => through.get(each) ?? []),
    ];
    const id = String(wire["AccessorID"]);
    if (held.length > 0) add({ who: `token ${id}${described(content)}`, what: held.join("; "), isOwn: id === own });
  }
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map((each) => String(each).toLowerCase()) : [];
}

/** Entries of a list that are not in the other. */
function missing(before: unknown, after: unknown): string[] {
  if (!Array.isArray(before)) return [];
  const kept = new Set((Array.isArray(after) ? after : []).map((each) => JSON.stringify(each).toLowerCase()));
  return before
    .filter((each) => !kept.has(JSON.stringify(each).toLowerCase()))
    .map((each) => (typeof each === "string" ? each : JSON.stringify(each)));
}

function described({ description }: Content): string {
  return typeof description === "string" && description !== "" ? ` (${description.slice(0, 80)})` : "";
}
