/** The writes that objects which lie in namespaces have in common, each with its record. */
import { sql } from "kysely";
import { isCounted } from "../../storage/writes/object-limits.ts";
import type { Transaction } from "../../storage/database.ts";
import { provenRows, type ProvenTable } from "../../storage/proofs/proofs.ts";
import { defineQuery, oneOf } from "../../storage/reads/query.ts";
import { slices } from "../../storage/purge/slices.ts";
import { memberName } from "../../storage/writes/objects.ts";
import type { ScopedTable } from "../../storage/tables/tables.ts";
import { writeRecorder, type RecordExtras } from "../audited.ts";
import type { RecordReader } from "./records.ts";
import { moveToTrash, type Deletion, type TrashedTable } from "./trash.ts";
import type { Scope } from "../../rights/scope.ts";

export type ScopedKindTable = ScopedTable & ProvenTable;

/** Their writes, each with its record, which are for their own feature: the linter bans the name elsewhere. */
export interface ScopedWrites<R> {
  insert(tx: Transaction, object: R, told?: RecordExtras): void;
  /** Writes what may change of an object; its scope never does. @param before as it is stored */
  update(tx: Transaction, object: R, before: R, told?: RecordExtras): void;
  /** The same where what changes is the server's own business, and on no record. */
  note(tx: Transaction, object: R): void;
  remove(tx: Transaction, objects: readonly R[], told?: RecordExtras): void;
  /** Removes an object on request, and keeps it in the trash. @param configSealed what the entry of an auth method seals */
  discard(tx: Transaction, object: R, deletion: Deletion, configSealed?: string): Promise<void>;
}

/** Parts of a kind that its writes need. */
interface WrittenKind<R extends object> {
  name: ScopedKindTable;
  /** The same, as one of them: the statements are the same for each. */
  table: "roles";
  key: "id";
  noted: readonly string[];
  records: RecordReader<ScopedKindTable, R>;
}

/** Makes the writes of a kind. */
export function writesOf<R extends object>({ name, table, key, noted, records }: WrittenKind<R>): ScopedWrites<R> {
  const removal = defineQuery((db, p: { keys: readonly string[] }, engine) =>
    db.deleteFrom(table).where(oneOf(engine, sql.ref(key), p.keys)),
  );
  const stored = provenRows(name, noted as readonly "proof"[]);
  const keyMember = memberName(key);
  const recordWrite = writeRecorder<R>(name);
  const keyIn = (object: R) => (object as Readonly<Record<string, string>>)[keyMember] ?? "";

  function count(tx: Transaction, object: R, by: 1 | -1): void {
    if (!isCounted(name)) return;
    const { partition, namespace } = (object as R & { scope: Scope }).scope;
    tx.adds({ kind: name, place: `${partition}/${namespace}` }, by);
  }

  function remove(tx: Transaction, objects: readonly R[], told?: RecordExtras): void {
    const keys = objects.map(keyIn);
    for (const slice of slices(tx, keys)) tx.write(removal, { keys: slice });
    for (const object of objects) {
      count(tx, object, -1);
      recordWrite(tx, object, undefined, told);
    }
  }

  return {
    insert(tx, object, told) {
      stored.insert(tx, records.rowOf(object));
      count(tx, object, 1);
      recordWrite(tx, undefined, object, told);
    },
    update(tx, object, before, told) {
      stored.update(tx, records.rowOf(object));
      recordWrite(tx, before, object, told);
    },
    note: (tx, object) => stored.note(tx, records.rowOf(object)),
    remove,
    async discard(tx, object, deletion, configSealed) {
      remove(tx, [object]);
      const { scope } = object as R & { scope: Scope };
      const entry = { table: name as TrashedTable, scope, objectId: keyIn(object), object, configSealed };
      await moveToTrash(tx, { ...entry, row: records.rowOf(object) }, deletion);
    },
  };
}
