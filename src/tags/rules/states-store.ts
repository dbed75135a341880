/** Reads the tags and keys of workspaces for tag policies. */
import { sql } from "kysely";
import type { Reader } from "../../storage/database.ts";
import { defineQuery, oneOf } from "../../storage/reads/query.ts";

/** One link of a workspace to a tag. */
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

/** Lists the tags and keys of workspaces, in no order. @param limit rows after which nothing more is read */
export function listCarried(db: Reader, workspaces: readonly string[], limit: number): Promise<CarriedTag[]> {
  return db.run(carried, { workspaces, limit });
}

const valuesOf = defineQuery((db, p: { tag: string; limit: number }) =>
  db
    .selectFrom("workspace_tags")
    .select("value")
    .where("tag_id", "=", p.tag)
    .where("marks", ">", 1)
    .union(db.selectFrom("project_tags").select("value").where("tag_id", "=", p.tag))
    .limit(p.limit),
);

/** Different values that a key has, in no order. @param limit values after which nothing more is read */
export async function listValuesOf(db: Reader, tag: string, limit: number): Promise<string[]> {
  return (await db.run(valuesOf, { tag, limit })).map(({ value }) => value);
}

/** Workspaces of a project that are looked at. */
const FIRST = 1000;

const lacking = defineQuery((db, p: { project: string; tag: string; first: number }) =>
  db
    .selectFrom(
      db
        .selectFrom("workspaces")
        .select("id")
        .where("project_id", "=", p.project)
        .orderBy("name_key")
        .limit(p.first)
        .as("member"),
    )
    .select("member.id")
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("workspace_tags")
            .select("tag_id")
            .whereRef("workspace_id", "=", "member.id")
            .where("tag_id", "=", p.tag),
        ),
      ),
    )
    .limit(1),
);

/** Finds one of the first workspaces of a project that does not have the tag itself, if there is one. */
export function findLacking(db: Reader, project: string, tag: string): Promise<{ id: string }[]> {
  return db.run(lacking, { project, tag, first: FIRST });
}
