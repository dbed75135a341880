/**
 * Auth methods: who may vouch for identities, and how. Implements
 * `/v1/acl/auth-method` and `/v1/acl/auth-methods`. What a method's identities
 * are is `identities/`; what they are given is `acl/binding-rules` and `acl/login`.
 */
import type { Context } from "../../context.ts";
import { authorize } from "../../rights/authorize.ts";
import type { RawConfig } from "../../identities/validator.ts";
import { AppError } from "../../errors.ts";
import type { Reader, Transaction } from "../../storage/database.ts";
import { orRefuse } from "../kit/ask.ts";
import { AUTH_METHODS, BINDING_RULES, TOKENS } from "../../rights/kinds.ts";
import { checkCas, changePrepared, checkMayWrite, Outdated, type NoteChange } from "../kit/write.ts";
import { listObjects, readObject, type WriteTarget } from "../kit/objects.ts";
import { deletionBy, type Restoring } from "../kit/trash.ts";
import type { ListOf } from "../../lists/page.ts";
import { checkPermission } from "../../rights/permission.ts";
import { fold } from "../../fold.ts";
import type { Scope } from "../../rights/scope.ts";
import { listNamespacesOfMethod } from "../tokens/store.ts";
import { newUuid } from "../../rights/uuid.ts";
import { askConfig, askContent, withType, type MethodInput, type MethodOptions } from "./asked.ts";
import { checkName } from "./check.ts";
import { isSameConfig, openConfig, openWithReading, sealConfig, sealForTrash, withoutSecrets } from "./config.ts";
import { methodStore, writeMethods, deleteMethod as deleteRow, type AuthMethod, type ListedMethod } from "./store.ts";

export type { MethodInput, MethodOptions } from "./asked.ts";
export type { AuthMethod, ListedMethod } from "./store.ts";

/** Gives the content from that of the stored method, undefined when there is none. Without side effects, since it may run again. */
type MethodEdit = (current: MethodInput | undefined) => MethodInput;

/** An auth method with its configuration, as the caller may see it. */
export interface OpenMethod extends AuthMethod {
  config: RawConfig;
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
 * @param restoring when the method comes from the trash; the target then has `cas` 0
 * @throws AppError `invalid`, `conflict`, `forbidden`
 */
export async function writeMethod(
  ctx: Context,
  target: WriteTarget,
  edit: MethodEdit,
  options: MethodOptions,
  restoring?: Restoring,
): Promise<OpenMethod> {
  const { scope, key: name } = target;
  await checkMayWrite(ctx, scope);
  checkName(name);
  return changePrepared(
    ctx,
    scope,
    `auth method ${fold(name)}`,
    () => prepare(ctx, target, edit, options),
    (tx, change, prepared) => write(tx, change, target, { ...prepared, restoring }),
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
  change: NoteChange,
  { scope, key: name, cas }: WriteTarget,
  { before, stored, input, configSealed, id, restoring }: Prepared & { restoring: Restoring | undefined },
): Promise<OpenMethod> {
  const [index, current] = await Promise.all([tx.index(), methodStore.byName(tx, scope, name)]);
  if (current?.id !== before?.id || current?.modifyIndex !== before?.modifyIndex) throw new Outdated();
  checkCas(cas, current);
  await restoring?.take(tx, {});
  const { type, displayName, description, maxTokenTtl, tokenLocality, namespaceRules } = input;
  const content = { displayName, description, maxTokenTtl, tokenLocality, namespaceRules, configSealed };
  const method: AuthMethod =
    current === undefined
      ? { id, scope, name, type, ...content, rulesIndex: index, rulesWeight: 0, createIndex: index, modifyIndex: index }
      : { ...current, ...content, modifyIndex: index };
  const shown = { before: shownConfig(stored?.config), after: shownConfig(input.config) };
  if (current === undefined) writeMethods.insert(tx, method, { ...restoring?.told, ...shown });
  else writeMethods.update(tx, method, current, shown);
  change(AUTH_METHODS, fold(name));
  return { ...method, config: input.config };
}

/** Does the slow part of a write: contacts the addresses of the configuration, and encrypts it. */
async function prepare(
  { db }: Context,
  { scope, key: name, cas }: WriteTarget,
  edit: MethodEdit,
  options: MethodOptions,
): Promise<Prepared> {
  const before = await methodStore.byName(db, scope, name);
  const stored = before && { ...before, ...(await openWithReading(db, before)) };
  const input = withType(edit(stored), before);
  // A change that is not written contacts no address.
  checkCas(cas, before);
  const wanted = { scope, name, input, before };
  await askContent(orRefuse, wanted, options.edition);
  // One that stands already is not tried again, and what it was proven by is kept: its provider may be away just now.
  const isKept = stored !== undefined && input.config === stored.config;
  const isSame = stored !== undefined && isSameConfig(input.config, stored.config);
  if (isSame) input.config = stored.config;
  await askConfig(orRefuse, wanted, options, !isSame);
  const id = before?.id ?? newUuid();
  // A configuration that is written again is read by the present reading; a change of other members leaves it as it is.
  const configSealed =
    isKept || (isSame && stored.reading === "present") ? stored.configSealed : await sealConfig(db, id, input.config);
  return { before, stored, input, configSealed, id };
}

/** Configuration as audit records show it. */
function shownConfig(config: RawConfig | undefined): Readonly<Record<string, unknown>> {
  return config === undefined ? {} : { Config: withoutSecrets(config) };
}

/**
 * Maximum number of namespaces in which waiters for tokens are notified at once; beyond it they are when the rows are
 * removed.
 */
const MOST_TOLD = 500;

/**
 * Deletes an auth method. Its binding rules are gone and its tokens unknown at once; their rows are removed in the background.
 *
 * @throws AppError `not_found`, `conflict`, `forbidden`
 */
export async function deleteMethod(ctx: Context, { scope, key: name, cas }: WriteTarget): Promise<void> {
  checkPermission(ctx, scope, "acl", "write");
  const deletion = deletionBy(ctx);
  const find = (db: Reader) => methodStore.byName(db, scope, name);
  const read = async () => {
    const before = await find(ctx.db);
    return { before, configSealed: before && (await sealForTrash(ctx.db, before, deletion.id)) };
  };
  const work = async (tx: Transaction, change: NoteChange, { before, configSealed }: ForTrash) => {
    const current = await find(tx);
    if (current === undefined) throw new AppError("not_found", "Cannot find auth method to delete");
    checkCas(cas, current);
    if (current.id !== before?.id || current.configSealed !== before.configSealed) throw new Outdated();
    const elsewhere = await listNamespacesOfMethod(tx, current.id, MOST_TOLD);
    await deleteRow(tx, current, deletion, configSealed);
    change(AUTH_METHODS, fold(name));
    // Many rules may be affected: this notifies waiters for any rule, and the removal notifies about each.
    change(BINDING_RULES, "");
    for (const namespace of new Set([scope.namespace, ...elsewhere])) {
      tx.touch({ partition: scope.partition, namespace, table: TOKENS, key: "" });
    }
  };
  await changePrepared(ctx, scope, `auth method ${fold(name)}`, read, work, { mayBeMarked: true });
}

/** A method that is to be deleted, and its configuration for the trash. */
interface ForTrash {
  before: AuthMethod | undefined;
  configSealed: string | undefined;
}
