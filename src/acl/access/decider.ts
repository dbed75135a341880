/** Whether somebody may do one thing, for very many of them: only the policies that speak of it count, and those are few. */
import type { Reader } from "../../storage/database.ts";
import { explainAuthorization } from "../authorize.ts";
import { syntheticPolicies } from "../effective.ts";
import { NO_GRANTS, type Grants } from "../grants.ts";
import { findLiving } from "../namespaces/living.ts";
import { policyStore, type Policy } from "../policies/store.ts";
import { roleStore, type Role } from "../roles/store.ts";
import { compileAuthorizer } from "../rules/compile.ts";
import { parseStoredInSteps } from "../rules/parse.ts";
import type { Access, PolicyRules, Resource } from "../rules/rule.ts";
import { atOnce } from "../../turns.ts";
import { homeOf, type Scope } from "../scope.ts";

/** What is asked of everybody; plain data. */
export interface AccessQuestion {
  resource: Resource;
  segment: string;
  access: Access;
  scope: Scope;
}

export interface DeciderOptions {
  defaultPolicy: "allow" | "deny";
  edition: "enterprise" | "community";
  datacenter: string;
}

/** Somebody who is given something. */
export interface Holder extends Grants {
  roles: readonly string[];
  scope: Scope;
}

/** Why somebody may. */
export interface Allowed {
  decidedBy: string;
  policies: readonly { id: string; name: string; isByDefault: boolean }[];
}

/** The policies of one set that speak of the question. */
type Relevant = readonly PolicyRules[];

/** Decides one question about many. What it keeps is of one list, and goes with it. */
export class AccessDecider {
  readonly #db: Reader;
  readonly #question: AccessQuestion;
  readonly #options: DeciderOptions;
  /** By ID; undefined where they do not speak of the question. */
  readonly #policies = new Map<string, PolicyRules | undefined>();
  /** By ID; undefined where there is none. */
  readonly #roles = new Map<string, Role | undefined>();
  readonly #defaults = new Map<string, Relevant | undefined>();
  readonly #decided = new Map<string, Allowed | undefined>();
  /** The same by what is linked to: most tokens have what many others have. */
  readonly #byLinks = new Map<string, Allowed | undefined>();

  constructor(db: Reader, question: AccessQuestion, options: DeciderOptions) {
    this.#db = db;
    this.#question = question;
    this.#options = options;
  }

