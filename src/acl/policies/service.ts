/**
 * Policies: named sets of rules that tokens and roles link to. Implements
 * `/v1/acl/policy` and `/v1/acl/policies`.
 */
import type { Context } from "../../context.ts";
import { AppError, invalid, TakenName } from "../../errors.ts";
import type { Reader, Transaction } from "../../storage/database.ts";
import { type AskQuestion, orRefuse } from "../kit/ask.ts";
import { checkCas, changeIn } from "../kit/write.ts";
import { POLICIES } from "../../rights/kinds.ts";
import { deleteObject, listObjects, readObject, type Edit, type WriteTarget } from "../kit/objects.ts";
import type { ListOf } from "../../lists/page.ts";
import { checkLiving } from "../namespaces/living.ts";
import { checkPermission } from "../../rights/permission.ts";
import { rightsTurns, checkRules } from "../rule-limit.ts";
import { checkHome } from "../../rights/rules/home.ts";
import { parseInSteps } from "../../rights/rules/parse.ts";
import { countRules } from "../../rights/rules/rule.ts";
import type { Scope } from "../../rights/scope.ts";
import { checkUuid, isUuid, newUuid } from "../../rights/uuid.ts";
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
import { MAX_POLICY_NAME, POLICY_NAME } from "../kit/names.ts";
import type { Restoring } from "../kit/trash.ts";

export type { ListedPolicy, Policy, PolicyInput } from "./store.ts";

/** Which kinds of rules there are. */
export type PolicyEdition = "enterprise" | "community";

