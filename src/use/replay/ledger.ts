/** Rows of the use ledger as a replay reads them, and how far they reach. */
import { sql } from "kysely";
import type { ListScope } from "../../rights/permission.ts";
import type { Scope } from "../../rights/scope.ts";
import type { Reader } from "../../storage/database.ts";
import { visible } from "../../storage/reads/conditions.ts";
import type { UseRow } from "../../records/uses/row.ts";
import { findSince, readGap, readRows } from "../store.ts";

/** Reads the rows of the subjects in a list, one namespace after the other. */
export async function* readLedger(db: Reader, list: ListScope): AsyncGenerator<readonly UseRow[]> {
  for (const scope of await scopesOf(db, list)) yield* readRows(db, scope);
}

/** How far the ledger reaches. */
export interface LedgerReach {
  /** Since when uses are noted without interruption; empty where no ledger is kept. */
  since: string;
  /** Last day on which uses were left out for want of room, as days since 1970-01-01; undefined for never. */
  gap: number | undefined;
}

export async function readReach(db: Reader, list: ListScope): Promise<LedgerReach> {
  const [since] = await db.run(findSince, {});
  let gap: number | undefined;
  for (const scope of await scopesOf(db, list)) {
    const day = await readGap(db, scope);
    if (day !== undefined) gap = Math.max(gap ?? day, day);
  }
  return { since: since?.value ?? "", gap };
}

/** Namespaces that are being deleted are among them: their tokens count for nothing, which a replay finds. */
async function scopesOf(db: Reader, { partition, namespace, visible: seen }: ListScope): Promise<Scope[]> {
  if (seen === undefined) return [{ partition, namespace }];
  const rows = await db.sql
    .selectFrom("namespaces")
    .select("name")
    .where("partition", "=", partition)
    .where(visible(db.engine, sql.ref("name"), seen))
    .orderBy("name")
    .execute();
  return rows.map(({ name }) => ({ partition, namespace: name }));
}
