/**
 * Records each object that is deleted because its scope, or the auth method that made it, was deleted: with its
 * content, and with the cause. The record of that deletion names the caller.
 */
import type { Transaction } from "../../storage/database.ts";
import { isIntact, PROVEN_TABLES, type ProvenTable } from "../../storage/proofs/proofs.ts";
import { keyOf } from "../../storage/tables/tables.ts";
import { nounOf, writeRecorder } from "../audited.ts";
import type { ScopedKind } from "../../rights/kinds.ts";
import { recordsOf } from "../kit/records.ts";
import { homeOf, type Scope } from "../../rights/scope.ts";

/** With what something goes: a namespace or a partition by its name, an auth method by its ID. */
export interface Cause {
  kind: "namespace" | "partition" | "auth-method";
  id: string;
  /** Name that a method had. */
  name?: string;
}

/** A row as it was read, whole. */
export type WholeRow = Scope & Readonly<Record<string, unknown>>;

/** Records the deletion of the objects of these rows. */
export type RecordGone = (tx: Transaction, rows: readonly WholeRow[], cause: Cause) => void;

/** @returns what puts the rows of a table on record; one that is not what was written by its key alone, since nothing else of it is known */
export function goneRecorder(table: ScopedKind["table"]): RecordGone {
  const proven = PROVEN_TABLES.find((each) => each === table);
  // Tables without proofs are read in the same way.
  const { part } = recordsOf<ProvenTable, object>(table as ProvenTable);
  const recordWrite = writeRecorder<object>(table);
  const key = keyOf(table);
  return (tx, rows, deletedWith) => {
    for (const row of rows) {
      if (proven === undefined || isIntact(proven, row)) {
        recordWrite(tx, part(row), undefined, { detail: { deletedWith } });
        continue;
      }
      const { partition, namespace } = row;
      const subject = { partition, namespace, kind: nounOf(table), objectId: String(row[key]), name: "" };
      tx.record({ ...subject, action: "delete", detail: { deletedWith, damaged: true } });
    }
  };
}

/** Puts on record that nothing is left of a namespace that was deleted, so that its name is free. */
export function recordEnd(tx: Transaction, { partition, namespace: name }: Scope): void {
  tx.record({ ...homeOf(partition), kind: "namespace", objectId: name, name, action: "remove" });
}

/** The same of a partition. It lies in no namespace, since none is there any more in which somebody could wait for it. */
export function recordEndOfPartition(tx: Transaction, name: string): void {
  tx.record({ partition: name, kind: "partition", objectId: name, name, action: "remove" });
}
