/**
 * Policies: named sets of rules that tokens and roles link to. Implements
 * `/v1/acl/policy` and `/v1/acl/policies`.
 */
import type { Context } from "../../context.ts";
import { AppError, invalid, TakenName } from "../../errors.ts";
import type { Transaction } from "../../storage/database.ts";
import { checkCas, changeIn } from "../write.ts";
import { POLICIES } from "../kinds.ts";
import { deleteObject, listObjects, readObject, type Edit, type Target } from "../objects.ts";
import type { ListOf } from "../page.ts";
import { checkPermission } from "../permission.ts";
import { rightsTurns, checkRules } from "../rule-limit.ts";
import { checkHome } from "../rules/home.ts";
import { parseInSteps } from "../rules/parse.ts";
import { countRules } from "../rules/rule.ts";
import type { Scope } from "../scope.ts";
import { checkUuid, isUuid, newUuid } from "../uuid.ts";
import {
  policyStore,
  writePolicies,
  assemblePolicy,
  grammarOf,
  type PolicyInput,
  deletePolicy as deleteRow,
  type ListedPolicy,
  type Policy,
} from "./store.ts";
import { isBuiltin } from "./builtin.ts";

export type { ListedPolicy, Policy, PolicyInput } from "./store.ts";

/** Which kinds of rules there are. */
export type Edition = "enterprise" | "community";

/** What a request changes of a policy. */
export interface PolicyChange {
  /** The rules that it gives; empty when it gives none or leaves them as they are. */
  rules: string;
  edit: Edit<PolicyInput>;
}

/** @throws AppError `not_found`, `forbidden` */
export async function readPolicy(ctx: Context, scope: Scope, id: string): Promise<Policy> {
  return readObject(ctx, scope, "policy", () => policyStore.find(ctx.db, scope, checkUuid(id, "policy")));
}

/** The same by its name, in any case. */
export async function readPolicyByName(ctx: Context, scope: Scope, name: string): Promise<Policy> {
  return readObject(ctx, scope, "policy", () => policyStore.byName(ctx.db, scope, name));
}

/** The list of policies, in order of namespaces and names. */
export function listPolicies(ctx: Context, asked: Scope): ListOf<ListedPolicy> {
  return listObjects<ListedPolicy>(ctx, asked, () => ({ ...policyStore, sorted: policyStore.sorted() }));
}

/**
 * @throws AppError `invalid` on a name or rules that break the grammar, `already_exists`, `conflict`, `forbidden`
 */
export async function createPolicy(
  ctx: Context,
  { scope, cas }: Target,
  input: PolicyInput,
  edition: Edition,
): Promise<Policy> {
  checkPermission(ctx, scope, "acl", "write");
  checkInput(input);
  const ruleCount = await countOf(input.rules, scope, edition);
  const id = newUuid();
  return changeIn(ctx, scope, async (tx, change) => {
    checkCas(cas, undefined);
    await checkName(tx, scope, input.name, undefined);
    const index = await tx.index();
    const policy = assemblePolicy({ id, scope, createIndex: index, modifyIndex: index }, input, ruleCount);
    writePolicies.insert(tx, policy);
    change(POLICIES, id);
    return policy;
  });
}

/**
 * Replaces a policy by what the change makes of it.
 *
 * @throws AppError `not_found`, `invalid`, `already_exists`, `conflict`, `forbidden`
 */
export async function updatePolicy(
  ctx: Context,
  { scope, key: id, cas }: Target,
  { rules, edit }: PolicyChange,
  edition: Edition,
): Promise<Policy> {
  checkPermission(ctx, scope, "acl", "write");
  // Before the transaction: long rules take a while.
  const given = await countOf(rules, scope, edition);
  if (!isUuid(id)) throw new AppError("not_found", "Policy ID invalid UUID");
  const key = id.toLowerCase();
  return changeIn(ctx, scope, async (tx, change) => {
    const current = await policyStore.find(tx, scope, key);
    if (current === undefined) throw new AppError("not_found", `cannot find policy ${key}`);
    checkCas(cas, current);
    const input = edit(current);
    checkInput(input);
    checkBuiltin(current, input);
    await checkName(tx, scope, input.name, key);
    // Rules that are left as they are are read as before.
    const [ruleCount, grammar] =
      input.rules === rules ? ([given, "present"] as const) : [current.ruleCount, grammarOf(current)];
    const policy = assemblePolicy({ ...current, modifyIndex: await tx.index() }, input, ruleCount, grammar);
    writePolicies.update(tx, policy, current);
    change(POLICIES, key);
    return policy;
  });
}

/** @throws AppError `not_found`, `invalid` for a built-in one, `conflict`, `forbidden` */
export async function deletePolicy(ctx: Context, { scope, key: id, cas }: Target): Promise<void> {
  checkPermission(ctx, scope, "acl", "write");
  const key = checkUuid(id, "policy");
  const find = async (tx: Transaction) => {
    const found = await policyStore.find(tx, scope, key);
    if (found !== undefined && isBuiltin(key)) {
      throw invalid(`Delete operation not permitted on the builtin ${found.name} policy`);
    }
    return found;
  };
  await deleteObject(ctx, scope, { noun: "policy", cas }, find, (tx, change, current) => {
    deleteRow(tx, current);
    change(POLICIES, key);
  });
}

/** How many rules a text has. @throws AppError `invalid` where no policy of the scope may hold it */
export async function countOf(text: string, scope: Scope, edition: Edition): Promise<number> {
  const rules = await rightsTurns.run(parseInSteps(text, edition));
  const count = countRules(rules);
  checkRules("policy", { policies: 1, rules: count, bytes: text.length });
  checkHome(rules, scope);
  return count;
}

const NAME = /^[A-Za-z0-9\-_]+\/?[A-Za-z0-9\-_]*$/;
const MAX_NAME = 128;

/** Also for an update: clients know that the name of the built-in one for reading allows none. */
function checkInput({ name }: PolicyInput): void {
  if (name === "") throw invalid("Invalid Policy: no Name is set");
  if (name.length > MAX_NAME) {
    throw invalid("Invalid Policy: invalid Name. Length must be greater than 0 and less than 128");
  }
  if (name.startsWith("/") || /^builtin\//i.test(name)) {
    throw invalid("Invalid Policy: invalid Name. Names cannot be prefixed with '/' or 'builtin/'");
  }
  if (!NAME.test(name)) {
    throw invalid("Invalid Policy: invalid Name. Only alphanumeric characters, a single '/', '-' and '_' are allowed");
  }
}

async function checkName(tx: Transaction, scope: Scope, name: string, ownId: string | undefined): Promise<void> {
  const other = await policyStore.byName(tx, scope, name);
  if (other === undefined || other.id === ownId) return;
  const policy = ownId === undefined ? "A Policy with Name" : "A policy with name";
  throw new TakenName(`Invalid Policy: ${policy} "${name}" already exists`);
}

function checkBuiltin(current: Policy, input: PolicyInput): void {
  if (!isBuiltin(current.id)) return;
  if (input.datacenters.length > 0) {
    throw invalid(`Changing the Datacenters of the ${current.name} policy is not permitted`);
  }
  if (input.rules !== current.rules) {
    throw invalid(`Changing the Rules for the builtin ${current.name} policy is not permitted`);
  }
}
