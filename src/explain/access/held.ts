/**
 * Finds the policies of a subject that are about the question, for very many subjects: most sets contain few of those.
 */
import type { Reader } from "../../storage/database.ts";
import { atOnce, createTurns } from "../../turns.ts";
import { syntheticPolicies } from "../../acl/effective.ts";
import { NO_GRANTS, type Grants } from "../../acl/grants.ts";
import { findLiving } from "../../acl/namespaces/living.ts";
import type { NamespaceDefaults } from "../../acl/namespaces/store.ts";
import { policyStore } from "../../acl/policies/store.ts";
import { readStoredRules, type PolicyText } from "../../acl/policies/stored-rules.ts";
import { roleStore, type RoleGrants } from "../../acl/roles/store.ts";
import type { PolicyRules } from "../../rights/rules/rule.ts";
import type { Steps } from "../../rights/rules/scanner.ts";
import { homeOf, type Scope } from "../../rights/scope.ts";

export interface DeciderOptions {
  defaultPolicy: "allow" | "deny";
  edition: "enterprise" | "community";
  datacenter: string;
}

/** Subject that has grants. */
export interface AccessHolder extends Grants {
  roles: readonly string[];
  scope: Scope;
}

/** The policies of one set that speak of the question. */
export type Held = readonly PolicyRules[];

/** Drafts in place of stored objects, by ID; null for objects that would be deleted. */
export interface Drafts {
  policies: ReadonlyMap<string, PolicyText | null>;
  roles: ReadonlyMap<string, RoleGrants | null>;
  /** Grants that namespaces of one partition would make to all their tokens, by folded name. */
  defaults: ReadonlyMap<string, NamespaceDefaults>;
}

/** Does work in turns. @throws an error when it takes too long */
export type RunInTurns = <T>(work: Generator<void, T>) => Promise<T>;

const turns = createTurns();

/** The turns of all that looks at what very many hold, where one of them may have as many rules as a token may. */
export const inTurns: RunInTurns = (work) => turns.run(work);

const NO_DRAFTS: Drafts = { policies: new Map(), roles: new Map(), defaults: new Map() };

/** Reads the policies of holders. Its caches belong to one list, and are dropped with it. */
export class HeldPolicies {
  readonly #db: Reader;
  readonly #options: DeciderOptions;
  readonly #speaks: (policy: PolicyRules) => Steps<boolean>;
  readonly #run: RunInTurns;
  readonly #drafts: Drafts;
  /** By ID; undefined when they are not about the question. */
  readonly #policies = new Map<string, PolicyRules | undefined>();
  /** By ID; undefined when the role does not exist. */
  readonly #roles = new Map<string, RoleGrants | undefined>();
  readonly #defaults = new Map<string, Held | undefined>();

  /** @param speaks whether a policy has to do with what is asked */
  constructor(
    db: Reader,
    options: DeciderOptions,
    speaks: (policy: PolicyRules) => Steps<boolean>,
    run: RunInTurns = inTurns,
    drafts: Drafts = NO_DRAFTS,
  ) {
    this.#db = db;
    this.#options = options;
    this.#speaks = speaks;
    this.#run = run;
    this.#drafts = drafts;
  }

