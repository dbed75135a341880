/** Tags of the pool as jobs look for them: in order of their names, from one on. */
import { sql, type SqlBool } from "kysely";
import { contains } from "../../../storage/reads/conditions.ts";
import type { Reader } from "../../../storage/database.ts";
import type { JobTagFilter } from "../request.ts";

export interface PoolSums {
  tags: number;
  /** Uses by workspaces and projects, once for each tag. */
  workspaces: number;
  projects: number;
}

/** Ids and names of the next tags that the filter asks for. @param after name behind which they begin */
export async function listPoolTags(
  db: Reader,
  organization: string,
  filter: JobTagFilter,
  after: string,
  limit: number,
): Promise<{ id: string; name: string }[]> {
  if (filter.part === undefined) return [];
  return filtered(db, organization, { ...filter, part: filter.part })
    .select(["id", "name"])
    .where("name", ">", after)
    .orderBy("name")
    .limit(limit)
    .execute();
}

/** How many they are, and how much they are used. @param except a name that does not count */
export async function sumPoolTags(
  db: Reader,
  organization: string,
  filter: JobTagFilter,
  except: string,
): Promise<PoolSums> {
  if (filter.part === undefined) return { tags: 0, workspaces: 0, projects: 0 };
  const [row] = await filtered(db, organization, { ...filter, part: filter.part })
    .where("name", "<>", except)
    .select((eb) => [
      eb.fn.countAll<number>().as("tags"),
      sql<number>`cast(coalesce(sum(instance_count), 0) as bigint)`.as("workspaces"),
      sql<number>`cast(coalesce(sum(project_count), 0) as bigint)`.as("projects"),
    ])
    .execute();
  return row ?? { tags: 0, workspaces: 0, projects: 0 };
}

function filtered(db: Reader, organization: string, { part, isUnused, least, most }: JobTagFilter & { part: string }) {
  const isUsed = sql<SqlBool>`instance_count + project_count > 0`;
  return db.sql
    .selectFrom("tags")
    .where("organization_id", "=", organization)
    .$if(part !== "", (query) => query.where(contains(db.engine, sql`lower(name)`, part)))
    .$if(isUnused !== undefined, (query) => query.where(isUnused === true ? sql<SqlBool>`not (${isUsed})` : isUsed))
    .$if(least > 0, (query) => query.where("instance_count", ">=", least))
    .$if(most < Number.MAX_SAFE_INTEGER, (query) => query.where("instance_count", "<=", most));
}
