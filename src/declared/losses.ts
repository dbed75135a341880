/**
 * Losses by a plan: holders of rights that it takes, as the server computes them from the wanted state, and tokens and
 * logins that it deletes or changes itself. When the server does not report the losses of rights: the holders of
 * policies and roles that the plan deletes or changes, with the names of these, and whom the plan gives what denies.
 */
import { fold } from "../fold.ts";
import type { PlannedChange } from "./change.ts";
import { denialsAt, linkName, type FindDenials } from "./denials.ts";
import { isSamePlace, lossesAt, placeOf, type RightsLoss } from "./effect.ts";
import { contentOf } from "./live.ts";
import { keyOf, kindOf, type KindName, type Where } from "./kinds.ts";
import { itemsOf, readIfThere, scopeQuery, type Server } from "./server.ts";
import type { FileContent } from "./shape.ts";

export interface Losses {
  /** The first ones, the own token before all others. */
  readonly first: readonly RightsLoss[];
  readonly count: number;
}

const MOST = 100;

/** Policies and roles of one location whose holders lose something. */
interface Lost {
  readonly where: Where;
  /** Names, in lower case, with what becomes of them. */
  readonly policies: Map<string, string>;
  readonly roles: Map<string, string>;
}

/** Finds whom the changes take something from. */
export async function findLosses(server: Server, changes: readonly PlannedChange[]): Promise<Losses> {
  const homes = placesOf(changes);
  const direct = changes.filter((change) => directLoss(change) !== undefined);
  if (homes.length === 0 && direct.length === 0) return { first: [], count: 0 };
  const own = await readOwn(server);
  const losses: RightsLoss[] = [];
  let count = 0;
  const add = (loss: RightsLoss): void => {
    count++;
    if (losses.length < MOST || loss.isOwn) losses.push(loss);
  };
  const addWhole = (change: PlannedChange, what: string | undefined, to = add): void => {
    if (what !== undefined) to({ who: nameOf(change), what, isOwn: own?.goesWith.has(change.object.key) === true });
  };
  for (const change of direct) addWhole(change, directLoss(change));
  for (const where of homes) {
    const told = await lossesAt(server, where, changes, own?.accessor, MOST);
    const here = changes.filter((change) => isSamePlace(placeOf(change), where));
    if (told !== undefined) {
      count += told.count - told.losses.length;
      told.losses.forEach(add);
      const isHidden = told.isFiltered && own !== undefined && !isSamePlace(own.where, where);
      if (!isHidden || told.losses.some(({ isOwn }) => isOwn)) continue;
    }
    const to = told === undefined ? add : (loss: RightsLoss) => void (loss.isOwn && add(loss));
    const denials = denialsAt(server, where, changes);
    for (const change of here) addWhole(change, linkLoss(change, await denials(change)), to);
    await findHolders(server, await lostIn(here, where, denials), { own, add: to });
  }
  return { first: losses.toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn)).slice(0, MOST), count };
}

/** The token of the command, and the keys of what it ends or becomes less with. */
interface OwnToken {
  readonly accessor: string;
  readonly where: Where;
  readonly goesWith: ReadonlySet<string>;
}

async function readOwn(server: Server): Promise<OwnToken | undefined> {
  try {
    const own = await readIfThere(server, "readOwnToken", {});
    if (own === undefined) return undefined;
    const { AccessorID, Partition = "default", Namespace = "default", AuthMethod, AuthMethodNamespace } = own;
    const where = { partition: String(Partition), namespace: String(Namespace), organization: "" };
    const ofMethod = { ...where, namespace: String(AuthMethodNamespace ?? Namespace) };
    const goesWith = [
      keyOf("token", where, String(AccessorID)),
      keyOf("partition", where, where.partition),
      keyOf("namespace", where, where.namespace),
      ...(typeof AuthMethod === "string" && AuthMethod !== "" ? [keyOf("auth-method", ofMethod, AuthMethod)] : []),
    ];
    return { accessor: String(AccessorID), where, goesWith: new Set(goesWith) };
  } catch {
    // The anonymous token has none to be asked for.
    return undefined;
  }
}

/** Returns the places where rights of existing objects change. A new object takes nothing by itself. */
function placesOf(changes: readonly PlannedChange[]): Where[] {
  const places = new Map<string, Where>();
  for (const change of changes) {
    const where = change.live === undefined ? undefined : placeOf(change);
    if (where !== undefined) places.set(JSON.stringify(where), where);
  }
  return [...places.values()];
}

/**
 * Returns the links that a token loses, or that a namespace no longer gives its tokens, and those that come and deny
 * something. Undefined when there are none.
 */
function linkLoss({ action, object, fields }: PlannedChange, denied: readonly string[]): string | undefined {
  const { name: kind } = object.kind;
  if ((kind !== "token" && kind !== "namespace") || action !== "update") return undefined;
  const gone = fields.flatMap(({ name, before, after }) =>
    missing(before, after).map((each) => `${linkName(name)} ${each}`),
  );
  const isToken = kind === "token";
  const told = [
    ...(gone.length === 0 ? [] : [`${isToken ? "loses" : "no longer grants its tokens"} ${gone.join(", ")}`]),
    ...(denied.length === 0 ? [] : [`${isToken ? "receives" : "grants its tokens"} ${denyingText(denied)}`]),
  ];
  return told.length === 0 ? undefined : told.join(", and ");
}

