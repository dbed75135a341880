/** The names of a pool, in slices. */
import type { Reader } from "../../../storage/database.ts";
import { defineQuery } from "../../../storage/reads/query.ts";
import type { GroupedTag } from "./as-json.ts";

interface SliceParams {
  organization: string;
  after: string;
  limit: number;
}

const names = defineQuery((db, p: SliceParams) =>
  db
    .selectFrom("tags")
    .select("name")
    .where("organization_id", "=", p.organization)
    .where("name", ">", p.after)
    .orderBy("name")
    .limit(p.limit),
);

const tags = defineQuery((db, p: SliceParams) =>
  db
    .selectFrom("tags")
    .select(["id", "name", "instance_count as instanceCount", "created_at as createdAt"])
    .where("organization_id", "=", p.organization)
    .where("name", ">", p.after)
    .orderBy("name")
    .limit(p.limit),
);

/** Names behind one, in their order. @param after empty for the first */
export function listNamesAfter(
  db: Reader,
  organization: string,
  after: string,
  limit: number,
): Promise<{ name: string }[]> {
  return db.run(names, { organization, after, limit });
}

/** Lists tags behind one name, in order of names, with the columns that groups show. */
export function listTagsAfter(db: Reader, organization: string, after: string, limit: number): Promise<GroupedTag[]> {
  return db.run(tags, { organization, after, limit });
}
