/** Finds all who have a policy, as sets of policies with the keys of their rows in the ledger. */
import type { ApartSource } from "../../storage/database.ts";
import { byScope, slicesOf, type AccessSearch, type Candidate, type SubjectKind } from "../../explain/access/find.ts";
import { HeldPolicies, keyOf, type Held, type RunInTurns } from "../../explain/access/held.ts";
import { findLiving } from "../../acl/namespaces/living.ts";
import { tokenStore } from "../../acl/tokens/store.ts";
import type { PolicyRules } from "../../rights/rules/rule.ts";
import type { Steps } from "../../rights/rules/scanner.ts";
import type { Scope } from "../../rights/scope.ts";
import type { RoleHolder } from "./engine/role.ts";
import { keyOfMethod, keyOfSubject } from "./engine/uses.ts";
import { ExceedsBudget, MOST_SETS } from "./work.ts";

/** Members that all of these have. */
export interface Wanted {
  /** IDs of policies; empty for those of a role. */
  readonly policies: ReadonlySet<string>;
  readonly roles: ReadonlySet<string>;
}

export interface FoundHolders {
  readonly holders: readonly RoleHolder[];
  /** Scopes in which they lie. */
  readonly scopes: readonly Scope[];
  /** Numbers of subjects by kind. */
  readonly counts: Readonly<Record<SubjectKind, number>>;
}

type Search = Pick<AccessSearch, "lists" | "options" | "now">;
interface Draft extends Omit<RoleHolder, "subjects"> {
  subjects: Set<string>;
}

/** Returns the holders. @throws ExceedsBudget */
export async function findHolders(
  source: ApartSource,
  search: Search,
  wanted: Wanted,
  run: RunInTurns,
): Promise<FoundHolders> {
  const finder = new HolderFinder(source, search, wanted, run);
  for await (const { kind, found } of slicesOf(source, {
    ...search,
    kinds: ["role", "binding-rule", "token"],
    after: undefined,
  })) {
    for (const candidates of byScope(found)) await finder.add(kind, candidates);
  }
  return finder.found();
}

class HolderFinder {
  readonly #source: ApartSource;
  readonly #held: HeldPolicies;
  readonly #wanted: Wanted;
  readonly #run: RunInTurns;
  /** Roles that give what is wanted. They come first of all subjects. */
  readonly #roles: Set<string>;
  readonly #defaults = new Map<string, boolean>();
  readonly #drafts = new Map<string, Draft>();
  readonly #scopes = new Map<string, Scope>();
  readonly #counts: Record<SubjectKind, number> = { role: 0, "binding-rule": 0, token: 0 };

  constructor(source: ApartSource, { options }: Search, wanted: Wanted, run: RunInTurns) {
    this.#source = source;
    this.#wanted = wanted;
    this.#roles = new Set(wanted.roles);
    this.#run = run;
    this.#held = new HeldPolicies(source, options, all, run);
  }