function denyingText(denied: readonly string[]): string {
  return `${denied.join(", ")}, which ${denied.length === 1 ? "includes" : "include"} deny rules`;
}

/**
 * Returns the loss by a change that needs no comparison of rights: a deleted object such as a token or an auth method,
 * or a changed binding rule, by which logins get something else.
 */
function directLoss({ action, object, live, fields }: PlannedChange): string | undefined {
  const { kind } = object;
  if (live === undefined) return undefined;
  if (action === "delete") return GOES[kind.name];
  const narrows = fields.filter(({ name }) => ["selector", "bind-type", "bind-name", "bind-vars"].includes(name));
  if (kind.name !== "binding-rule" || narrows.length === 0) return undefined;
  return `grants different permissions: ${narrows.map(({ name }) => name).join(" and ")} changed`;
}

const GOES: Partial<Record<KindName, string>> = {
  token: "deleted",
  "auth-method": "deleted, together with all tokens from its logins",
  "binding-rule": "deleted: matching logins no longer receive its permissions",
  "decision-mapping": "deleted: the decision point denies its types",
  namespace: "deleted, together with all tokens in it",
  partition: "deleted, together with all tokens in it",
};

function nameOf({ object: { kind, path }, live }: PlannedChange): string {
  return `${kind.name} ${kind.name === "token" && live !== undefined ? live.id : path}${described(live?.content ?? {})}`;
}

/** Policies and roles that go or become less, of those that lie in one place. */
async function lostIn(changes: readonly PlannedChange[], where: Where, denials: FindDenials): Promise<Lost> {
  const lost: Lost = { where, policies: new Map(), roles: new Map() };
  for (const change of changes) {
    const { action, object, live, fields } = change;
    const { kind, name } = object;
    if (live === undefined) continue;
    const key = fold(name);
    if (kind.name === "policy") {
      if (action === "delete") lost.policies.set(key, `loses policy ${object.path}`);
      else if (fields.some((field) => field.name === "rules" || field.name === "datacenters"))
        lost.policies.set(key, `policy ${object.path} has different rules`);
    }
    if (kind.name === "role") {
      const gone = fields.flatMap(({ before, after }) => missing(before, after));
      const denied = await denials(change);
      if (action === "delete") lost.roles.set(key, `loses role ${object.path}`);
      else if (gone.length > 0) lost.roles.set(key, `loses ${gone.join(", ")} through role ${object.path}`);
      else if (denied.length > 0) lost.roles.set(key, `receives through role ${object.path} ${denyingText(denied)}`);
    }
  }
  return lost;
}

async function findHolders(
  server: Server,
  { where, policies, roles }: Lost,
  { own, add }: { own: OwnToken | undefined; add(loss: RightsLoss): void },
): Promise<void> {
  if (policies.size + roles.size === 0) return;
  const query = scopeQuery(server, where);
  const through = new Map(roles);
  if (policies.size > 0) {
    for await (const wire of itemsOf(server, "listRoles", { query })) {
      const name = String(wire["Name"]);
      const held = namesIn(contentOf(kindOf("role"), wire)["policies"]).flatMap((each) => policies.get(each) ?? []);
      if (held.length > 0 && !through.has(fold(name)))
        through.set(fold(name), `${held.join(", ")}, through role ${name}`);
    }
  }
  const heldBy = (linkedPolicies: unknown, linkedRoles: unknown): string[] => [
    ...namesIn(linkedPolicies).flatMap((each) => policies.get(each) ?? []),
    ...namesIn(linkedRoles).flatMap((each) => through.get(each) ?? []),
  ];
  for await (const wire of itemsOf(server, "listTokens", { query })) {
    const content = contentOf(kindOf("token"), wire);
    const held = heldBy(content["policies"], content["roles"]);
    const id = String(wire["AccessorID"]);
    const isOwn = id === own?.accessor;
    if (held.length > 0) add({ who: `token ${id}${described(content)}`, what: held.join("; "), isOwn });
  }
  if (server.isCommunity || where.namespace !== "default") return;
  for await (const wire of itemsOf(server, "listNamespaces", { query: { partition: where.partition } })) {
    const content = contentOf(kindOf("namespace"), wire);
    const held = heldBy(content["policy-defaults"], content["role-defaults"]);
    const key = keyOf("namespace", where, String(wire["Name"]));
    const who = `all tokens of ${key}`;
    if (held.length > 0) add({ who, what: held.join("; "), isOwn: own?.goesWith.has(key) === true });
  }
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map((each) => fold(String(each))) : [];
}

/** Entries of a list that are not in the other. */
function missing(before: unknown, after: unknown): string[] {
  if (!Array.isArray(before)) return [];
  const kept = new Set((Array.isArray(after) ? after : []).map((each) => fold(JSON.stringify(each))));
  return before
    .filter((each) => !kept.has(fold(JSON.stringify(each))))
    .map((each) => (typeof each === "string" ? each : JSON.stringify(each)));
}

function described({ description }: FileContent): string {
  return typeof description === "string" && description !== "" ? ` (${description.slice(0, 80)})` : "";
}
