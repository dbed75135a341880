/** The kinds of objects whose earlier versions can be read: where one is, and what its records show of it now. */
import type { Context } from "../../context.ts";
import { recordedForm } from "../../acl/audited.ts";
import { openConfig, withoutSecrets } from "../../acl/auth-methods/config.ts";
import { readMethod } from "../../acl/auth-methods/service.ts";
import { readBindingRule } from "../../acl/binding-rules/service.ts";
import { readNamespace } from "../../acl/namespaces/service.ts";
import { findNamespace, recordedNamespace } from "../../acl/namespaces/store.ts";
import { readPolicy } from "../../acl/policies/service.ts";
import { readRole } from "../../acl/roles/service.ts";
import { AppError } from "../../errors.ts";
import type { RecordedObject } from "../../records/changes.ts";
import { homeOf, type Scope } from "../../rights/scope.ts";
import { fold } from "../../fold.ts";

/** An object as its records show it. */
export type Recorded = NonNullable<RecordedObject>;

/** An object as it is now. */
export interface Present {
  /** ID of the object in its records. */
  objectId: string;
  /** Scope of its records. */
  scope: Scope;
  recorded: Recorded;
}

export interface HistoryKind {
  /** Kind in audit records. */
  readonly kind: "policy" | "role" | "binding-rule" | "auth-method" | "namespace";
  /** Reads the object, for callers that may. @throws AppError `not_found`, `forbidden` */
  present(ctx: Context, scope: Scope, key: string): Promise<Present>;
}

const formOfPolicy = recordedForm("policies");
const formOfRole = recordedForm("roles");
const formOfRule = recordedForm("binding_rules");
const formOfMethod = recordedForm("auth_methods");

/** Kinds by the query parameter that names an object of them. */
export const HISTORY_KINDS: Readonly<Record<string, HistoryKind>> = {
  policy: {
    kind: "policy",
    async present(ctx, scope, id) {
      const policy = await readPolicy(ctx, scope, id);
      return { objectId: policy.id, scope, recorded: formOfPolicy(policy) ?? {} };
    },
  },
  role: {
    kind: "role",
    async present(ctx, scope, id) {
      const role = await readRole(ctx, scope, id);
      const policies = role.policies.map((link) => link.id);
      return { objectId: role.id, scope, recorded: formOfRole({ ...role, policies }) ?? {} };
    },
  },
  "binding-rule": {
    kind: "binding-rule",
    async present(ctx, scope, id) {
      const rule = await readBindingRule(ctx, scope, id);
      return { objectId: rule.id, scope, recorded: formOfRule(rule) ?? {} };
    },
  },
  "auth-method": {
    kind: "auth-method",
    async present(ctx, scope, name) {
      const method = await readMethod(ctx, scope, name);
      const Config = withoutSecrets(await openConfig(ctx.db, method));
      return { objectId: method.id, scope, recorded: formOfMethod(method, { Config }) ?? {} };
    },
  },
  namespace: {
    kind: "namespace",
    async present(ctx, { partition }, name) {
      const place = { partition, namespace: fold(name) };
      await readNamespace(ctx, place);
      const found = await findNamespace(ctx.db, place);
      if (found === undefined) throw new AppError("not_found", `Namespace "${place.namespace}" does not exist`);
      return { objectId: found.name, scope: homeOf(partition), recorded: recordedNamespace(found) ?? {} };
    },
  },
};
