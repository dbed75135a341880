/**
 * Finds policies that an earlier grammar reads, and lists the decisions that change when they are written again. The
 * present grammar is stricter.
 */
import { sql } from "kysely";
import { listKey } from "../../storage/reads/conditions.ts";
import type { Reader } from "../../storage/database.ts";
import type { ListScope } from "../../rights/permission.ts";
import { rightsTurns } from "../rule-limit.ts";
import { differencesBetween } from "../../rights/rules/differences.ts";
import { parseInSteps, parseStoredInSteps } from "../../rights/rules/parse.ts";
import type { Rule } from "../../rights/rules/rule.ts";
import { RulesError, type Steps } from "../../rights/rules/scanner.ts";
import { DEFAULT_SCOPE, type Scope } from "../../rights/scope.ts";
import type { PolicyEdition } from "./service.ts";
import { EARLIER_HASHES, grammarOf, policyStore, type Policy } from "./store.ts";

/** A policy that would decide otherwise. */
export interface Rewritten {
  id: string;
  name: string;
  scope: Scope;
  /** In words, the first ones. */
  differences: readonly string[];
}

/** Maximum number of differences of one policy that are shown. */
const MOST_TOLD = 8;

/**
 * Lists the decisions that change if the text of a policy is written again. Empty for a policy that the present grammar
 * already reads, and for most others.
 */
export function* differencesOf(policy: Pick<Policy, "rules" | "hash">, edition: PolicyEdition): Steps<string[]> {
  if (grammarOf(policy) === "present") return [];
  const { rules: text } = policy;
  const earlier = yield* readOr(parseStoredInSteps(text, edition, { grammar: "earlier" }));
  // Text that no grammar can read decides nothing.
  if (earlier instanceof RulesError) return [];
  const present = yield* readOr(parseInSteps(text, edition));
  if (!(present instanceof RulesError)) return (yield* differencesBetween(earlier, present)).slice(0, MOST_TOLD);
  const asStored = yield* readOr(parseStoredInSteps(text, edition));
  if (asStored instanceof RulesError) return [`it would be rejected: ${present.message}`];
  return (yield* differencesBetween(earlier, asStored)).slice(0, MOST_TOLD);
}

/** Returns the rules, or the error that prevents reading them. */
export function* readOr(reading: Steps<Rule[]>): Steps<Rule[] | RulesError> {
  try {
    return yield* reading;
  } catch (error) {
    if (error instanceof RulesError) return error;
    throw error;
  }
}

/** Policies that are read at once: each may have half a megabyte. */
const SLICE = 16;

type Row = Pick<Policy, "id" | "name" | "rules" | "hash"> & Partial<Scope>;

/**
 * Finds all such policies of a database, of any version of its schema, in the order of their IDs. For messages only:
 * nothing is decided by these rows, and their proofs are not checked.
 */
export async function* findRewritten(db: Reader, edition: PolicyEdition): AsyncGenerator<Rewritten> {
  for (let after = ""; ;) {
    const { rows } = await sql<Row>`select * from policies where id > ${after} and hash like ${EARLIER_HASHES}
      order by id limit ${SLICE}`.execute(db.sql);
    for (const { id, name, partition, namespace, ...policy } of rows) {
      const differences = await rightsTurns.run(differencesOf(policy, edition));
      // Tables of the first versions have no places.
      const scope = { ...DEFAULT_SCOPE, ...(partition && namespace && { partition, namespace }) };
      if (differences.length > 0) yield { id, name, scope, differences };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < SLICE) return;
    after = last.id;
  }
}

/** Limits of one answer: policies, and bytes of their texts, that it examines. */
const MOST_LOOKED = 1000;
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Returns such policies of the namespaces of a list, in its order.
 *
 * @param most maximum number to return
 * @returns the policies, and whether there may be more that were not examined
 */
export async function rewrittenIn(
  db: Reader,
  list: ListScope,
  edition: PolicyEdition,
  most: number,
): Promise<{ found: Rewritten[]; isMore: boolean }> {
  const found: Rewritten[] = [];
  const isEarlier = sql<boolean>`hash like ${EARLIER_HASHES}`;
  let [after, looked, bytes] = ["", 0, 0];
  for (;;) {
    const listed = await policyStore.list(db, list, { after, search: "", size: SLICE }, [isEarlier]);
    for (const { id, name, scope } of listed) {
      const policy = await policyStore.find(db, scope, id);
      if (policy === undefined) continue;
      looked += 1;
      bytes += policy.rules.length;
      const differences = await rightsTurns.run(differencesOf(policy, edition));
      if (differences.length > 0) found.push({ id, name, scope, differences });
      if (found.length >= most || looked >= MOST_LOOKED || bytes >= MOST_BYTES) return { found, isMore: true };
    }
    const last = listed.at(-1);
    if (last === undefined || listed.length < SLICE) return { found, isMore: false };
    after = listKey(list, last.scope.namespace, policyStore.sortKey(last));
  }
}

/** Maximum number of policies that one message names. */
const MOST_NAMED = 20;

/** Message for an operator about these policies; undefined when there are none. */
export async function tellRewritten(found: AsyncIterable<Rewritten>): Promise<string | undefined> {
  const named: string[] = [];
  let count = 0;
  for await (const { name, scope, differences } of found) {
    count += 1;
    if (named.length < MOST_NAMED)
      named.push(`${scope.partition}/${scope.namespace}/${name} (${differences.join("; ")})`);
  }
  if (count === 0) return undefined;
  const more = count > named.length ? `, and ${count - named.length} more` : "";
  const are =
    count === 1
      ? "1 policy keeps its earlier meaning and decides"
      : `${count} policies keep their earlier meaning and decide`;
  return `${are} differently after it is saved again (see docs/rules.md): ${named.join(", ")}${more}`;
}
