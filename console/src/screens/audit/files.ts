/** Records as files: lines of JSON as the server gives them, and CSV that a spreadsheet shows as it is. */
import { csvLine } from "../../kit/csv.ts";

const COLUMNS = [
  "at",
  "outcome",
  "action",
  "kind",
  "id",
  "name",
  "partition",
  "namespace",
  "organization",
  "accessorId",
  "requestId",
  "detail",
  "chain",
  "seq",
  "hash",
] as const;

/** File of exported records. Its parts are texts; a whole one is at most as long as a browser handles well. */
export interface Made {
  readonly blob: Blob;
  readonly records: number;
  /** There are more: the file ends before them. */
  readonly isCut: boolean;
}

export interface Making {
  readonly lines: AsyncIterable<string>;
  readonly format: "jsonl" | "csv";
  readonly most: number;
  onProgress(records: number): void;
}

/** Makes the file, of the oldest records first. */
export async function makeFile({ lines, format, most, onProgress }: Making): Promise<Made> {
  const parts: Blob[] = [];
  let text = format === "csv" ? csvLine(COLUMNS) : "";
  let records = 0;
  let isCut = false;
  for await (const line of lines) {
    if (line === "") continue;
    if (records >= most) {
      isCut = true;
      break;
    }
    records += 1;
    text += format === "csv" ? csvLine(cellsOf(JSON.parse(line) as Members)) : `${line}\n`;
    if (records % 1000 === 0) {
      onProgress(records);
      // A browser may put what is a blob on the disk.
      parts.push(new Blob([text]));
      text = "";
    }
  }
  parts.push(new Blob([text]));
  const type = format === "csv" ? "text/csv" : "application/x-ndjson";
  return { blob: new Blob(parts, { type }), records, isCut };
}

type Members = Readonly<Record<string, unknown>>;

/** Returns the cells for a line of the chain, or for a listed record when the token does not see the whole chain. */
function cellsOf(line: Members): string[] {
  const flat = line["type"] === "record" ? line : flattened(line);
  return COLUMNS.map((column) => textOf(flat[column]));
}

function flattened(line: Members): Members {
  const it = (line["attributes"] ?? line) as Members;
  const actor = (it["Actor"] ?? it["actor"] ?? {}) as Members;
  return {
    at: it["Time"] ?? it["time"],
    outcome: it["Outcome"] ?? it["outcome"],
    action: it["Action"] ?? it["action"],
    kind: it["Kind"] ?? it["kind"],
    id: it["ID"] ?? it["object-id"],
    name: it["Name"] ?? it["name"],
    partition: it["Partition"],
    namespace: it["Namespace"],
    accessorId: actor["AccessorID"] ?? actor["accessor-id"],
    requestId: it["RequestID"] ?? it["request-id"],
    detail: {
      ...actor,
      changeReason: it["ChangeReason"] ?? it["change-reason"],
      changes: it["Changes"] ?? it["changes"],
      ...((it["Detail"] ?? it["detail"]) as Members),
    },
  };
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  return typeof value === "number" ? String(value) : JSON.stringify(value);
}
