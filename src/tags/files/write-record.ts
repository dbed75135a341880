/** Records as text. The same record gives the same text, so that two files can be compared. */
import { policyAsJson } from "../rules/as-json.ts";
import { csvLine } from "./csv.ts";
import { DEFAULT_ENFORCEMENT, policyLines } from "./policy-record.ts";
import { CSV_COLUMNS, type FileRecord, type FileFormat } from "./records.ts";

/** Returns the text at the start of a file. */
export function headText(format: FileFormat): string {
  return format === "csv" ? csvLine(CSV_COLUMNS) : "";
}

/** One record, with the end of its last line. */
export function recordText(record: FileRecord, format: FileFormat): string {
  return format === "csv" ? csvText(record) : `${JSON.stringify(wireRecord(record))}\n`;
}

function wireRecord(record: FileRecord): object {
  const { kind, name } = record;
  if (kind === "tag-policy") {
    const { enforce = DEFAULT_ENFORCEMENT, rules } = record;
    return { kind, name, ...policyAsJson({ enforce, rules }) };
  }
  if (kind !== "reserved-tag-key") return record;
  return { kind, name, "disable-overrides": record.disableOverrides ?? false };
}

function csvText(record: FileRecord): string {
  const { kind, name } = record;
  const keyLine = (key: string, value: string) => csvLine([kind, name, "", key, value]);
  if (kind === "tag") return keyLine("pinned", String(record.pinned));
  if (kind === "reserved-tag-key") return keyLine("disable-overrides", String(record.disableOverrides ?? false));
  if (kind === "tag-policy") {
    return policyLines(record)
      .map(({ tag, key, value }) => csvLine([kind, name, tag, key, value]))
      .join("");
  }
  const tags = kind === "workspace" ? record.tags : [];
  const lines = [
    ...tags.map((tag) => csvLine([kind, name, tag, "", ""])),
    ...record.bindings.map(({ key, value }) => keyLine(key, value ?? "")),
  ];
  // An object without tags is listed too: an import that replaces clears it.
  return lines.length === 0 ? csvLine([kind, name, "", "", ""]) : lines.join("");
}
