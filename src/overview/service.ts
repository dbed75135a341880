/** Collects the objects and problems that the caller may see. Implements `/v1/acl/overview`. */
import { shareWork, type SharedWork } from "../callers.ts";
import type { Context } from "../context.ts";
import { aclNamespaces, authorize, visibleOrganizations, visibleWorkspaces, unnoted } from "../rights/authorize.ts";
import type { ListScope } from "../rights/permission.ts";
import { earlierIn, type EarlierMethod } from "../acl/auth-methods/earlier.ts";
import { rewrittenIn, type Rewritten } from "../acl/policies/rewritten.ts";
import type { PolicyEdition } from "../acl/policies/service.ts";
import { ANY_NAMESPACE } from "../rights/scope.ts";
import { unusedSince } from "../acl/tokens/filters.ts";
import { endsNever, isLiving, tokenStore } from "../acl/tokens/store.ts";
import { isUnusedSince } from "../acl/tokens/unused.ts";
import type { AuditRecord } from "../records/record.ts";
import { listOfPartition, type AuditFilter } from "../records/store.ts";
import { countOrganizations, listOrganizations } from "../organizations/store.ts";
import { seesAll } from "../storage/reads/conditions.ts";
import { countsOfAll, countsOfNamespaces, firstNamespaces, type TableCounts } from "./store.ts";

export type { SeenNode } from "../storage/feed/nodes.ts";
export type { TableCounts } from "./store.ts";

/** Maximum number of namespaces, and of organizations, that are listed one by one. */
const FIRST = 100;
/** Maximum number of listed policies, and of auth methods, that would decide otherwise. */
const MOST_REWRITTEN = 20;
/** Maximum number of records of denied logins that are read, the newest. */
const MOST_REFUSALS = 500;
const UNUSED_FOR = "90d";
const DAY_MS = 24 * 60 * 60 * 1000;
/** Time for which an overview is kept. */
const KEPT_MS = 30_000;

export interface Overview {
  /** Since when it has been so, in milliseconds since the epoch. */
  at: number;
  partition: string;
  counts: TableCounts;
  namespaces: { count: number; first: Map<string, TableCounts> };
  organizations: { count: number; first: OverviewOfOrganization[] };
  /** Each counted to `MOST_COUNTED` and one more at most. */
  unusedTokens: number;
  endlessTokens: number;
  refusedLogins: RefusedLogins[];
  /** Policies that would decide otherwise if they were written again, the first ones. */
  rewritten: { found: Rewritten[]; isMore: boolean };
  /** Auth methods that would reject more if they were written again, the first ones. */
  earlierMethods: { found: EarlierMethod[]; isMore: boolean };
  /** Whether the caller may not read every namespace that there may be. */
  hasHidden: boolean;
}

/** Counts that the caller may not know are undefined. */
interface OverviewOfOrganization {
  name: string;
  tags: number | undefined;
  projects: number | undefined;
  workspaces: number | undefined;
}

/** Logins of the last day that an auth method refused. */
interface RefusedLogins {
  method: string;
  namespace: string;
  count: number;
}

/** Returns an overview; keeps it for half a minute. */
export type Overviews = (ctx: Context, partition: string) => Promise<Overview>;

/** Creates the overviews. Callers with equal permissions share one for half a minute, because counting takes long. */
export function createOverviews(edition: PolicyEdition): Overviews {
  const kept = new WeakMap<object, { partition: string; until: number; overview: SharedWork<Overview> }>();
  return async (ctx, partition) => {
    const { rights } = ctx.actor;
    const alone = () => look(ctx, partition, edition);
    const found = kept.get(rights);
    const now = ctx.now();
    if (found?.partition === partition && now < found.until && !found.overview.isGone())
      return found.overview.join(alone);
    const overview = shareWork(alone);
    kept.set(rights, { partition, until: now + KEPT_MS, overview });
    try {
      return await overview.join(alone);
    } catch (error) {
      if (kept.get(rights)?.overview === overview) kept.delete(rights);
      throw error;
    }
  };
}

/** Counts of what a caller may see are no use of its permissions. */
async function look({ actor, ...rest }: Context, partition: string, edition: PolicyEdition): Promise<Overview> {
  const ctx: Context = { ...rest, actor: unnoted(actor) };
  const db = ctx.db.long;
  const at = ctx.now();
  const seen = aclNamespaces(ctx.actor, partition);
  const scope: ListScope = { partition, namespace: ANY_NAMESPACE, visible: seen };
  const tokens = (...where: Parameters<typeof tokenStore.list>[3] & object) =>
    tokenStore.sorted(() => Promise.resolve([isLiving(at), ...where])).count(db, scope, { search: "", idPrefix: "" });
  const [
    counts,
    { names, count },
    organizations,
    unusedTokens,
    endlessTokens,
    refusedLogins,
    rewritten,
    earlierMethods,
  ] = await Promise.all([
    countsOfAll(db, partition, seen),
    firstNamespaces(db, partition, seen, FIRST),
    organizationsOf(ctx),
    tokens(isUnusedSince(unusedSince(UNUSED_FOR, at))),
    tokens(endsNever),
    refusedLoginsOf(ctx, scope),
    rewrittenIn(db, scope, edition, MOST_REWRITTEN),
    earlierIn(db, ctx.db, scope, MOST_REWRITTEN),
  ]);
  const first = await countsOfNamespaces(db, partition, names);
  const namespaces = { count, first };
  // By the rights alone: whether there is anything else is not for those to know who may not see it.
  const hasHidden = !seesAll(seen);
  return {
    at,
    partition,
    counts,
    namespaces,
    organizations,
    unusedTokens,
    endlessTokens,
    refusedLogins,
    rewritten,
    earlierMethods,
    hasHidden,
  };
}

async function organizationsOf({ db, actor }: Context): Promise<Overview["organizations"]> {
  const filter = { visibility: visibleOrganizations(actor) };
  const [count, found] = await Promise.all([
    countOrganizations(db.long, filter),
    listOrganizations(db.long, filter, { limit: FIRST }),
  ]);
  const first = found.map(({ name, tagCount, projectCount, workspaceCount }) => {
    const isRead = authorize(actor, "organization", name, "read");
    return {
      name,
      tags: isRead ? tagCount : undefined,
      projects: isRead ? projectCount : undefined,
      workspaces: seesAll(visibleWorkspaces(actor, name)) ? workspaceCount : undefined,
    };
  });
  return { count, first };
}

const LOGINS: Omit<AuditFilter, "from"> = {
  actor: undefined,
  kind: "login",
  object: undefined,
  action: "login",
  outcome: "refused",
  requestId: undefined,
  to: undefined,
};

/** From the newest records, the methods that refused most first. */
async function refusedLoginsOf(ctx: Context, scope: ListScope): Promise<RefusedLogins[]> {
  const from = new Date(ctx.now() - DAY_MS).toISOString();
  const page = { filter: { ...LOGINS, from }, search: "", after: undefined, size: MOST_REFUSALS };
  const { records } = await listOfPartition(ctx.db.long, scope, page);
  const found = new Map<string, RefusedLogins>();
  for (const record of records) {
    if (record.namespace === "" || record.name === "") continue;
    const key = `${record.namespace}/${record.name}`;
    const { count = 0 } = found.get(key) ?? {};
    found.set(key, { method: record.name, namespace: record.namespace, count: count + countOf(record) });
  }
  return [...found.values()].toSorted((a, b) => b.count - a.count).slice(0, FIRST);
}

function countOf({ detail }: AuditRecord): number {
  const { count } = JSON.parse(detail) as { count?: number };
  return count ?? 1;
}
