import { sql } from "kysely";
import { contains } from "../storage/conditions.ts";
import type { Reader } from "../storage/database.ts";
import { defineQuery } from "../storage/query.ts";
import { notCarriedBy, TAG_COLUMNS, type Tag } from "./store.ts";

/**
 * Search in the pool by a part of the name. With three letters or more a
 * trigram index finds tags that few names fit at once; what fits many is a scan
 * of the organization's own names, so no other organization's size matters.
 */
export interface TagSearch {
  organization: string;
  /** Folded; made of characters that a name may have. */
  part: string;
  /** Tags on this workspace are left out; empty for none. */
  excludedWorkspace: string;
  limit: number;
  offset: number;
}

/** Matches of the trigram index up to which it is used. */
const FEW = 1000;
/** Shorter parts have no trigram. */
const TRIGRAM = 3;

/**
 * A page of the tags that match, in order of names, and how many match.
 *
 * @param db where long reads go
 */
export async function searchTags(db: Reader, search: TagSearch): Promise<{ tags: Tag[]; total: number }> {
  if (db.engine === "sqlite" && search.part.length >= TRIGRAM) {
    const rows = await db.run(fewMatches, { ...search, match: `"${search.part}"`, few: FEW + 1 });
    const [first] = rows;
    if (first === undefined) {
      // No row: either nothing matches, or the page lies behind the end.
      if (search.offset === 0) return { tags: [], total: 0 };
    } else if (first.matches <= FEW) {
      return { tags: rows, total: first.total };
    }
  }
  const [tags, counted] = await Promise.all([db.run(scan, search), db.run(countByScan, search)]);
  return { tags, total: counted[0]?.count ?? 0 };
}

/** Over all organizations the index finds at most `few` rows before it is decided to scan instead. */
const fewMatches = defineQuery((db, p: TagSearch & { match: string; few: number }) =>
  db
    .with(
      (cte) => cte("hits").materialized(),
      () =>
        sql<{ seq: number }>`(select rowid as seq from tags_search where tags_search match ${p.match} limit ${p.few})`,
    )
    .selectFrom("hits")
    // A cross join keeps the order: from the few hits to their tags, never the other way round.
    .crossJoin("tags")
    .where(sql<boolean>`tags.seq = hits.seq`)
    .select(TAG_COLUMNS)
    .select([sql<number>`count(*) over ()`.as("total"), sql<number>`(select count(*) from hits)`.as("matches")])
    .where("organization_id", "=", p.organization)
    .where(notCarriedBy(p.excludedWorkspace))
    .orderBy("name")
    .limit(p.limit)
    .offset(p.offset),
);

const scan = defineQuery((db, p: TagSearch, engine) =>
  db
    .selectFrom("tags")
    .select(TAG_COLUMNS)
    .where("organization_id", "=", p.organization)
    .where(contains(engine, sql.ref("name"), p.part))
    .where(notCarriedBy(p.excludedWorkspace))
    .orderBy("name")
    .limit(p.limit)
    .offset(p.offset),
);

const countByScan = defineQuery((db, p: TagSearch, engine) =>
  db
    .selectFrom("tags")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organization_id", "=", p.organization)
    .where(contains(engine, sql.ref("name"), p.part))
    .where(notCarriedBy(p.excludedWorkspace)),
);
