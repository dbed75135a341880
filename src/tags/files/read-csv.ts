/** Reads the lines of the CSV form. The lines of one object follow one another and make one record. */
import { fold } from "../../fold.ts";
import { invalid } from "../../errors.ts";
import { CarriedParts, checkName, pooledName } from "./check-record.ts";
import { CsvFault, readCsvLine } from "./csv.ts";
import { PolicyParts, RuleFault } from "./policy-record.ts";
import { CSV_COLUMNS, RECORD_KINDS, type FileRecord, type RecordKind } from "./records.ts";

type Column = (typeof CSV_COLUMNS)[number];
type Row = Record<Column, string>;

/** A record, and the line that it begins with. */
export interface PlacedRecord {
  line: number;
  record: FileRecord;
}

/** A line that cannot be taken. */
export interface BadLine {
  line: number;
  fault: string;
}

export type CsvEntry = PlacedRecord | BadLine;

/** The workspace, project or policy whose lines are being read. */
type Open = { line: number; name: string } & (
  | { kind: "workspace" | "project"; parts: CarriedParts }
  | { kind: "tag-policy"; parts: PolicyParts }
);

export class CsvReader {
  private columns: Column[] | undefined;
  private open: Open | undefined;

  /** Whether nothing can be read behind what is wrong, since it is not known what the columns are. */
  get isLost(): boolean {
    return this.columns === undefined;
  }

  /** Gives the records that are complete now. @throws AppError `invalid`; what was read before stays */
  *read(line: number, text: string): Generator<CsvEntry> {
    const fields = readCsvLine(text);
    if (fields instanceof CsvFault) throw invalid(fields.reason);
    if (this.columns === undefined) this.columns = columnsOf(fields);
    else yield* this.readRow(line, rowOf(this.columns, fields));
  }

  /** Yields the record that is complete at the end. */
  *end(): Generator<CsvEntry> {
    const { open } = this;
    this.open = undefined;
    if (open === undefined) return;
    const { line, kind, name, parts } = open;
    if (kind === "tag-policy") {
      yield policyOf(line, parts);
      return;
    }
    const { tags, bindings } = parts;
    yield { line, record: kind === "workspace" ? { kind, name, tags, bindings } : { kind, name, bindings } };
  }

  private *readRow(line: number, row: Row): Generator<CsvEntry> {
    const kind = RECORD_KINDS.find((each) => each === row.kind);
    if (kind === undefined) throw invalid("Unknown kind. Use tag, workspace, project, reserved-tag-key or tag-policy");
    const { name } = row;
    checkName(kind, name);
    const isOpen = this.open?.kind === kind && fold(this.open.name) === fold(name);
    if (!isOpen) yield* this.end();
    if (kind === "tag") yield { line, record: tagOf(row) };
    else if (kind === "reserved-tag-key") yield { line, record: reservedOf(row) };
    else {
      const open = (this.open ??= openOf(line, kind, name));
      if (open.kind === "tag-policy") open.parts.add(line, row);
      else addTo(open.parts, kind, row, this.columns?.includes("value") === true);
    }
  }
}

function openOf(line: number, kind: Open["kind"], name: string): Open {
  return kind === "tag-policy"
    ? { line, kind, name, parts: new PolicyParts() }
    : { line, kind, name, parts: new CarriedParts() };
}

/** Rules are looked at together, when the last line of them has come. */
function policyOf(line: number, parts: PolicyParts): CsvEntry {
  try {
    return { line, record: parts.record };
  } catch (error) {
    if (!(error instanceof RuleFault)) throw error;
    return { line: parts.lineOf(error.rule) ?? line, fault: error.message };
  }
}

/** @param isValued whether there is a column for values: without one, the file says none, which is not that they are empty */
function addTo(parts: CarriedParts, kind: RecordKind, { tag, key, value }: Row, isValued: boolean): void {
  if (tag === "" && key === "" && value === "") return;
  if (tag !== "" && key !== "") throw invalid("A line can have a tag or a key, not both");
  if (key === "" && value !== "") throw invalid("A line has a value but no key");
  if (key !== "") parts.addBinding({ key, value: isValued ? value : undefined });
  else if (kind === "project") throw invalid("Projects cannot have flat tags. Use keys");
  else parts.addTag(tag);
}

function tagOf(row: Row): FileRecord {
  const pinned = settingOf(row, "pinned") ?? true;
  return { kind: "tag", name: pooledName(row.name, pinned), pinned };
}

function reservedOf(row: Row): FileRecord {
  return { kind: "reserved-tag-key", name: row.name, disableOverrides: settingOf(row, "disable-overrides") };
}

/** Spreadsheets write what is true and false in upper case. @returns undefined where the line does not say it */
function settingOf({ kind, tag, key, value }: Row, name: string): boolean | undefined {
  if (tag !== "") throw invalid(`Lines of kind ${kind} require an empty tag`);
  if (key === "" && value === "") return undefined;
  const said = fold(value);
  if (key !== name || (said !== "true" && said !== "false")) {
    throw invalid(`Lines of kind ${kind} require the key ${name} and the value true or false`);
  }
  return said === "true";
}

function columnsOf(fields: readonly string[]): Column[] {
  const columns = fields.map((field) => CSV_COLUMNS.find((column) => column === fold(field.trim())));
  const known = columns.filter((column) => column !== undefined);
  const isWhole = known.includes("kind") && known.includes("name") && new Set(known).size === fields.length;
  if (!isWhole) throw invalid(`The first line must contain the column names: ${CSV_COLUMNS.join()}`);
  return known;
}

function rowOf(columns: readonly Column[], fields: readonly string[]): Row {
  if (fields.length !== columns.length) {
    throw invalid(`The line has ${fields.length} fields, but the header has ${columns.length} columns`);
  }
  const given = Object.fromEntries(columns.map((column, at) => [column, fields[at] ?? ""]));
  return { kind: "", name: "", tag: "", key: "", value: "", ...given };
}
