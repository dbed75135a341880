/** Sums of rows, for one entry of a report. */
import { together, type Use } from "./days.ts";
import type { UseRow, UsedRule } from "../records/uses/row.ts";

/** Names of one entry. */
const MOST_NAMES = 50;

/** One policy, rule, token, role or identity, with its use. */
export interface ReportEntry {
  /** By what entries are ordered. */
  readonly key: string;
  readonly of: {
    readonly policy?: { readonly id: string; readonly name: string | undefined };
    readonly rule?: UsedRule;
    /** Line of the rule in the text of its policy, where a report is about one policy. */
    readonly line?: number;
    readonly token?: { readonly accessorId: string; readonly description: string | undefined };
    readonly role?: { readonly id: string; readonly name: string };
    /** Empty for those that are not known by name. */
    readonly decisionPoint?: string;
    readonly bindingRule?: { readonly id: string; readonly description: string; readonly authMethod: string };
    readonly identity?: { readonly authMethod: string; readonly identity: string | undefined };
  };
  /** Uses by column. */
  enforced: number;
  own: number;
  others: number;
  /** Undefined where it was never used. */
  use: Use | undefined;
  /** Names, with the access that was asked. */
  names: Map<string, { name: string; access: string; total: number; lastDay: number }>;
  /** Whether uses are counted whose names are not shown. */
  hasHiddenNames: boolean;
}

/** Makes an entry that was never used. */
export function emptyEntry(key: string, of: ReportEntry["of"]): ReportEntry {
  return { key, of, enforced: 0, own: 0, others: 0, use: undefined, names: new Map(), hasHiddenNames: false };
}

/** Adds days of use to an entry. */
export function addUse(entry: ReportEntry, use: Use): void {
  entry.use = entry.use === undefined ? use : together(entry.use, use);
}

/** Adds a row to an entry. @param isSeen whether the caller may read its name */
export function addRow(entry: ReportEntry, row: UseRow, isSeen: boolean): void {
  entry[row.column] += row.total;
  addUse(entry, row);
  if (entry.of.rule === undefined || row.name === "") return;
  const key = `${row.access} ${row.name}`;
  const known = entry.names.get(key);
  if (!isSeen || row.name === undefined || (known === undefined && entry.names.size >= MOST_NAMES)) {
    entry.hasHiddenNames = true;
    return;
  }
  const { name, access, total, lastDay } = row;
  if (known === undefined) entry.names.set(key, { name, access, total, lastDay });
  else {
    known.total += total;
    known.lastDay = Math.max(known.lastDay, lastDay);
  }
}