  /** Reads together what is linked to by these, which lie in one scope; call it before each of them is decided. */
  async prepare(scope: Scope, holders: readonly Pick<Holder, "policies" | "roles">[]): Promise<void> {
    const roles = new Set(holders.flatMap((each) => each.roles));
    await this.#load(
      this.#roles,
      roles,
      (ids) => roleStore.all(this.#db, scope, ids),
      (role) => role,
    );
    const ofRoles = [...roles].flatMap((id) => this.#roles.get(id)?.policies ?? []);
    const policies = new Set([...holders.flatMap((each) => each.policies), ...ofRoles]);
    await this.#load(
      this.#policies,
      policies,
      (ids) => policyStore.all(this.#db, scope, ids),
      (policy) => this.#relevant(policy, false),
    );
  }

  /** Undefined when it is denied. @param withDefaults whether the defaults of its namespace count */
  async decide(holder: Holder, withDefaults = true): Promise<Allowed | undefined> {
    const links = linksKey(holder, withDefaults);
    if (links !== undefined && this.#byLinks.has(links)) return this.#byLinks.get(links);
    const allowed = await this.#decideAnew(holder, withDefaults);
    if (links !== undefined && this.#byLinks.size < MOST_KEPT) this.#byLinks.set(links, allowed);
    return allowed;
  }

  async #decideAnew(holder: Holder, withDefaults: boolean): Promise<Allowed | undefined> {
    const defaults = withDefaults ? await this.#defaultsOf(holder.scope) : [];
    // In a namespace that is being deleted nothing counts.
    if (defaults === undefined) return undefined;
    const direct = this.#relevantOf(holder);
    const key = [direct, defaults]
      .map((each) =>
        each
          .map(({ id, home }) => `${id}@${home.namespace}`)
          .sort()
          .join(),
      )
      .join("|");
    if (this.#decided.has(key)) return this.#decided.get(key);
    const allowed = this.#explain(direct, defaults);
    this.#decided.set(key, allowed);
    return allowed;
  }

  #explain(direct: Relevant, defaults: Relevant): Allowed | undefined {
    const { resource, segment, access, scope } = this.#question;
    const rights = compileAuthorizer({ direct, defaults, defaultPolicy: this.#options.defaultPolicy });
    const { allow, decidedBy, policies = [] } = explainAuthorization(rights, resource, segment, access, scope);
    if (!allow) return undefined;
    const isByDefault = decidedBy === "default";
    return { decidedBy, policies: policies.map(({ ID, Name }) => ({ id: ID, name: Name, isByDefault })) };
  }

  #relevantOf({ scope, ...grants }: Holder): Relevant {
    const found = new Map<string, PolicyRules>();
    for (const given of [grants, ...grants.roles.map((id) => this.#roles.get(id) ?? NO_GRANTS)]) {
      for (const id of given.policies) {
        const policy = this.#policies.get(id);
        if (policy !== undefined) found.set(id, policy);
      }
      for (const { policy } of syntheticPolicies(given)) {
        const key = `${scope.partition}/${scope.namespace} ${policy.id}`;
        if (!this.#policies.has(key)) {
          const whole = { ...policy, scope, createIndex: 0, modifyIndex: 0 };
          this.#policies.set(key, this.#relevant(whole, true));
        }
        const rules = this.#policies.get(key);
        if (rules !== undefined) found.set(policy.id, rules);
      }
    }
    return [...found.values()];
  }

  async #defaultsOf(scope: Scope): Promise<Relevant | undefined> {
    const key = `${scope.partition}/${scope.namespace}`;
    if (this.#defaults.has(key)) return this.#defaults.get(key);
    const namespace = await findLiving(this.#db, scope);
    let relevant: Relevant | undefined;
    if (namespace !== undefined) {
      const home = homeOf(scope.partition);
      const holder = { ...NO_GRANTS, ...namespace.defaults, roles: namespace.defaults?.roles ?? [], scope: home };
      await this.prepare(home, [holder]);
      relevant = this.#relevantOf(holder);
    }
    this.#defaults.set(key, relevant);
    return relevant;
  }

  /** The rules of a policy, if any of them is about the question. */
  #relevant(policy: Policy, isSynthetic: boolean): PolicyRules | undefined {
    const { datacenter, edition, defaultPolicy } = this.#options;
    const { id, name, scope: home, datacenters, rules: text } = policy;
    if (datacenters.length > 0 && !datacenters.includes(datacenter)) return undefined;
    const parsed: PolicyRules = {
      id,
      name,
      rules: atOnce(parseStoredInSteps(text, edition)),
      home,
      links: [],
      isSynthetic,
    };
    const { resource, segment, access, scope } = this.#question;
    // What lets see a namespace, and what is said of any intention, is more than one rule says.
    if ((resource === "namespace" && access === "read") || (resource === "intention" && segment === "*")) return parsed;
    const alone = compileAuthorizer({ direct: [parsed], defaults: [], defaultPolicy });
    const { decidedBy } = explainAuthorization(alone, resource, segment, access, scope);
    return decidedBy === "direct" ? parsed : undefined;
  }

  async #load<T extends { id: string }, K>(
    known: Map<string, K | undefined>,
    ids: ReadonlySet<string>,
    read: (ids: readonly string[]) => Promise<T[]>,
    keep: (found: T) => K | undefined,
  ): Promise<void> {
    const missing = [...ids].filter((id) => !known.has(id));
    for (let start = 0; start < missing.length; start += AT_ONCE) {
      const some = missing.slice(start, start + AT_ONCE);
      for (const id of some) known.set(id, undefined);
      for (const found of await read(some)) known.set(found.id, keep(found));
    }
  }
}

/** Sets of links whose decision is kept. */
const MOST_KEPT = 20_000;

/** The same for who is given the same; undefined for who has identities, of which each is mostly alone. */
function linksKey(holder: Holder, withDefaults: boolean): string | undefined {
  const { policies, roles, serviceIdentities, nodeIdentities, templatedPolicies, scope } = holder;
  if (serviceIdentities.length + nodeIdentities.length + templatedPolicies.length > 0) return undefined;
  return `${scope.partition}/${scope.namespace} ${withDefaults} ${policies.join()} ${roles.join()}`;
}

/** Objects that one statement reads. */
const AT_ONCE = 128;
