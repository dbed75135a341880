/** Queries on the rules of organizations for their tags. */
import type { Reader, Transaction } from "../../storage/database.ts";
import { insertOf, selectionOf, type ObjectOf } from "../../storage/writes/objects.ts";
import { definePoint, defineQuery } from "../../storage/reads/query.ts";
import type { Enforcement, TagRule } from "./rule.ts";

/** The rules of an organization. */
export interface StoredTagPolicy {
  id: string;
  organizationId: string;
  enforce: Enforcement;
  rules: readonly TagRule[];
  createdAt: string;
  updatedAt: string;
}

const byOrganization = definePoint("tag_policies.organization_id", (db) =>
  db.selectFrom("tag_policies").select(selectionOf("tag_policies")),
);

/** The rules of an organization; undefined when it has none. */
export async function findTagPolicy(db: Reader, organizationId: string): Promise<StoredTagPolicy | undefined> {
  const row: ObjectOf<"tag_policies"> | undefined = await db.point(byOrganization, organizationId);
  return row && { ...row, rules: JSON.parse(row.rules) as TagRule[] };
}

const insert = insertOf("tag_policies");

export function insertTagPolicy(tx: Transaction, policy: StoredTagPolicy): void {
  tx.write(insert, { ...policy, rules: JSON.stringify(policy.rules) });
}

const update = defineQuery((db, p: Omit<ObjectOf<"tag_policies">, "id" | "createdAt">) =>
  db
    .updateTable("tag_policies")
    .set({ enforce: p.enforce, rules: p.rules, updated_at: p.updatedAt })
    .where("organization_id", "=", p.organizationId),
);

export function updateTagPolicy(tx: Transaction, policy: StoredTagPolicy): void {
  const { organizationId, enforce, rules, updatedAt } = policy;
  tx.write(update, { organizationId, enforce, rules: JSON.stringify(rules), updatedAt });
}

const remove = defineQuery((db, p: { organization: string }) =>
  db.deleteFrom("tag_policies").where("organization_id", "=", p.organization),
);

export function deleteTagPolicy(tx: Transaction, organization: string): void {
  tx.write(remove, { organization });
}
