/** What workspaces carry, for rules on tags. */
import { sql } from "kysely";
import type { Reader } from "../storage/database.ts";
import { defineQuery, oneOf } from "../storage/query.ts";

/** What a workspace carries by one link. */
export interface CarriedTag {
  workspace: string;
  name: string;
  marks: number;
  value: string;
}

const carried = defineQuery((db, p: { workspaces: readonly string[]; limit: number }, engine) =>
  db
    .selectFrom("workspace_tags")
    .innerJoin("tags", "tags.id", "workspace_tags.tag_id")
    .select(["workspace_id as workspace", "tags.name", "marks", "value"])
    .where(oneOf(engine, sql.ref("workspace_id"), p.workspaces))
    // In the order of its key PostgreSQL reads them from the index; without one it may walk the whole table.
    .$if(engine === "postgres", (query) => query.orderBy("workspace_id").orderBy("tag_id"))
    .limit(p.limit),
);

/** What workspaces carry, in no order. @param limit rows after which nothing more is read */
export function listCarried(db: Reader, workspaces: readonly string[], limit: number): Promise<CarriedTag[]> {
  return db.run(carried, { workspaces, limit });
}
