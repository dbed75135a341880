import { sql } from "kysely";
import { contains } from "../../storage/reads/conditions.ts";
import type { Reader, Transaction } from "../../storage/database.ts";
import { isListed, noteDeletedLink } from "../kit/link-store.ts";
import type { Grants } from "../grants.ts";
import type { ListScope } from "../../rights/permission.ts";
import type { PageRequest } from "../../lists/page.ts";
import type { RecordOf } from "../kit/records.ts";
import { scopedStore, type SortedObjects } from "../kit/scoped-objects.ts";
import type { Deletion } from "../kit/trash.ts";

export type Role = RecordOf<"roles", Grants>;

/** All that a decision takes of a role, stored or thought of. */
export type RoleGrants = Pick<Role, "id" | keyof Grants>;

export const { reads: roleStore, writes: writeRoles } = scopedStore<Role>("roles");

/** Filter of a role list. */
export interface RoleFilter {
  /** ID of a policy that they link to; empty for any. */
  policy: string;
}

/** Lists roles in order of namespaces and names, after the role of the page. */
export function listRoles(
  db: Reader,
  scope: ListScope,
  { policy }: RoleFilter,
  page: PageRequest & { size: number },
): Promise<Role[]> {
  return roleStore.list(db, scope, page, linking(db, policy));
}

/** The same in the order that is asked for. */
export function sortedRoles({ policy }: RoleFilter): SortedObjects<Role> {
  return roleStore.sorted(async (db, scope) =>
    policy === "" || (await isListed(db, "policies", scope, policy)) ? linking(db, policy) : undefined,
  );
}

function linking({ engine }: Reader, policy: string) {
  return policy === "" ? [] : [contains(engine, sql.ref("policies"), policy)];
}

export async function deleteRole(tx: Transaction, role: Role, deletion: Deletion): Promise<void> {
  await writeRoles.discard(tx, role, deletion);
  noteDeletedLink(tx, role.scope, role.id);
}
