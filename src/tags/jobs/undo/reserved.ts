/** Undoes the changes of a job to reserved keys, where nobody has changed them since. */
import { authorize } from "../../../rights/authorize.ts";
import type { StoredChange } from "../../changes/store.ts";
import type { Context } from "../../../context.ts";
import type { Organization } from "../../../organizations/store.ts";
import { releaseKeys, reserveKeys, type Reservation } from "../../rules/reserved-keys/bulk.ts";
import { findReservedKeys, type ReservedKey } from "../../rules/reserved-keys/store.ts";
import type { Transaction } from "../../../storage/database.ts";
import type { Job, SliceResult } from "../job.ts";

const OVERRIDES = "disable-overrides";
type Said = Partial<Record<typeof OVERRIDES, boolean>>;

/** @param records of one action, each of another key */
export async function takeBackReservations(
  ctx: Context,
  tx: Transaction,
  job: Job,
  organization: Organization,
  records: readonly StoredChange[],
): Promise<Pick<SliceResult, "changed" | "refused">> {
  if (!authorize(ctx.actor, "organization", organization.name, "write")) {
    return { changed: 0, refused: { "not-allowed": records.length } };
  }
  const rows = await findReservedKeys(
    tx,
    organization.id,
    records.map(({ name }) => name),
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  const made: ReservedKey[] = [];
  const changed: Reservation[] = [];
  for (const { objectId, action, details } of records) {
    const before = found.get(objectId);
    const { from, to, ...said } = JSON.parse(details) as Said & { from?: Said; to?: Said };
    const now = before?.disableOverrides === 1;
    if (before === undefined || now !== (to ?? said)[OVERRIDES]) continue;
    if (action === "created") made.push(before);
    else if (from !== undefined) changed.push({ key: before.key, disableOverrides: from[OVERRIDES] === true, before });
  }
  await releaseKeys(ctx, tx, organization.id, made, job.id);
  await reserveKeys(ctx, tx, organization.id, changed, job.id);
  const count = made.length + changed.length;
  return { changed: count, refused: { "changed-since": records.length - count } };
}
