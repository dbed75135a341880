/** Subjects of a report: all policies, rules, tokens or roles of a scope, used or not, and the identities that used any. */
import type { Context } from "../context.ts";
import { policyStore } from "../acl/policies/store.ts";
import type { PolicyEdition } from "../acl/policies/service.ts";
import { readStoredRules } from "../acl/policies/stored-rules.ts";
import { roleStore } from "../acl/roles/store.ts";
import { rightsTurns } from "../acl/rule-limit.ts";
import { tokenStore } from "../acl/tokens/store.ts";
import type { Scope } from "../rights/scope.ts";
import { lookupSpelling } from "../rights/rules/layer.ts";
import type { Rule, RuleBlock } from "../rights/rules/rule.ts";
import type { UseRow, UsedRule } from "../records/uses/row.ts";
import { emptyEntry, type ReportEntry } from "./sums.ts";
import { listIds } from "./listed.ts";

/** Values of `by`. */
const KINDS = ["policy", "rule", "token", "role", "identity", "decision-point"] as const;
export type ReportKind = (typeof KINDS)[number];
export const SUBJECTS: ReadonlySet<ReportKind> = new Set(KINDS);

interface Asked {
  kind: ReportKind;
  scope: Scope;
  policyId: string;
  /** The one subject whose use is asked; empty for all. */
  id: string;
  edition: PolicyEdition;
}

/** Entries of a report, and which of them a row belongs to. */
export interface Report {
  entries: Map<string, ReportEntry>;
  entriesOf(row: UseRow): readonly ReportEntry[];
}

/** Objects that are read together. */
const SLICE = 128;

/** Finds the subjects. Rows of other subjects, such as deleted policies, belong to no entry. */
export function findSubjects(ctx: Context, asked: Asked): Promise<Report> {
  return FINDERS[asked.kind](ctx, asked);
}

const FINDERS: Readonly<Record<ReportKind, (ctx: Context, asked: Asked) => Promise<Report>>> = {
  async policy(ctx, asked) {
    const entries = new Map<string, ReportEntry>();
    for await (const { id, name } of policiesOf(ctx, asked))
      entries.set(id, emptyEntry(orderOf(name, id), { policy: { id, name } }));
    return { entries, entriesOf: ({ rule }) => listed(entries.get(rule.policyId)) };
  },

  async rule(ctx, asked) {
    const entries = new Map<string, ReportEntry>();
    for await (const policy of policiesOf(ctx, asked)) {
      const places = asked.policyId !== "";
      const rules = await rightsTurns.run(readStoredRules(policy, asked.edition, { places }));
      const named = { id: policy.id, name: policy.name };
      const lineOf = places ? linesOf(policy.rules) : () => undefined;
      for (const { rule, at } of usedRules(policy.id, rules)) {
        const line = lineOf(at);
        const of = { policy: named, rule, ...(line !== undefined && { line }) };
        entries.set(keyOfRule(rule), emptyEntry(orderOf(policy.name, keyOfRule(rule)), of));
      }
    }
    return { entries, entriesOf: ({ rule }) => listed(entries.get(keyOfRule(rule))) };
  },

  async token(ctx, { scope, id: only }) {
    const entries = new Map<string, ReportEntry>();
    if (only !== "") {
      for (const { accessorId, description } of await tokenStore.all(ctx.db, scope, [only]))
        entries.set(only, emptyEntry("", { token: { accessorId, description } }));
      return { entries, entriesOf: () => [...entries.values()] };
    }
    for (let after = ""; ;) {
      const rows = await ctx.db.long.run(listIds.tokens, { ...placeOf(scope), after, limit: SLICE });
      for (const { id, name } of rows)
        entries.set(id, emptyEntry(orderOf(name, id), { token: { accessorId: id, description: name } }));
      if (rows.length < SLICE) break;
      after = rows.at(-1)?.id ?? "";
    }
    return {
      entries,
      entriesOf: ({ subject }) => (subject.kind === "token" ? listed(entries.get(subject.accessorId)) : []),
    };
  },

  async role(ctx, { scope, policyId, id: only }) {
    const entries = new Map<string, ReportEntry>();
    const byPolicy = new Map<string, string[]>();
    for (let after = ""; ;) {
      const rows = await ctx.db.long.run(listIds.roles, { ...placeOf(scope), after, limit: SLICE });
      const ids = rows.map(({ id }) => id);
      for (const role of await roleStore.all(ctx.db.long, scope, ids)) {
        if ((policyId !== "" && !role.policies.includes(policyId)) || (only !== "" && role.id !== only)) continue;
        entries.set(role.id, emptyEntry(orderOf(role.name, role.id), { role: { id: role.id, name: role.name } }));
        for (const each of role.policies) byPolicy.set(each, [...(byPolicy.get(each) ?? []), role.id]);
      }
      if (rows.length < SLICE) break;
      after = rows.at(-1)?.id ?? "";
    }
    const holders = await readHolders(ctx, scope);
    return {
      entries,
      entriesOf: ({ rule, subject }) =>
        (byPolicy.get(rule.policyId) ?? [])
          .filter((id) => holds(subject, id, holders))
          .flatMap((id) => listed(entries.get(id))),
    };
  },

  async identity() {
    const entries = new Map<string, ReportEntry>();
    return {
      entries,
      entriesOf({ subject }) {
        if (subject.kind === "token") return [];
        const { authMethod } = subject;
        const identity = subject.kind === "identity" ? subject.identity : undefined;
        const key = JSON.stringify([authMethod, identity ?? null]);
        const entry = entries.get(key) ?? emptyEntry(key, { identity: { authMethod, identity } });
        entries.set(key, entry);
        return [entry];
      },
    };
  },

  async "decision-point"() {
    const entries = new Map<string, ReportEntry>();
    return {
      entries,
      entriesOf({ column, askedBy }) {
        if (column !== "others") return [];
        const entry = entries.get(askedBy) ?? emptyEntry(askedBy, { decisionPoint: askedBy });
        entries.set(askedBy, entry);
        return [entry];
      },
    };
  },
};

