import { Type } from "typebox";
import { parameter } from "../../http/jsonapi/schema.ts";
import type { FileRecord } from "./records.ts";
import { headText, recordText } from "./write-record.ts";

export const formatQuery = {
  format: parameter("csv or jsonl (JSON lines). Default: the format of the Accept header, else jsonl."),
};

export const EXAMPLE_RECORDS: readonly FileRecord[] = [
  { kind: "reserved-tag-key", name: "env", disableOverrides: true },
  { kind: "tag", name: "network", pinned: true },
  { kind: "project", name: "Default Project", bindings: [{ key: "env", value: "prod" }] },
  { kind: "workspace", name: "api", tags: ["network"], bindings: [{ key: "owner", value: "team-a" }] },
  {
    kind: "tag-policy",
    name: "policy",
    enforce: "advise",
    rules: [{ name: "stages", key: "env", allowedValues: ["dev", "prod"] }],
  },
];

/** The example as a file. @param records all of them unless it says which */
export function exampleFile(format: "csv" | "jsonl", records: readonly FileRecord[] = EXAMPLE_RECORDS): string {
  return headText(format) + records.map((record) => recordText(record, format)).join("");
}

export const exportedFile = {
  description: "One record per object. The response is streamed, and truncated on an error.",
  content: {
    "application/x-ndjson": { schema: Type.String({ examples: [exampleFile("jsonl")] }) },
    "text/csv": { schema: Type.String({ examples: [exampleFile("csv", EXAMPLE_RECORDS.slice(0, 4))] }) },
  },
};
