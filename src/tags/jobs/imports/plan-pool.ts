/** Plans the changes of a file to the pool and to reserved keys. */
import { newId } from "../../../ids.ts";
import { countReservedKeys, findReservedKeys } from "../../rules/reserved-keys/store.ts";
import { reserveKeys, type Reservation } from "../../rules/reserved-keys/bulk.ts";
import { MAX_KEYS } from "../../rules/reserved-keys/service.ts";
import { judgeNames, loadTagPolicy, refusedBy, RULED } from "../../rules/enforce.ts";
import { brokenRules } from "../warned.ts";
import { pinInPool } from "../../pool/pin.ts";
import { putIntoPool } from "../../pool/pool.ts";
import { findTagsByName } from "../../pool/store.ts";
import {
  refusedOutcome,
  type ImportEntry,
  type RecordOutcome,
  type ImportPlan,
  type Planning,
  type StoredOf,
} from "./plan.ts";

/**
 * A tag that is not pinned comes and goes with its uses, so that only one that is has anything to be done. A pinned tag
 * stays pinned: others may rely on it.
 *
 * @param records each of another name
 */
export async function planTagRecords(planning: Planning, records: readonly StoredOf<"tag">[]): Promise<ImportPlan> {
  const { db, organization, isWriter } = planning;
  const names = records.flatMap(({ record }) => (record.pinned && isWriter ? [record.name] : []));
  const found = new Map((await findTagsByName(db, organization.id, names)).map((tag) => [tag.name, tag]));
  const unknown = names.filter((name) => !found.has(name));
  const verdict = judgeNames(await loadTagPolicy(db, organization.id), unknown);
  const ruled = refusedBy(verdict);
  const missing = unknown.filter((name) => !ruled.has(name)).map((name) => ({ id: newId("tag"), name }));
  const loose = [...found.values()].filter(({ pinned }) => pinned === 0);
  const isLoose = new Set(loose.map(({ name }) => name));

  function outcomeOf(stored: StoredOf<"tag">): RecordOutcome {
    const { name, pinned } = stored.record;
    if (!pinned) return { stored, entries: [], unchanged: 1, refused: undefined };
    if (!isWriter) return refusedOutcome(stored, "not-allowed");
    if (ruled.has(name)) return refusedOutcome(stored, RULED);
    const entries: ImportEntry[] = [];
    if (!found.has(name)) entries.push({ action: "create", tag: name });
    else if (isLoose.has(name)) entries.push({ action: "change", key: "pinned", from: "false", to: "true" });
    const unchanged = entries.length === 0 ? 1 : 0;
    return { stored, entries, unchanged, refused: undefined, warned: brokenRules(verdict, name) };
  }

  return {
    outcomes: records.map(outcomeOf),
    async write(author, tx, jobId) {
      await putIntoPool(author, tx, organization.id, missing, jobId);
      await pinInPool(author, tx, organization.id, loose, jobId);
    },
  };
}

/** @param records each of another key */
export async function planReservedRecords(
  { db, organization, mode, isWriter }: Planning,
  records: readonly StoredOf<"reserved-tag-key">[],
): Promise<ImportPlan> {
  const keys = isWriter ? records.map(({ record }) => record.name) : [];
  const [rows, count] = await Promise.all([
    findReservedKeys(db, organization.id, keys),
    countReservedKeys(db, organization.id),
  ]);
  const found = new Map(rows.map((row) => [row.key, row]));
  const reservations: Reservation[] = [];
  let room = MAX_KEYS - count;

  function outcomeOf(stored: StoredOf<"reserved-tag-key">): RecordOutcome {
    if (!isWriter) return refusedOutcome(stored, "not-allowed");
    const { name: key, disableOverrides: said } = stored.record;
    const before = found.get(key);
    const disableOverrides = said ?? (mode === "merge" && before?.disableOverrides === 1);
    const [from, to] = [
      before === undefined ? undefined : String(before.disableOverrides === 1),
      String(disableOverrides),
    ];
    if (from === to) return { stored, entries: [], unchanged: 1, refused: undefined };
    if (from === undefined && room <= 0) return refusedOutcome(stored, "full");
    if (from === undefined) room -= 1;
    reservations.push({ key, disableOverrides, before });
    const what = { key: "disable-overrides", to };
    const entry: ImportEntry = from === undefined ? { action: "create", ...what } : { action: "change", from, ...what };
    return { stored, entries: [entry], unchanged: 0, refused: undefined };
  }

  return {
    outcomes: records.map(outcomeOf),
    write: (author, tx, jobId) => reserveKeys(author, tx, organization.id, reservations, jobId),
  };
}
