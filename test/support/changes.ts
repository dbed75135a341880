/** Records of changes, made as those who change things make them. */
import { recordChange, type RecordedChange } from "../../src/tags/changes/record.ts";
import type { Database } from "../../src/storage/database.ts";
import { writePast } from "./proofs.ts";

/** Writes records of an organization in one transaction. @param organizationId of all of them */
export function writeChanges(
  db: Database,
  organizationId: string,
  changes: readonly (Partial<RecordedChange> & { name: string })[],
  now = Date.now(),
): Promise<void> {
  const author = { actor: { accessorId: "writer" }, requestId: "req-test", now: () => now };
  return writePast(db, { kind: "organization", id: organizationId }, async (tx) => {
    for (const change of changes) {
      await recordChange(tx, author, {
        kind: "workspace",
        objectId: `ws-${change.name}`,
        action: "tags-changed",
        details: {},
        ...change,
        organizationId,
      });
    }
  });
}
