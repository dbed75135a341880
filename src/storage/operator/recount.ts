/** Compares the numbers of objects that writes keep with the rows, and corrects what differs: a person may have changed rows by hand. */
import { sql } from "kysely";
import type { Database, Reader } from "../database.ts";
import { COUNT_ALL, correct } from "../writes/object-counts.ts";
import type { Removal } from "./removal.ts";

/** A number that differs from its rows. */
interface WrongCount {
  /** As `partition/namespace/tokens`, or `partition/namespaces`. */
  name: string;
  kept: number;
  counted: number;
}

const EVERY_MS = 6 * 60 * 60_000;

/**
 * The comparison as background work, for one server at a time.
 *
 * @param onWrong told of each number after it was corrected
 */
export function recountObjects(db: Database, onWrong: (wrong: WrongCount) => void): Removal {
  return {
    lease: "object-counts",
    rows: { least: 1, most: 1 },
    everyMs: EVERY_MS,
    async jobs() {
      return (await findWrong(db.long)).map(({ name }) => ({
        async remove() {
          const [partition = ""] = name.split("/");
          const wrong = await db.inTransaction({ kind: "partition", name: partition }, async (tx) => {
            const still = await compare(tx, name);
            if (still.kept === still.counted) return undefined;
            tx.unrecorded("no object is changed");
            correct(tx, name, still.counted);
            return still;
          });
          if (wrong !== undefined) onWrong(wrong);
          return { removed: 0, isLast: true };
        },
      }));
    },
  };
}

/** One statement, so that both sides are of the same moment. */
async function findWrong(db: Reader): Promise<WrongCount[]> {
  const { rows } = await sql<CountRow>`
    select coalesce(c.name, o.name) as name, coalesce(o.value, 0) as kept, coalesce(c.value, 0) as counted
    from (${sql.raw(COUNT_ALL)}) c full join object_counts o on o.name = c.name
    where coalesce(o.value, 0) <> coalesce(c.value, 0) order by 1`.execute(db.sql);
  return rows.map(ofRow);
}

/** Compares one number, while nobody else writes there. */
async function compare(tx: Reader, name: string): Promise<WrongCount> {
  const [partition = "", ...rest] = name.split("/");
  const table = rest.at(-1) ?? "";
  const here = sql`partition = ${partition}${rest.length > 1 ? sql` and namespace = ${rest[0]}` : sql``}`;
  const { rows } = await sql<CountRow>`
    select ${name} as name, (select count(*) from ${sql.table(table)} where ${here}) as counted,
      coalesce((select value from object_counts where name = ${name}), 0) as kept`.execute(tx.sql);
  const [row] = rows;
  return ofRow(row ?? { name, kept: 0, counted: 0 });
}

/** PostgreSQL returns large integers as text. */
type CountRow = Record<keyof WrongCount, string | number>;

function ofRow({ name, kept, counted }: CountRow): WrongCount {
  return { name: String(name), kept: Number(kept), counted: Number(counted) };
}
