/**
 * How many objects there may be: checked where a transaction commits, once for all kinds. It holds the counter of what the
 * objects lie in, so what it reads stays true until then, however many write at once.
 */
import { AppError } from "../../errors.ts";
import { type Counted, type CountedKind, KINDS } from "./counted.ts";
import type { Database, Transaction } from "../database.ts";
import { defineQuery } from "../reads/query.ts";

/** Whether the rows of a table are counted where they lie. */
export function isCounted(table: string): table is CountedKind {
  return table in KINDS;
}

/** How many objects of a kind there may be in one place; any number of those that are not named. */
export type ObjectLimits = Readonly<Partial<Record<CountedKind, number | undefined>>>;

/** @returns a database in which nobody makes more than that; what the server makes by itself is not refused */
export function limitingObjects(db: Database, limits: ObjectLimits): Database {
  if (Object.values(limits).every((limit) => limit === undefined)) return db;
  return {
    ...db,
    inTransaction(counter, work, origin) {
      if (origin === undefined) return db.inTransaction(counter, work);
      return db.inTransaction(
        counter,
        async (tx) => {
          const added = new Map<string, Counted & { by: number }>();
          const result = await work({
            ...tx,
            adds(counted, by = 1) {
              tx.adds(counted, by);
              const key = `${counted.kind} ${counted.place}`;
              added.set(key, { ...counted, by: (added.get(key)?.by ?? 0) + by });
            },
          });
          for (const each of added.values()) await check(tx, each, limits[each.kind]);
          return result;
        },
        origin,
      );
    },
  };
}

async function check(tx: Transaction, { kind, place, by }: Counted & { by: number }, limit?: number): Promise<void> {
  if (limit === undefined || by <= 0) return;
  const { noun, of, option } = KINDS[kind];
  const before = await countBefore(tx, { kind, place }, limit);
  if (before + by <= limit) return;
  throw new AppError("limit_reached", `Limit reached: at most ${limit} ${noun} per ${of} (--${option})`);
}

/** Counts the objects before this transaction. @param most number at which the count may stop */
function countBefore(tx: Transaction, { kind, place }: Counted, most: number): Promise<number> {
  if (kind === "organizations" || kind === "partitions") return countRows(tx, kind, most);
  return KINDS[kind].of === "organization" ? countIn(tx, kind, place) : countOf(tx, `${place}/${kind}`);
}

/** Organizations and partitions are created seldom and have no counter: at most as many rows are read as may exist. */
async function countRows(tx: Transaction, table: "organizations" | "partitions", most: number): Promise<number> {
  const some = tx.sql.selectFrom(table).select("name").limit(most).as("some");
  const row = await tx.sql
    .selectFrom(some)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirst();
  return row?.count ?? 0;
}

async function countOf(tx: Transaction, name: string): Promise<number> {
  const [row] = await tx.run(findCount, { name });
  return row?.value ?? 0;
}

const findCount = defineQuery((db, p: { name: string }) =>
  db.selectFrom("object_counts").select("value").where("name", "=", p.name),
);

async function countIn(tx: Transaction, kind: CountedKind, id: string): Promise<number> {
  const [row] = await tx.run(findCounts, { id });
  return row?.[kind as "tags" | "workspaces" | "projects"] ?? 0;
}

const findCounts = defineQuery((db, p: { id: string }) =>
  db
    .selectFrom("organizations")
    .select(["tag_count as tags", "workspace_count as workspaces", "project_count as projects"])
    .where("id", "=", p.id),
);
