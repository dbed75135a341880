import type { Reader } from "../storage/database.ts";
import { defineQuery } from "../storage/query.ts";

const byId = defineQuery((db, p: { organization: string; id: string }) =>
  db.selectFrom("workspaces").select("name").where("id", "=", p.id).where("organization_id", "=", p.organization),
);

/** Name of a workspace of this organization; undefined when it has no such workspace. */
export async function findWorkspaceName(db: Reader, organization: string, id: string): Promise<string | undefined> {
  return (await db.run(byId, { organization, id }))[0]?.name;
}
