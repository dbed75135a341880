/** The kinds of objects in the trash: how each is made anew, by the write that creates one, and what has its name. */
import type { Context } from "../../context.ts";
import type { Reader } from "../../storage/database.ts";
import type { TrashKind } from "../../storage/tables/trash.ts";
import { fold } from "../../fold.ts";
import { homeOf, type Scope } from "../../rights/scope.ts";
import { openTrashed } from "../auth-methods/config.ts";
import { writeMethod, type MethodOptions } from "../auth-methods/service.ts";
import { methodStore, type AuthMethod } from "../auth-methods/store.ts";
import { createBindingRule, type BindingRuleChecks } from "../binding-rules/service.ts";
import type { BindingRule } from "../binding-rules/store.ts";
import type { LinksOf } from "../kit/links.ts";
import { recordsOf } from "../kit/records.ts";
import type { Restoring, TrashedTable } from "../kit/trash.ts";
import { writeNamespace } from "../namespaces/service.ts";
import { findNamespace, namespaceIn } from "../namespaces/store.ts";
import { createPolicy } from "../policies/service.ts";
import { policyStore, type Policy } from "../policies/store.ts";
import { createRole } from "../roles/service.ts";
import { roleStore, type Role } from "../roles/store.ts";
import { restoreToken } from "../tokens/restore.ts";
import type { Token } from "../tokens/store.ts";
import type { TrashEntry } from "./store.ts";

/** Means of the writes that create objects. */
export type RestoreChecks = MethodOptions & BindingRuleChecks;

/** Restore that is under way. */
interface Restore {
  ctx: Context;
  entry: TrashEntry;
  /** Name of the restored object; empty for kinds without a name. */
  name: string;
  restoring: Restoring;
  options: RestoreChecks;
}

/** Object that was restored, as its service returns it; a token as its new secret. */
export type RestoredObject =
  | { kind: "policy"; object: Awaited<ReturnType<typeof createPolicy>> }
  | { kind: "role"; object: Awaited<ReturnType<typeof createRole>> }
  | { kind: "binding-rule"; object: BindingRule }
  | { kind: "auth-method"; object: Awaited<ReturnType<typeof writeMethod>> }
  | { kind: "namespace" }
  | { kind: "token"; secretId: string };

interface RestoredKind {
  /** Whether its objects have names, and can be restored under another. */
  isNamed: boolean;
  /** Creates the object. @throws AppError as the write that creates one */
  restore(restore: Restore): Promise<RestoredObject>;
  /** Links to policies and roles, with the scope of those. Default: none. */
  linksOf?(entry: TrashEntry): LinksOf;
  /** Finds the object that has a name. */
  byName?(db: Reader, scope: Scope, name: string): Promise<object | undefined>;
}

/** Makes the function that returns the object of an entry, without the members that are not kept. */
function contentOf<R extends object>(table: TrashedTable): (entry: TrashEntry) => R {
  const { part } = recordsOf<TrashedTable, R>(table);
  return ({ content }) => part(JSON.parse(content) as object) as R;
}

const policyIn = contentOf<Policy>("policies");
const roleIn = contentOf<Role>("roles");
const tokenIn = contentOf<Token>("tokens");
const ruleIn = contentOf<BindingRule>("binding_rules");
const methodIn = contentOf<AuthMethod>("auth_methods");
const linksTo = (ids: readonly string[]) => ids.map((id) => ({ id }));

export const TRASH_KINDS: Readonly<Record<TrashKind, RestoredKind>> = {
  policy: {
    isNamed: true,
    byName: (db, scope, name) => policyStore.byName(db, scope, name),
    async restore({ ctx, entry, name, restoring, options }) {
      const { scope } = entry;
      const input = { ...policyIn(entry), name };
      const target = { scope, key: "", cas: undefined };
      return { kind: "policy", object: await createPolicy(ctx, target, input, options.edition, restoring) };
    },
  },
  role: {
    isNamed: true,
    byName: (db, scope, name) => roleStore.byName(db, scope, name),
    linksOf: (entry) => roleIn(entry),
    async restore({ ctx, entry, name, restoring }) {
      const { scope } = entry;
      const role = roleIn(entry);
      const target = { scope, key: "", cas: undefined };
      const input = { ...role, name, policies: linksTo(role.policies) };
      return { kind: "role", object: await createRole(ctx, target, input, restoring) };
    },
  },
  token: {
    isNamed: false,
    linksOf: (entry) => tokenIn(entry),
    async restore({ ctx, entry, restoring }) {
      const token = tokenIn(entry);
      const links = { policies: linksTo(token.policies), roles: linksTo(token.roles) };
      return { kind: "token", secretId: await restoreToken(ctx, { ...token, ...links }, restoring) };
    },
  },
  "binding-rule": {
    isNamed: false,
    async restore({ ctx, entry, restoring, options }) {
      const { authMethod, description, selector, bindType, bindName, bindVars } = ruleIn(entry);
      const input = { authMethod, description, selector, bindType, bindName, bindVars };
      const target = { scope: entry.scope, key: "", cas: undefined };
      const made = { ...options, idempotent: undefined, restoring };
      return { kind: "binding-rule", object: await createBindingRule(ctx, target, input, made) };
    },
  },
  "auth-method": {
    isNamed: true,
    byName: (db, scope, name) => methodStore.byName(db, scope, name),
    async restore({ ctx, entry, name, restoring, options }) {
      const { type, displayName, description, maxTokenTtl, tokenLocality, namespaceRules } = methodIn(entry);
      const config = await openTrashed(ctx.db, entry.configSealed, entry.id);
      const input = { type, displayName, description, maxTokenTtl, tokenLocality, namespaceRules, config };
      const target = { scope: entry.scope, key: name, cas: 0 };
      return { kind: "auth-method", object: await writeMethod(ctx, target, () => input, options, restoring) };
    },
  },
  namespace: {
    isNamed: true,
    byName: (db, { partition }, name) => findNamespace(db, { partition, namespace: fold(name) }),
    linksOf: ({ content, scope }) => ({
      policies: [],
      ...namespaceIn(content).defaults,
      scope: homeOf(scope.partition),
    }),
    async restore({ ctx, entry, name, restoring }) {
      const { description, meta, defaults } = namespaceIn(entry.content);
      const links = { policies: linksTo(defaults?.policies ?? []), roles: linksTo(defaults?.roles ?? []) };
      const input = { description, meta, defaults: defaults && links };
      const target = { partition: entry.scope.partition, namespace: fold(name) };
      await writeNamespace(ctx, target, { edit: () => input, links, cas: 0, restoring });
      return { kind: "namespace" };
    },
  },
};
