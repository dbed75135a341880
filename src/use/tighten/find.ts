/** Finds a smaller policy, or a smaller role. Runs with other long reads. */
import type { ApartSource, ApartWork } from "../../storage/database.ts";
import type { AccessSearch, SubjectKind } from "../../explain/access/find.ts";
import { parsePolicy } from "../../explain/access/held.ts";
import { WHO_CHANGES } from "../../explain/effect/find.ts";
import type { DraftLists } from "../../explain/effect/drafts.ts";
import { SUBJECTS } from "../../explain/access/find.ts";
import { policyStore } from "../../acl/policies/store.ts";
import { thoughtPolicy, type PolicyText } from "../../acl/policies/stored-rules.ts";
import type { Grammar } from "../../rights/rules/parse.ts";
import type { RoleGrants } from "../../acl/roles/store.ts";
import type { Scope } from "../../rights/scope.ts";
import type { UseRow } from "../../records/uses/row.ts";
import { dayOf } from "../flush.ts";
import { findSince, readGap, readRows } from "../store.ts";
import { countedRows, type UseWindow } from "./engine/counted.ts";
import { tightenRole, type TightenedPolicy } from "./engine/role.ts";
import { tighten, type KeptRule, type Tightened } from "./engine/tighten.ts";
import { keyOfSubject } from "./engine/uses.ts";
import { findHolders, type FoundHolders } from "./holders.ts";
import { ExceedsBudget, MOST_ROWS, runUntilLate, withinBudget, type Exceeded } from "./work.ts";

type Search = Pick<AccessSearch, "lists" | "options" | "now">;

export interface PolicySearch extends Search {
  policy: PolicyText;
  grammar: Grammar;
  window: UseWindow;
  keep: readonly KeptRule[];
  /** Positions of rules whose names the caller may not read. */
  unnamed: readonly number[];
}

export interface RoleSearch extends Search {
  role: RoleGrants & { scope: Scope };
  window: UseWindow;
  /** IDs of policies that stay. */
  keep: readonly string[];
}

/** Data on which the answer rests. */
export interface Grounds {
  /** Numbers of holders by kind. */
  holders: Readonly<Record<SubjectKind, number>>;
  /** First day of the ledger, as days since 1970-01-01; undefined where nothing is noted. */
  since: number | undefined;
  /** Last day on which uses were left out; undefined for never. */
  gap: number | undefined;
}

export type FoundPolicy = Tightened & Grounds;
export interface FoundRole extends Grounds {
  policies: readonly TightenedPolicy[];
  /** Whether the role without the dropped policies gives nobody anything. */
  isOffered: boolean;
}

export const TIGHTEN_POLICY: ApartWork<PolicySearch, FoundPolicy | { exceeded: Exceeded }> = {
  name: "a smaller policy",
  run: (source, search) => withinBudget(() => findPolicy(source, search)),
};

export const TIGHTEN_ROLE: ApartWork<RoleSearch, FoundRole | { exceeded: Exceeded }> = {
  name: "a smaller role",
  run: (source, search) => withinBudget(() => findRole(source, search)),
};

async function findPolicy(source: ApartSource, search: PolicySearch): Promise<FoundPolicy> {
  const { policy, grammar, options, keep, unnamed } = search;
  const run = runUntilLate();
  const wanted = { policies: new Set([policy.id]), roles: new Set<string>() };
  const found = await findHolders(source, search, wanted, run);
  const { rows, ...grounds } = await readUse(source, search, found, wanted.policies, policy.scope);
  const result = await run(
    tighten({
      policy: { id: policy.id, name: policy.name, home: policy.scope },
      text: policy.rules,
      source: { edition: options.edition, grammar },
      holders: found.holders,
      rows,
      keep,
      unnamed: new Set(unnamed),
      defaultPolicy: options.defaultPolicy,
    }),
  );
  const { draft, lines } = result;
  const thought = { ...thoughtPolicy(policy.name, policy.scope, draft ?? "", policy.ruleCount), id: policy.id };
  const drafts = { ...NO_DRAFTS, policies: [[policy.id, { ...thought, datacenters: policy.datacenters }] as const] };
  const isOffered = draft !== undefined && (await widensNothing(source, search, policy.scope, drafts));
  return { draft: isOffered ? draft : undefined, lines, ...grounds };
}

async function findRole(source: ApartSource, search: RoleSearch): Promise<FoundRole> {
  const { role, options } = search;
  const run = runUntilLate();
  const found = await findHolders(source, search, { policies: new Set(), roles: new Set([role.id]) }, run);
  const { rows, ...grounds } = await readUse(source, search, found, new Set(role.policies), role.scope);
  const stored = await policyStore.all(source, role.scope, role.policies);
  const parsed = [];
  for (const each of stored) parsed.push((await run(parsePolicy(each, options, false))) ?? []);
  const { defaultPolicy } = options;
  const input = { policies: parsed.flat(), holders: found.holders, rows, keep: new Set(search.keep), defaultPolicy };
  const policies = await run(tightenRole(input));
  const gone = new Set(policies.filter(({ action }) => action === "dropped").map(({ id }) => id));
  const thought: RoleGrants = { ...role, policies: role.policies.filter((id) => !gone.has(id)) };
  const isOffered = await widensNothing(source, search, role.scope, { ...NO_DRAFTS, roles: [[role.id, thought]] });
  return { policies, isOffered, ...grounds };
}

const NO_DRAFTS: DraftLists = { policies: [], roles: [], tokens: [], defaults: [] };

/** The impact of the draft, as its preview shows it: a draft by which one subject gains anything is not offered. */
async function widensNothing(source: ApartSource, search: Search, home: Scope, drafts: DraftLists): Promise<boolean> {
  const { lists, options, now } = search;
  const scope = { home, readable: undefined, kinds: SUBJECTS, after: undefined, change: "" as const, size: 0 };
  const effect = await WHO_CHANGES.run(source, { ...scope, drafts, lists, now, options });
  if (effect === undefined) throw new ExceedsBudget("time");
  return Object.values(effect.counts).every(({ gain }) => gain === 0);
}

/** Reads the rows that the policies of some holders may rest on. */
async function readUse(
  source: ApartSource,
  { window }: { window: UseWindow },
  { holders, scopes, counts }: FoundHolders,
  policies: ReadonlySet<string>,
  home: Scope,
): Promise<Grounds & { rows: UseRow[] }> {
  const subjects = new Set(holders.flatMap((holder) => [...holder.subjects]));
  const isAbout = (row: UseRow): boolean =>
    subjects.has(keyOfSubject(row.subject)) || (row.subject.kind !== "token" && policies.has(row.rule.policyId));
  const rows: UseRow[] = [];
  let gap: number | undefined;
  for (const scope of withHome(scopes, home)) {
    for await (const page of readRows(source, scope)) {
      for (const row of countedRows(page, window)) if (isAbout(row)) rows.push(row);
      if (rows.length > MOST_ROWS) throw new ExceedsBudget("rows");
    }
    const left = await readGap(source, scope);
    if (left !== undefined && left > (gap ?? 0)) gap = left;
  }
  const [since] = await source.run(findSince, {});
  return { rows, holders: counts, since: since && dayOf(Date.parse(since.value)), gap };
}

function withHome(scopes: readonly Scope[], home: Scope): Scope[] {
  const others = scopes.filter(
    ({ namespace, partition }) => namespace !== home.namespace || partition !== home.partition,
  );
  return [home, ...others];
}
