/** Previews the changes of an import, without changing anything. */
import type { Context } from "../../../context.ts";
import { addCounts, type CountsByReason } from "../job.ts";
import { countEach } from "../warned.ts";
import type { RecordKind } from "../../files/records.ts";
import type { ImportEntry, ImportMode, RecordOutcome, ImportRefusal } from "./plan.ts";
import { firstKind, planRecords } from "./plan-records.ts";
import { readRecords, type Import } from "./store.ts";

/** Changes, and refusals of one reason, that a preview shows. */
export const SHOWN = 100;
/** Objects that are compared at a time. */
const AT_A_TIME = 200;

/** An object, and where the file names it. */
export interface PlacedObject {
  line: number;
  kind: RecordKind;
  name: string;
}

export interface ImportPreview {
  /** Objects that the file names. */
  records: number;
  create: number;
  change: number;
  remove: number;
  unchanged: number;
  /** Objects by the reason for which they would be left as they are, with the lines of the first ones. */
  refused: Map<ImportRefusal, { count: number; lines: number[] }>;
  /** How many that would change break each rule for tags that only advises, by its name. */
  warned: CountsByReason;
  /** The first changes. */
  changes: (PlacedObject & ImportEntry)[];
}

/**
 * Compares a file with what is stored, as long as that takes.
 *
 * @param keep called now and then, so that the file is known to be needed
 */
export async function previewImport(
  ctx: Context,
  file: Import,
  mode: ImportMode,
  keep: () => Promise<void>,
): Promise<ImportPreview> {
  const preview: ImportPreview = {
    records: file.records,
    create: 0,
    change: 0,
    remove: 0,
    unchanged: 0,
    refused: new Map(),
    warned: {},
    changes: [],
  };
  let kept = performance.now();
  for (let from = 0; from < file.records;) {
    const records = firstKind(await readRecords(ctx.db.long, file.id, from, AT_A_TIME));
    const last = records.at(-1);
    if (last === undefined) break;
    const { outcomes } = await planRecords(ctx, ctx.db.long, file.organizationId, mode, records);
    for (const outcome of outcomes) add(preview, outcome);
    from = last.ordinal;
    if (performance.now() - kept < KEPT_MS) continue;
    await keep();
    kept = performance.now();
  }
  return preview;
}

const KEPT_MS = 10_000;

function add(
  preview: ImportPreview,
  { stored: { line, record }, entries, unchanged, refused, warned }: RecordOutcome,
): void {
  preview.unchanged += unchanged;
  if (entries.length > 0) preview.warned = addCounts(preview.warned, countEach(warned ?? []));
  for (const entry of entries) {
    preview[entry.action] += 1;
    if (preview.changes.length < SHOWN) preview.changes.push({ line, kind: record.kind, name: record.name, ...entry });
  }
  if (refused === undefined) return;
  const { count, lines } = preview.refused.get(refused) ?? { count: 0, lines: [] };
  preview.refused.set(refused, { count: count + 1, lines: lines.length < SHOWN ? [...lines, line] : lines });
}
