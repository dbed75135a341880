/**
 * The next login of an identity under drafted binding rules. Claims are not kept, so it is known only as
 * far as it follows from the rules that the record of the last login names.
 */
import { isOfNodes, planBinding, type BindingRuleContent } from "../../acl/bindings/binding.ts";
import { NO_GRANTS, type Grants } from "../../acl/grants.ts";
import { policyStore } from "../../acl/policies/store.ts";
import { roleStore } from "../../acl/roles/store.ts";
import { findLoginRules } from "../../acl/tokens/login-subject.ts";
import type { Token } from "../../acl/tokens/store.ts";
import { readBindingRulesOfMethod } from "../../acl/binding-rules/store.ts";
import type { AccessHolder } from "../../explain/access/held.ts";
import { fold } from "../../fold.ts";
import { DEFAULT_SCOPE, type Scope } from "../../rights/scope.ts";
import type { Reader } from "../../storage/database.ts";
import { isComputed } from "../../templates/template.ts";

/** A drafted binding rule; plain data. Undefined before for a new one, and after for one that would be deleted. */
export interface BindingDraft {
  id: string;
  methodId: string;
  /** Name of the auth method. */
  authMethod: string;
  before: BindingRuleContent | undefined;
  after: BindingRuleContent | undefined;
}

type Given = Grants & { roles: readonly string[] };

/** Objects of a draft that are not stored yet, by the IDs that the draft gives them. */
type Made = Readonly<Record<"policies" | "roles", ReadonlyMap<string, unknown>>>;

/** Drafted binding rules by auth method. */
export class LoginDrafts {
  readonly #byMethod: ReadonlyMap<string, readonly BindingDraft[]>;
  readonly #names: ReadonlySet<string>;
  readonly #made: Made;
  readonly #datacenter: string;

  constructor(drafts: readonly BindingDraft[], made: Made, datacenter: string) {
    this.#byMethod = Map.groupBy(drafts, ({ methodId }) => methodId);
    this.#names = new Set(drafts.map(({ authMethod }) => fold(authMethod)));
    this.#made = made;
    this.#datacenter = datacenter;
  }

  /** Whether rules of a method with this name are drafted. */
  concern(authMethod: string): boolean {
    return this.#names.has(fold(authMethod));
  }

  /** @returns the token as the next login would make it; itself where no rule is drafted, undefined where the claims decide */
  async after(db: Reader, token: Token): Promise<AccessHolder | undefined> {
    const drafts = this.#byMethod.get(token.methodId) ?? [];
    if (drafts.length === 0) return token;
    const matched = await findLoginRules(db, token);
    if (matched === undefined) return undefined;
    const lost: BindingRuleContent[] = [];
    const come: BindingRuleContent[] = [];
    for (const { id, before, after } of drafts) {
      const did = before !== undefined && matched.includes(id);
      const does = after === undefined ? false : matches(did, before, after);
      if (does === undefined) return undefined;
      if (did) lost.push(before);
      if (does && after !== undefined) come.push(after);
    }
    const touched = new Set(drafts.map(({ id }) => id));
    const others = matched.filter((id) => !touched.has(id));
    const kept = lost.length === 0 ? [] : await readBindingRulesOfMethod(db, token.methodId, others);
    return this.#changed(db, token, { lost, stay: [...kept, ...come] });
  }

  async #changed(
    db: Reader,
    token: Token,
    { lost, stay }: Record<"lost" | "stay", readonly BindingRuleContent[]>,
  ): Promise<AccessHolder | undefined> {
    const less = await this.#givenBy(db, token.scope, lost);
    const more = await this.#givenBy(db, token.scope, stay);
    if (less === undefined || more === undefined) return undefined;
    const after: AccessHolder = {
      scope: token.scope,
      policies: replaced(token.policies, less.policies, more.policies),
      roles: replaced(token.roles, less.roles, more.roles),
      serviceIdentities: replaced(token.serviceIdentities, less.serviceIdentities, more.serviceIdentities),
      nodeIdentities: replaced(token.nodeIdentities, less.nodeIdentities, more.nodeIdentities),
      templatedPolicies: replaced(token.templatedPolicies, less.templatedPolicies, more.templatedPolicies),
    };
    return after;
  }

  /** Grants of rules together; undefined where a part of one is computed from claims. */
  async #givenBy(db: Reader, scope: Scope, rules: readonly BindingRuleContent[]): Promise<Given | undefined> {
    const all: Given[] = [];
    for (const rule of rules) {
      const given = await this.#given(db, scope, rule);
      if (given === undefined) return undefined;
      all.push(given);
    }
    return {
      policies: all.flatMap(({ policies }) => policies),
      roles: all.flatMap(({ roles }) => roles),
      serviceIdentities: all.flatMap(({ serviceIdentities }) => serviceIdentities),
      nodeIdentities: all.flatMap(({ nodeIdentities }) => nodeIdentities),
      templatedPolicies: all.flatMap(({ templatedPolicies }) => templatedPolicies),
    };
  }

  async #given(db: Reader, scope: Scope, rule: BindingRuleContent): Promise<Given | undefined> {
    const plan = planBinding(rule);
    if ([plan.name, ...(plan.variable === undefined ? [] : [plan.variable])].some(isComputed)) return undefined;
    const name = plan.name.text;
    const nothing: Given = { ...NO_GRANTS, roles: [] };
    // Nodes are in the default namespace only.
    if (isOfNodes({ bindType: plan.bindType, name }) && scope.namespace !== DEFAULT_SCOPE.namespace) return nothing;
    switch (plan.bindType) {
      case "role":
        return { ...nothing, roles: this.#linked("roles", name, await roleStore.byName(db, scope, name)) };
      case "policy":
        return { ...nothing, policies: this.#linked("policies", name, await policyStore.byName(db, scope, name)) };
      case "service":
        return { ...nothing, serviceIdentities: [{ serviceName: name, datacenters: [] }] };
      case "node":
        return { ...nothing, nodeIdentities: [{ nodeName: name, datacenter: this.#datacenter }] };
      case "templated-policy": {
        const templated = { templateName: name, variableName: plan.variable?.text, datacenters: [] };
        return { ...nothing, templatedPolicies: [templated] };
      }
    }
  }

  #linked(table: keyof Made, name: string, stored: { id: string } | undefined): string[] {
    const id = stored?.id ?? `new ${fold(name)}`;
    return stored !== undefined || this.#made[table].has(id) ? [id] : [];
  }
}

/** Whether a drafted rule matches an identity; undefined where its claims decide. @param did whether the stored one does */
function matches(did: boolean, before: BindingRuleContent | undefined, after: BindingRuleContent): boolean | undefined {
  if (after.selector === "") return true;
  return before?.selector === after.selector ? did : undefined;
}

/** The list without what is lost, and with what comes. */
function replaced<T>(list: readonly T[], lost: readonly T[], come: readonly T[]): T[] {
  const gone = new Set(lost.map((each) => JSON.stringify(each)));
  const left = [...list.filter((each) => !gone.has(JSON.stringify(each))), ...come];
  return [...new Map(left.map((each) => [JSON.stringify(each), each])).values()];
}
