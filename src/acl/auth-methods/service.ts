/**
 * Auth methods: who may vouch for identities, and how. Implements
 * `/v1/acl/auth-method` and `/v1/acl/auth-methods`. What a method's identities
 * are is `identities/`; what they are given is `acl/binding-rules` and `acl/login`.
 */
import type { Context } from "../../context.ts";
import { authorize } from "../authorize.ts";
import { invalid } from "../../errors.ts";
import { ConfigError } from "../../identities/errors.ts";
import type { IdentityForm, RawConfig, Validator } from "../../identities/validator.ts";
import type { RegularExpressions } from "../../selectors/regular-expression.ts";
import type { Transaction } from "../../storage/database.ts";
import { AUTH_METHODS, BINDING_RULES, TOKENS } from "../kinds.ts";
import { checkCas, changePrepared, checkMayWrite, Outdated, type Change } from "../write.ts";
import { deleteObject, listObjects, readObject, type Target } from "../objects.ts";
import type { ListOf } from "../page.ts";
import { checkPermission } from "../permission.ts";
import { fold } from "../rules/fold.ts";
import type { Scope } from "../scope.ts";
import { listNamespacesOfMethod } from "../tokens/store.ts";
import { newUuid } from "../uuid.ts";
import { checkContent, checkMayChooseNamespaces, checkName, checkType, invalidMethod } from "./check.ts";
import { checkShownSecrets, checkSize, isSameConfig, openConfig, sealConfig, withoutSecrets } from "./config.ts";
import { checkNamespaceRules } from "./namespace-rules.ts";
import { methodStore, writeMethods, deleteMethod as deleteRow, type AuthMethod, type ListedMethod } from "./store.ts";
import { checkCommunityKeys, type Validators } from "./validators.ts";

export type { AuthMethod, ListedMethod } from "./store.ts";

/** What a request says of an auth method; without a `type`, that of the stored one. */
export type MethodInput = Pick<
  AuthMethod,
  "type" | "displayName" | "description" | "maxTokenTtl" | "tokenLocality" | "namespaceRules"
> & { config: RawConfig };

/** Gives the content from that of the stored method, undefined when there is none. Without side effects, since it may run again. */
type MethodEdit = (current: MethodInput | undefined) => MethodInput;

/** An auth method with its configuration, as the caller may see it. */
export interface OpenMethod extends AuthMethod {
  config: RawConfig;
}

/** What writes need beside the request. */
export interface MethodOptions {
  validators: Validators;
  /** Compiles the patterns of namespace rules. */
  regularExpressions: RegularExpressions;
  edition: "enterprise" | "community";
}

/**
 * Reads an auth method, in any case of its name. The secrets of its configuration are shown to those who may write it.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function readMethod(ctx: Context, scope: Scope, name: string): Promise<OpenMethod> {
  const method = await readObject(ctx, scope, "auth method", () => methodStore.byName(ctx.db, scope, name));
  const config = await openConfig(ctx.db, method);
  return { ...method, config: authorize(ctx.actor, "acl", "", "write", scope) ? config : withoutSecrets(config) };
}

/**
 * The list of auth methods, in order of namespaces and names.
 *
 * @throws AppError `forbidden`
 */
export function listAuthMethods(ctx: Context, asked: Scope): ListOf<ListedMethod> {
  return listObjects<ListedMethod>(ctx, asked, () => ({ ...methodStore, sorted: methodStore.sorted() }));
}

/**
 * Writes an auth method: makes it, or replaces the one of that name.
 *
 * @throws AppError `invalid`, `conflict`, `forbidden`
 */
export async function writeMethod(
  ctx: Context,
  target: Target,
  edit: MethodEdit,
  options: MethodOptions,
): Promise<OpenMethod> {
  const { scope, key: name } = target;
  await checkMayWrite(ctx, scope);
  checkName(name);
  return changePrepared(
    ctx,
    scope,
    `auth method ${fold(name)}`,
    () => prepare(ctx, target, edit, options),
    (tx, change, prepared) => write(tx, change, target, prepared),
  );
}

interface Prepared {
  before: AuthMethod | undefined;
  /** The same with its configuration. */
  stored: OpenMethod | undefined;
  input: MethodInput;
  configSealed: string;
  id: string;
}

