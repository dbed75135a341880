/** Objects of access control as they were at a moment: as they are now, with the changes since then taken back. */
import { AppError } from "../../../errors.ts";
import { recordedForm } from "../../../acl/audited.ts";
import type { Grants } from "../../../acl/grants.ts";
import { findNamespace, shownInRecords, type NamespaceDefaults } from "../../../acl/namespaces/store.ts";
import { policyStore, type Policy } from "../../../acl/policies/store.ts";
import { readStoredRules, type PolicyText } from "../../../acl/policies/stored-rules.ts";
import type { PolicyEdition } from "../../../acl/policies/service.ts";
import { roleStore } from "../../../acl/roles/store.ts";
import { tokenStore } from "../../../acl/tokens/store.ts";
import { rightsTurns } from "../../../acl/rule-limit.ts";
import { undone, type RecordedObject } from "../../../records/changes.ts";
import { countRules, type Rule } from "../../../rights/rules/rule.ts";
import { RulesError } from "../../../rights/rules/scanner.ts";
import { homeOf, type Scope } from "../../../rights/scope.ts";
import type { Reader } from "../../../storage/database.ts";
import { keyOf, type PastWalk } from "./walk.ts";

/** Shows objects as records do. */
const FORMS = {
  token: recordedForm("tokens"),
  role: recordedForm("roles"),
  policy: recordedForm("policies"),
  namespace: recordedForm("namespaces"),
};

/** A token as it was. */
export interface PastToken extends Grants {
  roles: readonly string[];
  authMethod: string;
  /** In milliseconds since the epoch; undefined for never. */
  expiresAt: number | undefined;
}

export type PastRole = Grants & { id: string; name: string };

/** Reads objects of a partition as they were. */
export class PastObjects {
  readonly #db: Reader;
  readonly #walk: PastWalk;
  readonly #edition: PolicyEdition;
  /** All that was read. */
  readonly read = new Set<string>();

  constructor(db: Reader, walk: PastWalk, edition: PolicyEdition) {
    this.#db = db;
    this.#walk = walk;
    this.#edition = edition;
  }

  /** @throws AppError `not_recorded` when a record that is needed does not say what it was */
  async token(scope: Scope, accessorId: string): Promise<PastToken | undefined> {
    const past = await this.#before("token", accessorId, await tokenStore.find(this.#db, scope, accessorId), scope);
    if (past === undefined) return undefined;
    const { Roles = [], AuthMethod = "", ExpirationTime } = past as PastMembers;
    const expiresAt = ExpirationTime === undefined ? undefined : Date.parse(ExpirationTime);
    return { ...grantsOf(past), roles: Roles, authMethod: AuthMethod, expiresAt };
  }

  async role(scope: Scope, id: string): Promise<PastRole | undefined> {
    const past = await this.#before("role", id, await roleStore.find(this.#db, scope, id), scope);
    return past && { ...grantsOf(past), id, name: String(past["Name"]) };
  }

  async policy(scope: Scope, id: string): Promise<PolicyText | undefined> {
    const current = await policyStore.find(this.#db, scope, id);
    const past = await this.#before("policy", id, current, scope);
    if (past === undefined) return undefined;
    const { Name = "", Rules = "", Datacenters = [] } = past as PastMembers;
    const hash = current?.rules === Rules ? current.hash : "";
    const policy = { id, name: Name, scope, rules: Rules, ruleCount: 0, datacenters: Datacenters, hash };
    const rules = await this.#rulesOf(policy, current);
    return { ...policy, ruleCount: countRules(rules) };
  }

  /** Defaults of a namespace; undefined where it did not exist, or was being deleted. */
  async namespace({ partition, namespace }: Scope): Promise<NamespaceDefaults | undefined> {
    const found = await findNamespace(this.#db, { partition, namespace });
    const home = homeOf(partition);
    const past = await this.#before("namespace", namespace, found && { ...shownInRecords(found), scope: home }, home);
    if (past === undefined || past["DeletedAt"] !== undefined) return undefined;
    const { DefaultPolicies = [], DefaultRoles = [] } = past as PastMembers;
    return { policies: DefaultPolicies, roles: DefaultRoles };
  }

  /** @param current as it is now; undefined where it is gone */
  async #before(
    kind: keyof typeof FORMS,
    id: string,
    current: object | undefined,
    scope: Scope,
  ): Promise<RecordedObject> {
    this.read.add(keyOf(kind, id));
    let state: RecordedObject = FORMS[kind](current);
    for await (const row of this.#walk.about(kind, id)) {
      // An object in another scope is not the requested one, whatever it is.
      if (row.partition !== scope.partition || row.namespace !== scope.namespace) return undefined;
      const { changes } = JSON.parse(row.detail) as { changes?: unknown };
      if (changes === undefined && row.action === "delete") throw lost(kind, id, row.at);
      try {
        state = undone(state, changes);
      } catch {
        throw lost(kind, id, row.at);
      }
    }
    return state;
  }

  /**
   * The rules of a policy. Records do not say by which grammar it was read: a text that both read alike needs no saying.
   *
   * @throws AppError `not_recorded` when they differ
   */
  async #rulesOf(policy: PolicyText, current: Policy | undefined): Promise<readonly Rule[]> {
    const read = async (grammar: "earlier" | "present") => {
      try {
        return await rightsTurns.run(readStoredRules(policy, this.#edition, { grammar }));
      } catch (error) {
        if (error instanceof RulesError) return undefined;
        throw error;
      }
    };
    if (current?.rules === policy.rules) return rightsTurns.run(readStoredRules(policy, this.#edition));
    const [present, earlier] = [await read("present"), await read("earlier")];
    if (present === undefined || JSON.stringify(present) !== JSON.stringify(earlier))
      throw new AppError("not_recorded", `The earlier rules of policy ${policy.id} cannot be read`);
    return present;
  }
}

/** Members as records show them; empty ones are left out. */
interface PastMembers {
  Name?: string;
  Rules?: string;
  Datacenters?: string[];
  Roles?: string[];
  AuthMethod?: string;
  ExpirationTime?: string;
  DefaultPolicies?: string[];
  DefaultRoles?: string[];
  Policies?: string[];
  ServiceIdentities?: Grants["serviceIdentities"];
  NodeIdentities?: Grants["nodeIdentities"];
  TemplatedPolicies?: Grants["templatedPolicies"];
}

function grantsOf(past: NonNullable<RecordedObject>): Grants {
  const { Policies = [], ServiceIdentities = [], NodeIdentities = [], TemplatedPolicies = [] } = past as PastMembers;
  return {
    policies: Policies,
    serviceIdentities: ServiceIdentities,
    nodeIdentities: NodeIdentities,
    templatedPolicies: TemplatedPolicies,
  };
}

function lost(kind: string, id: string, at: string): AppError {
  return new AppError(
    "not_recorded",
    `Cannot compute the earlier ${kind} ${id}: the audit record of ${at} is incomplete`,
  );
}
