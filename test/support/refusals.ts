/** Records of refusals, as tests look for them. */
import { expect } from "vitest";
import type { Database } from "../../src/storage/database.ts";
import { selectionOf, type ObjectOf } from "../../src/storage/writes/objects.ts";

/** A record with its detail read. */
export interface RefusalRecord extends Omit<ObjectOf<"audit_records">, "detail"> {
  // oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects by asserting it
  detail: any;
}

/** All that there are now, in the order of their chains. */
export async function refusalsIn(db: Database): Promise<RefusalRecord[]> {
  const rows = await db.sql
    .selectFrom("audit_records")
    .select(selectionOf("audit_records"))
    .where("outcome", "=", "refused")
    .orderBy("chain")
    .orderBy("seq")
    .execute();
  return rows.map((row) => ({ ...row, detail: JSON.parse(row.detail) as unknown }));
}

/** The records of a request, as soon as it is in one. They are written in the background. */
export async function refusalOf(db: Database, answer: { headers: Record<string, unknown> }): Promise<RefusalRecord> {
  const id = String(answer.headers["x-request-id"]);
  let found: RefusalRecord | undefined;
  const look = async () => {
    const all = await refusalsIn(db);
    found = all.find(({ detail }) => (detail.requestIds as string[]).includes(id));
    return found;
  };
  await expect.poll(look, { timeout: 20_000, interval: 100 }).toBeDefined();
  if (found === undefined) throw new Error("unreachable");
  return found;
}