/** Writes what was prepared, unless somebody else has written the method meanwhile. @throws {Outdated} */
async function write(
  tx: Transaction,
  change: Change,
  { scope, key: name, cas }: Target,
  { before, stored, input, configSealed, id }: Prepared,
): Promise<OpenMethod> {
  const [index, current] = await Promise.all([tx.index(), methodStore.byName(tx, scope, name)]);
  if (current?.id !== before?.id || current?.modifyIndex !== before?.modifyIndex) throw new Outdated();
  checkCas(cas, current);
  const { type, displayName, description, maxTokenTtl, tokenLocality, namespaceRules } = input;
  const content = { displayName, description, maxTokenTtl, tokenLocality, namespaceRules, configSealed };
  const method: AuthMethod =
    current === undefined
      ? { id, scope, name, type, ...content, rulesIndex: index, rulesWeight: 0, createIndex: index, modifyIndex: index }
      : { ...current, ...content, modifyIndex: index };
  const shown = { before: shownConfig(stored?.config), after: shownConfig(input.config) };
  if (current === undefined) writeMethods.insert(tx, method, shown);
  else writeMethods.update(tx, method, current, shown);
  change(AUTH_METHODS, fold(name));
  return { ...method, config: input.config };
}

/** Whatever of a write takes time: what the configuration names is asked, and it is sealed. */
async function prepare(
  { db }: Context,
  { scope, key: name, cas }: Target,
  edit: MethodEdit,
  options: MethodOptions,
): Promise<Prepared> {
  const before = await methodStore.byName(db, scope, name);
  const stored = before && { ...before, config: await openConfig(db, before) };
  const input = { ...edit(stored) };
  // Nobody is asked for a change that does not count.
  checkCas(cas, before);
  if (input.type === "") input.type = before?.type ?? "";
  if (before !== undefined && input.type !== before.type) {
    throw invalid("the Type field of an Auth Method is immutable");
  }
  checkSaid(input, scope, options.edition);
  // One that stands already is not tried again, and what it was proven by is kept: its provider may be away just now.
  const isSame = stored !== undefined && isSameConfig(input.config, stored.config);
  if (isSame) input.config = stored.config;
  await checkConfig(options, input, scope, name, !isSame);
  const id = before?.id ?? newUuid();
  const configSealed = isSame ? stored.configSealed : await sealConfig(db, id, input.config);
  return { before, stored, input, configSealed, id };
}

function checkSaid(input: MethodInput, scope: Scope, edition: MethodOptions["edition"]): void {
  checkType(input.type, edition);
  checkContent(input, scope);
  checkSize(input.config);
  checkShownSecrets(input.config);
}

/**
 * Checks what would be written, and asks nobody for it.
 *
 * @param read given the form of its identities, once the configuration has been read
 * @throws AppError `invalid`
 */
export async function checkMethod(
  name: string,
  input: MethodInput,
  scope: Scope,
  options: MethodOptions,
  read: (form: IdentityForm) => void,
): Promise<void> {
  checkName(name);
  checkSaid(input, scope, options.edition);
  await checkConfig(options, input, scope, name, false, read);
}

/** As records show it. */
function shownConfig(config: RawConfig | undefined): Readonly<Record<string, unknown>> {
  return config === undefined ? {} : { Config: withoutSecrets(config) };
}

/** @param isNew whether what it names has to be asked, too */
async function checkConfig(
  { validators, regularExpressions, edition }: MethodOptions,
  { type, config, namespaceRules }: MethodInput,
  scope: Scope,
  name: string,
  isNew: boolean,
  read?: (form: IdentityForm) => void,
): Promise<void> {
  let validator: Validator | undefined;
  try {
    if (edition === "community") checkCommunityKeys(config);
    validator = await validators.create(type, config, scope, name);
    read?.(validator.form);
    if (validator.mapNamespace !== undefined) checkMayChooseNamespaces(scope, "MapNamespaces is");
    await checkNamespaceRules(namespaceRules, validator.form, regularExpressions);
    if (isNew) await validator.probe();
  } catch (error) {
    if (error instanceof ConfigError) throw invalidMethod(error.message);
    throw error;
  } finally {
    validator?.close();
  }
}

/** Namespaces in which those who wait for tokens are told at once; in more of them they are when the rows go. */
const MOST_TOLD = 500;

/**
 * Deletes an auth method. Its binding rules are gone and its tokens unknown at once; their rows are removed in the background.
 *
 * @throws AppError `not_found`, `conflict`, `forbidden`
 */
export async function deleteMethod(ctx: Context, { scope, key: name, cas }: Target): Promise<void> {
  checkPermission(ctx, scope, "acl", "write");
  const find = (tx: Transaction) => methodStore.byName(tx, scope, name);
  await deleteObject(ctx, scope, { noun: "auth method", cas }, find, async (tx, change, current) => {
    const elsewhere = await listNamespacesOfMethod(tx, current.id, MOST_TOLD);
    deleteRow(tx, current, new Date(ctx.now()).toISOString());
    change(AUTH_METHODS, fold(name));
    // Many of them may be: who waits for any is told, and the removal tells of each.
    change(BINDING_RULES, "");
    for (const namespace of new Set([scope.namespace, ...elsewhere])) {
      tx.touch({ partition: scope.partition, namespace, table: TOKENS, key: "" });
    }
  });
}
