/** Tokens that were disabled after a backup was taken: a restore disables them again. */
import type { Loading } from "../storage/operator/loading.ts";
import { laterProof } from "../storage/proofs/proofs.ts";
import { slices } from "./deleted-objects.ts";

const COLUMN = "disabled_at";

/** Whether the schema of a backup has the column. A token that was disabled after an older backup does not come back. */
export function knowsDisabled(tables: readonly { name: string; columns: readonly string[] }[]): boolean {
  return tables.some(({ name, columns }) => name === "tokens" && columns.includes(COLUMN));
}

/** Disables the tokens of a list that are there. @param now time of the restore, as ISO 8601 in UTC @returns how many */
export async function disableAgain(loading: Loading, accessorIds: ReadonlySet<string>, now: string): Promise<number> {
  let count = 0;
  for (const list of slices([...accessorIds])) {
    const rows = await loading.run(
      `select accessor_id from tokens where ${COLUMN} = '' and accessor_id in {list}`,
      list,
    );
    for (const row of rows as { accessor_id: string }[]) {
      const proof = laterProof("tokens", { ...row, [COLUMN]: now }, COLUMN);
      await loading.run(
        `update tokens set ${COLUMN} = '${now}', disabled_proof = '${proof}' where accessor_id in {list}`,
        [row.accessor_id],
      );
      count += 1;
    }
  }
  return count;
}