  /** Reads together what is linked to by these, which lie in one scope; call it before each of them is looked at. */
  async prepare(scope: Scope, holders: readonly Pick<AccessHolder, "policies" | "roles">[]): Promise<void> {
    const roles = new Set(holders.flatMap((each) => each.roles));
    await this.#load(
      this.#roles,
      roles,
      this.#drafts.roles,
      (ids) => roleStore.all(this.#db, scope, ids),
      async (role) => role,
    );
    const ofRoles = [...roles].flatMap((id) => this.#roles.get(id)?.policies ?? []);
    const policies = new Set([...holders.flatMap((each) => each.policies), ...ofRoles]);
    await this.#load(
      this.#policies,
      policies,
      this.#drafts.policies,
      (ids) => policyStore.all(this.#db, scope, ids),
      (policy) => this.#run(this.#relevant(policy, false)),
    );
  }

  /** Policies of a holder itself. */
  of({ scope, ...grants }: AccessHolder): Held {
    const found = new Map<string, PolicyRules>();
    for (const given of [grants, ...grants.roles.map((id) => this.#roles.get(id) ?? NO_GRANTS)]) {
      for (const id of given.policies) {
        const policy = this.#policies.get(id);
        if (policy !== undefined) found.set(id, policy);
      }
      for (const { policy } of syntheticPolicies(given)) {
        const key = `${scope.partition}/${scope.namespace} ${policy.id}`;
        if (!this.#policies.has(key)) {
          this.#policies.set(key, atOnce(this.#relevant({ ...policy, scope }, true)));
        }
        const rules = this.#policies.get(key);
        if (rules !== undefined) found.set(policy.id, rules);
      }
    }
    return [...found.values()];
  }

  /** IDs of the policies of a role that has been read. */
  policiesOf(role: string): readonly string[] {
    return this.#roles.get(role)?.policies ?? [];
  }

  /** Policies that a namespace grants to all its tokens; undefined when it is being deleted, since none apply. */
  async defaultsOf(scope: Scope): Promise<Held | undefined> {
    const key = `${scope.partition}/${scope.namespace}`;
    if (this.#defaults.has(key)) return this.#defaults.get(key);
    const namespace = await findLiving(this.#db, scope);
    let relevant: Held | undefined;
    if (namespace !== undefined) {
      const home = homeOf(scope.partition);
      const defaults = this.#drafts.defaults.get(scope.namespace) ?? namespace.defaults;
      const holder = { ...NO_GRANTS, ...defaults, roles: defaults?.roles ?? [], scope: home };
      await this.prepare(home, [holder]);
      relevant = this.of(holder);
    }
    this.#defaults.set(key, relevant);
    return relevant;
  }

  /** The rules of a policy, if any of them is about what is asked. */
  *#relevant(policy: PolicyText, isSynthetic: boolean): Steps<PolicyRules | undefined> {
    const parsed = yield* parsePolicy(policy, this.#options, isSynthetic);
    return parsed !== undefined && (yield* this.#speaks(parsed)) ? parsed : undefined;
  }

  async #load<T extends { id: string }, K>(
    known: Map<string, K | undefined>,
    ids: ReadonlySet<string>,
    drafts: ReadonlyMap<string, T | null>,
    read: (ids: readonly string[]) => Promise<T[]>,
    keep: (found: T) => Promise<K | undefined>,
  ): Promise<void> {
    const missing: string[] = [];
    for (const id of ids) {
      if (known.has(id)) continue;
      const draft = drafts.get(id);
      if (draft === undefined) missing.push(id);
      else known.set(id, draft === null ? undefined : await keep(draft));
    }
    for (let start = 0; start < missing.length; start += AT_ONCE) {
      const some = missing.slice(start, start + AT_ONCE);
      for (const id of some) known.set(id, undefined);
      for (const found of await read(some)) known.set(found.id, await keep(found));
    }
  }
}

/** Returns the rules of a policy; undefined where it does not count in this datacenter. */
export function* parsePolicy(
  policy: PolicyText,
  { datacenter, edition }: DeciderOptions,
  isSynthetic: boolean,
): Steps<PolicyRules | undefined> {
  const { id, name, scope: home, datacenters } = policy;
  if (datacenters.length > 0 && !datacenters.includes(datacenter)) return undefined;
  return { id, name, rules: yield* readStoredRules(policy, edition), home, links: [], isSynthetic };
}

/** Returns an equal key for equal policies, in any order. */
export function keyOf(held: Held): string {
  return held
    .map(({ id, home }) => `${id}@${home.namespace}`)
    .sort()
    .join();
}

/** The same for who is given the same; undefined for who has identities, of which each is mostly alone. */
export function linksKey(holder: AccessHolder, withDefaults: boolean): string | undefined {
  const { policies, roles, serviceIdentities, nodeIdentities, templatedPolicies, scope } = holder;
  if (serviceIdentities.length + nodeIdentities.length + templatedPolicies.length > 0) return undefined;
  return `${scope.partition}/${scope.namespace} ${withDefaults} ${policies.join()} ${roles.join()}`;
}

/** Objects that one statement reads. */
const AT_ONCE = 128;