  async add(kind: SubjectKind, candidates: readonly Candidate[]): Promise<void> {
    const scope = candidates[0]?.holder.scope;
    if (scope === undefined) return;
    // Also where there is nothing to do: a hundred thousand tokens take a while.
    await this.#run(pause());
    if (kind === "role")
      for (const { holder, entry } of candidates) if (this.#isGiven(holder)) this.#roles.add(entry.id);
    const byDefault = kind !== "role" && (await this.#isDefault(scope));
    const having = candidates.filter(({ holder, entry, isOwn }) => {
      if (entry.isComputed === true) return false;
      const isRole = kind === "role" && this.#roles.has(entry.id);
      return isRole || this.#isGiven(holder) || (byDefault && !isOwn);
    });
    if (having.length === 0) return;
    await this.#held.prepare(
      scope,
      having.map(({ holder }) => holder),
    );
    const methods = kind === "token" ? await this.#methodsOf(scope, having) : new Map<string, string>();
    for (const candidate of having) await this.#addOne(kind, candidate, methods.get(candidate.entry.id));
  }

  /** Logins are one with all of their auth method. */
  async #methodsOf(scope: Scope, having: readonly Candidate[]): Promise<Map<string, string>> {
    const ids = having.map(({ entry }) => entry.id);
    const tokens = await tokenStore.all(this.#source, scope, ids);
    return new Map(tokens.map(({ accessorId, authMethod }) => [accessorId, authMethod]));
  }

  async #addOne(kind: SubjectKind, { holder, entry, isOwn }: Candidate, method = ""): Promise<void> {
    const defaults = isOwn ? [] : await this.#held.defaultsOf(holder.scope);
    // In a namespace that is being deleted nothing counts.
    if (defaults === undefined) return;
    const direct = this.#held.of(holder);
    this.#counts[kind] += 1;
    this.#scopes.set(`${holder.scope.partition}/${holder.scope.namespace}`, holder.scope);
    const isWanted = kind === "role" && this.#wanted.roles.has(entry.id);
    const only = isWanted
      ? ([new Set(holder.policies), NONE] as const)
      : await this.#onlyByRole(holder, direct, defaults);
    const key = JSON.stringify([keyOf(direct), keyOf(defaults), only.map((ids) => [...ids].sort())]);
    let draft = this.#drafts.get(key);
    if (draft === undefined) {
      const [onlyDirect, onlyDefaults] = only;
      draft = { direct, defaults, onlyDirect, onlyDefaults, subjects: new Set() };
      if (this.#drafts.size >= MOST_SETS) throw new ExceedsBudget("holders");
      this.#drafts.set(key, draft);
    }
    if (kind === "token") draft.subjects.add(keyOfSubject({ kind: "token", accessorId: entry.id }));
    const authMethod = kind === "binding-rule" ? entry.authMethod : method;
    if (authMethod) draft.subjects.add(keyOfMethod(authMethod));
  }

  /** Policies that only the wanted roles give. */
  async #onlyByRole(
    holder: Candidate["holder"],
    direct: Held,
    defaults: Held,
  ): Promise<[ReadonlySet<string>, ReadonlySet<string>]> {
    if (this.#wanted.roles.size === 0) return [NONE, NONE];
    const living = defaults.length === 0 ? undefined : await findLiving(this.#source, holder.scope);
    const given = { policies: [], roles: [], ...living?.defaults };
    return [this.#without(holder, direct), this.#without(given, defaults)];
  }

  #without(given: { policies: readonly string[]; roles: readonly string[] }, held: Held): ReadonlySet<string> {
    if (!given.roles.some((id) => this.#wanted.roles.has(id))) return NONE;
    const others = new Set(given.policies);
    for (const id of given.roles)
      if (!this.#wanted.roles.has(id)) for (const policy of this.#held.policiesOf(id)) others.add(policy);
    return new Set(held.map(({ id }) => id).filter((id) => !others.has(id)));
  }

  #isGiven({ policies, roles }: Candidate["holder"]): boolean {
    return policies.some((id) => this.#wanted.policies.has(id)) || roles.some((id) => this.#roles.has(id));
  }

  async #isDefault(scope: Scope): Promise<boolean> {
    const key = `${scope.partition}/${scope.namespace}`;
    let isDefault = this.#defaults.get(key);
    if (isDefault === undefined) {
      const { defaults } = (await findLiving(this.#source, scope)) ?? {};
      isDefault =
        defaults?.policies.some((id) => this.#wanted.policies.has(id)) === true ||
        defaults?.roles.some((id) => this.#roles.has(id)) === true;
      this.#defaults.set(key, isDefault);
    }
    return isDefault;
  }

  found(): FoundHolders {
    return { holders: [...this.#drafts.values()], scopes: [...this.#scopes.values()], counts: this.#counts };
  }
}

const NONE: ReadonlySet<string> = new Set();

function* all(_policy: PolicyRules): Steps<boolean> {
  yield;
  return true;
}

function* pause(): Steps<void> {
  yield;
}