/** Entries are in the order of names: IDs are random, and their order would tell of nothing that a reader knows. */
function orderOf(name: string, id: string): string {
  return `${name}\n${id}`;
}

function listed(entry: ReportEntry | undefined): readonly ReportEntry[] {
  return entry === undefined ? [] : [entry];
}

function placeOf({ partition, namespace }: Scope): Scope {
  return { partition, namespace };
}

async function* policiesOf({ db }: Context, { scope, policyId }: Asked) {
  if (policyId !== "") {
    yield* await policyStore.all(db.long, scope, [policyId]);
    return;
  }
  for (let after = ""; ;) {
    const rows = await db.long.run(listIds.policies, { ...placeOf(scope), after, limit: SLICE });
    yield* await policyStore.all(
      db.long,
      scope,
      rows.map(({ id }) => id),
    );
    if (rows.length < SLICE) return;
    after = rows.at(-1)?.id ?? "";
  }
}

/** The rules of a policy as rows name them. */
function* usedRules(
  policyId: string,
  rules: readonly Rule[],
  block?: RuleBlock,
): Generator<{ rule: UsedRule; at: number | undefined }, void> {
  for (const rule of rules) {
    if (!("kind" in rule)) {
      const { resource, prefix, segment, policy: permission, at } = rule;
      yield { rule: { policyId, resource, prefix, segment, permission, ...(block && { block }) }, at };
      continue;
    }
    const { kind, prefix, segment, policy, at } = rule;
    if (policy !== undefined) {
      const own = { policyId, resource: kind, prefix, segment, permission: policy };
      yield { rule: { ...own, ...(block && { block }) }, at };
    }
    const partition = block?.kind === "partition" ? { prefix: block.prefix, segment: block.segment } : undefined;
    yield* usedRules(policyId, rule.rules, { kind, prefix, segment, ...(partition && { partition }) });
  }
}

/** Finds the line of a position in a text; the text is looked at once. */
function linesOf(text: string): (at: number | undefined) => number | undefined {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (at) => {
    if (at === undefined) return undefined;
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

/** A line of a policy is one entry, whatever permission of it was used: `service` rules imply intentions. */
function keyOfRule({ policyId, resource, prefix, segment, block }: UsedRule): string {
  const spelled = lookupSpelling(resource, segment);
  return JSON.stringify([policyId, resource, spelled, prefix, block ?? null]);
}

/** Roles of tokens of a scope that have any, by AccessorID. */
async function readHolders({ db }: Context, scope: Scope): Promise<ReadonlyMap<string, readonly string[]>> {
  const holders = new Map<string, readonly string[]>();
  for (let after = ""; ;) {
    const rows = await db.long.run(listIds.holders, { ...placeOf(scope), after, limit: SLICE });
    for (const { id, roles } of rows) holders.set(id, JSON.parse(roles) as string[]);
    if (rows.length < SLICE) return holders;
    after = rows.at(-1)?.id ?? "";
  }
}

/** Whether a subject may have used a policy by a role. It is not known of identities, which count for each role of the policy. */
function holds(subject: UseRow["subject"], role: string, holders: ReadonlyMap<string, readonly string[]>): boolean {
  switch (subject.kind) {
    case "token":
      return holders.get(subject.accessorId)?.includes(role) === true;
    case "roles":
      return subject.roles.includes(role);
    case "identity":
      return true;
  }
}