/** Changes that a request makes to a policy. */
export interface PolicyChange {
  /** Rules in the request; empty when it has none or leaves them as they are. */
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
 * @param restoring when the policy comes from the trash
 * @throws AppError `invalid` on a name or rules that break the grammar, `already_exists`, `conflict`, `forbidden`
 */
export async function createPolicy(
  ctx: Context,
  { scope, cas }: WriteTarget,
  input: PolicyInput,
  edition: PolicyEdition,
  restoring?: Restoring,
): Promise<Policy> {
  checkPermission(ctx, scope, "acl", "write");
  const ruleCount = await askContent(orRefuse, scope, input, edition);
  const id = restoring?.objectId ?? newUuid();
  return changeIn(ctx, scope, async (tx, change) => {
    checkCas(cas, undefined);
    await restoring?.take(tx, {});
    await askAmongOthers(orRefuse, tx, scope, input, undefined);
    const index = await tx.index();
    const policy = assemblePolicy({ id, scope, createIndex: index, modifyIndex: index }, input, ruleCount);
    writePolicies.insert(tx, policy, restoring?.told);
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
  { scope, key: id, cas }: WriteTarget,
  { rules, edit }: PolicyChange,
  edition: PolicyEdition,
): Promise<Policy> {
  checkPermission(ctx, scope, "acl", "write");
  // Before the transaction: long rules take a while.
  const given = await askRules(orRefuse, scope, rules, edition);
  const key = keyOf(id);
  return changeIn(ctx, scope, async (tx, change) => {
    const current = await findToUpdate(tx, scope, key);
    checkCas(cas, current);
    const input = edit(current);
    await askName(orRefuse, input);
    await askAmongOthers(orRefuse, tx, scope, input, current);
    // Rules that are left as they are are read as before.
    const [ruleCount, grammar] =
      input.rules === rules ? ([given, "present"] as const) : [current.ruleCount, grammarOf(current)];
    const policy = assemblePolicy({ ...current, modifyIndex: await tx.index() }, input, ruleCount, grammar);
    writePolicies.update(tx, policy, current);
    change(POLICIES, key);
    return policy;
  });
}

function keyOf(id: string): string {
  if (!isUuid(id)) throw new AppError("not_found", "Policy ID invalid UUID");
  return id.toLowerCase();
}

async function findToUpdate(db: Reader, scope: Scope, key: string): Promise<Policy> {
  const current = await policyStore.find(db, scope, key);
  if (current === undefined) throw new AppError("not_found", `cannot find policy ${key}`);
  return current;
}

/**
 * Asks of a policy all that its write asks, and writes nothing.
 *
 * @param id of the one that it is to take the place of; empty for a new one
 */
export async function askPolicy<E extends undefined>(
  ask: AskQuestion<E>,
  { db }: Pick<Context, "db">,
  scope: Scope,
  id: string,
  input: PolicyInput,
  edition: PolicyEdition,
): Promise<void> {
  await ask("Namespace", () => checkLiving(db, scope));
  const current = id === "" ? undefined : await ask("ID", () => findToUpdate(db, scope, keyOf(id)));
  await askContent(ask, scope, input, edition);
  await askAmongOthers(ask, db, scope, input, current);
}

/** @throws AppError `not_found`, `invalid` for a built-in one, `conflict`, `forbidden` */
export async function deletePolicy(ctx: Context, { scope, key: id, cas }: WriteTarget): Promise<void> {
  checkPermission(ctx, scope, "acl", "write");
  const key = checkUuid(id, "policy");
  const find = async (tx: Transaction) => {
    const found = await policyStore.find(tx, scope, key);
    if (found !== undefined && isBuiltin(key)) {
      throw invalid(`Delete operation not permitted on the builtin ${found.name} policy`);
    }
    return found;
  };
  await deleteObject(ctx, scope, { noun: "policy", cas }, find, async (tx, change, current, deletion) => {
    await deleteRow(tx, current, deletion);
    change(POLICIES, key);
  });
}

/** Asks of a policy by itself. @returns how many rules it has */
async function askContent<E extends undefined>(
  ask: AskQuestion<E>,
  scope: Scope,
  input: PolicyInput,
  edition: PolicyEdition,
): Promise<number | E> {
  await askName(ask, input);
  return askRules(ask, scope, input.rules, edition);
}

async function askName<E extends undefined>(ask: AskQuestion<E>, input: PolicyInput): Promise<void> {
  await ask("Name", () => checkInput(input));
}

async function askRules<E extends undefined>(
  ask: AskQuestion<E>,
  scope: Scope,
  text: string,
  edition: PolicyEdition,
): Promise<number | E> {
  return ask("Rules", () => countOf(text, scope, edition));
}

/** How many rules a text has. @throws AppError `invalid` where no policy of the scope may hold it */
export async function countOf(text: string, scope: Scope, edition: PolicyEdition): Promise<number> {
  const rules = await rightsTurns.run(parseInSteps(text, edition, { places: true }));
  const count = countRules(rules);
  checkRules("policy", { policies: 1, rules: count, bytes: text.length });
  checkHome(rules, scope);
  return count;
}

/** Asks of a policy beside others. @param current the one that it takes the place of */
async function askAmongOthers<E extends undefined>(
  ask: AskQuestion<E>,
  db: Reader,
  scope: Scope,
  input: PolicyInput,
  current: Policy | undefined | E,
): Promise<void> {
  if (current !== undefined) {
    await ask("Datacenters", () => checkBuiltinDatacenters(current, input));
    await ask("Rules", () => checkBuiltinRules(current, input));
  }
  await ask("Name", () => checkName(db, scope, input.name, current?.id));
}

/** Also for an update: clients know that the name of the built-in one for reading allows none. */
function checkInput({ name }: PolicyInput): void {
  if (name === "") throw invalid("Invalid Policy: no Name is set");
  if (name.length > MAX_POLICY_NAME) {
    throw invalid("Invalid Policy: invalid Name. Length must be greater than 0 and less than 128");
  }
  if (name.startsWith("/") || /^builtin\//i.test(name)) {
    throw invalid("Invalid Policy: invalid Name. Names cannot be prefixed with '/' or 'builtin/'");
  }
  if (!POLICY_NAME.test(name)) {
    throw invalid("Invalid Policy: invalid Name. Only alphanumeric characters, a single '/', '-' and '_' are allowed");
  }
}

async function checkName(db: Reader, scope: Scope, name: string, ownId: string | undefined): Promise<void> {
  const other = await policyStore.byName(db, scope, name);
  if (other === undefined || other.id === ownId) return;
  const policy = ownId === undefined ? "A Policy with Name" : "A policy with name";
  throw new TakenName(`Invalid Policy: ${policy} "${name}" already exists`);
}

function checkBuiltinDatacenters({ id, name }: Policy, { datacenters }: PolicyInput): void {
  if (!isBuiltin(id) || datacenters.length === 0) return;
  throw invalid(`Changing the Datacenters of the ${name} policy is not permitted`);
}

function checkBuiltinRules({ id, name, rules }: Policy, input: PolicyInput): void {
  if (!isBuiltin(id) || input.rules === rules) return;
  throw invalid(`Changing the Rules for the builtin ${name} policy is not permitted`);
}
