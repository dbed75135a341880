import { sql, type Kysely, type SqlBool } from "kysely";
import { contains } from "../../storage/reads/conditions.ts";
import type { Reader } from "../../storage/database.ts";
import type { Engine } from "../../storage/engine.ts";
import { defineQuery } from "../../storage/reads/query.ts";
import type { Tables } from "../../storage/tables/tables.ts";
import { notCarriedBy, TAG_COLUMNS, type Tag } from "./store.ts";

/**
 * Search in the pool by a part of the name. With three letters or more a trigram index finds tags that few names fit at
 * once; what fits many is a scan of the organization's own names, so no other organization's size matters.
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

/** The search with what its queries need. */
interface SearchParams extends TagSearch {
  /** For `ilike`, whose index PostgreSQL has; of what a name may hold, only `_` is special in it. */
  pattern: string;
}

/** Matches of the trigram index up to which it is used. */
const FEW = 1000;
/** Shorter parts have no trigram. */
const TRIGRAM = 3;
/** Rows that a scan may pass over in the event loop, and tags up to which the index is asked there. */
const NEAR = { scan: 1000, index: 20_000 };

/**
 * A page of the tags that match, in order of names, and how many match.
 *
 * @param poolSize how many tags the organization has
 */
export async function searchTags(
  db: Reader & { long: Reader },
  asked: TagSearch,
  poolSize: number,
): Promise<{ tags: Tag[]; total: number }> {
  const search = { ...asked, pattern: patternOf(asked.part) };
  if (db.engine === "sqlite" && search.part.length >= TRIGRAM) {
    const [highest] = await db.run(highestNumber, {});
    const reader = (highest?.seq ?? 0) > NEAR.index ? db.long : db;
    const bounds = { match: trigrams(search.part), few: FEW + 1 };
    // One more than the page takes tells whether there are others: mostly there are none, and nothing has to be counted.
    const rows = await reader.run(fewMatches(search), { ...search, ...bounds, limit: search.limit + 1 });
    const [first] = rows;
    if (first !== undefined && first.matches <= FEW) {
      const seen = search.offset + rows.length;
      const isLast = rows.length <= search.limit;
      const counted = isLast ? [] : await reader.run(countFewMatches(search), { ...search, ...bounds });
      return { tags: rows.slice(0, search.limit), total: Math.max(seen, counted[0]?.count ?? 0) };
    }
    // Without a row nothing matches, or the page lies behind the end, or the first hits are all of other organizations.
    if (first === undefined && search.offset === 0) {
      const [counted] = await reader.run(countHits, bounds);
      if ((counted?.hits ?? 0) <= FEW) return { tags: [], total: 0 };
    }
  }
  const reader = poolSize > NEAR.scan ? db.long : db;
  const [tags, counted] = await Promise.all([
    reader.run(scan(search), search),
    reader.run(countByScan(search), search),
  ]);
  return { tags, total: counted[0]?.count ?? 0 };
}

/**
 * A query in two forms, chosen by whether a workspace is excluded: without that condition the names come from an index
 * alone, which counts a million of them five times as fast.
 */
function withAndWithout<Q>(define: (excluding: boolean) => Q): (search: TagSearch) => Q {
  const [without, excluding] = [define(false), define(true)];
  return (search) => (search.excludedWorkspace === "" ? without : excluding);
}

/** Returns the pattern that `holds` compares names with on PostgreSQL. @param part as `soughtPart` gives it */
export function patternOf(part: string): string {
  return `%${part.replaceAll("_", "\\_")}%`;
}

/** Checks whether the name contains the part, in any case. @param p what `soughtPart` and `patternOf` give */
export function holds(engine: Engine, p: { part: string; pattern: string }) {
  return engine === "postgres" ? sql<SqlBool>`name ilike ${p.pattern}` : contains(engine, sql`lower(name)`, p.part);
}

/** Counts in the index of the names, which is the smallest; SQLite, which keeps no statistics, would take any that holds them. */
export function leadByName<Q extends { where(column: "name", operator: ">", value: string): Q }>(query: Q): Q {
  return query.where("name", ">", "");
}

/** Tags are numbered as they are made, so this bounds the length of the index's lists. SQLite only. */
const highestNumber = defineQuery((db, _: object) =>
  db.selectFrom("tags").select(sql<number | null>`max(seq)`.as("seq")),
);

/**
 * The query of the index for names that may hold `part`: the trigrams that cover it, without those that overlap, since
 * each costs a walk through its list. That they stand beside each other is checked on the names.
 */
function trigrams(part: string): string {
  const covering = new Set<string>();
  for (let start = 0; start + TRIGRAM <= part.length; start += TRIGRAM) {
    covering.add(`"${part.slice(start, start + TRIGRAM)}"`);
  }
  covering.add(`"${part.slice(-TRIGRAM)}"`);
  return [...covering].join(" AND ");
}

type FewParams = SearchParams & { match: string; few: number };

/** Over all organizations the index finds at most `few` rows before it is decided to scan instead. */
function matching(db: Kysely<Tables>, p: FewParams, engine: Engine, excluding: boolean) {
  return (
    db
      .with(
        (cte) => cte("hits").materialized(),
        () =>
          sql<{
            seq: number;
          }>`(select rowid as seq from tags_search where tags_search match ${p.match} limit ${p.few})`,
      )
      .selectFrom("hits")
      // A cross join keeps the order: from the few hits to their tags, never the other way round.
      .crossJoin("tags")
      .where(sql<boolean>`tags.seq = hits.seq`)
      .where("organization_id", "=", p.organization)
      .where(holds(engine, p))
      .$if(excluding, (query) => query.where(notCarriedBy(p.excludedWorkspace)))
  );
}

// Counting in a window costs as much again as all the rest.
const fewMatches = withAndWithout((excluding) =>
  defineQuery((db, p: FewParams, engine) =>
    matching(db, p, engine, excluding)
      .select(TAG_COLUMNS)
      .select(sql<number>`(select count(*) from hits)`.as("matches"))
      .orderBy("name")
      .limit(p.limit)
      .offset(p.offset),
  ),
);

const countFewMatches = withAndWithout((excluding) =>
  defineQuery((db, p: FewParams, engine) =>
    matching(db, p, engine, excluding).select((eb) => eb.fn.countAll<number>().as("count")),
  ),
);

const countHits = defineQuery((db, p: { match: string; few: number }) =>
  db.selectNoFrom(
    sql<number>`(select count(*) from (select 1 from tags_search where tags_search match ${p.match} limit ${p.few}))`.as(
      "hits",
    ),
  ),
);

const scan = withAndWithout((excluding) =>
  defineQuery((db, p: SearchParams, engine) =>
    db
      .selectFrom("tags")
      .select(TAG_COLUMNS)
      .where("organization_id", "=", p.organization)
      .where(holds(engine, p))
      .$if(excluding, (query) => query.where(notCarriedBy(p.excludedWorkspace)))
      .orderBy("name")
      .limit(p.limit)
      .offset(p.offset),
  ),
);

const countByScan = withAndWithout((excluding) =>
  defineQuery((db, p: SearchParams, engine) =>
    db
      .selectFrom("tags")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("organization_id", "=", p.organization)
      .$if(engine === "sqlite", leadByName)
      .where(holds(engine, p))
      .$if(excluding, (query) => query.where(notCarriedBy(p.excludedWorkspace))),
  ),
);
