/** Media types of bodies and answers that are read and made as they travel, beside documents. */
export const FILE_TYPES = { jsonl: "application/x-ndjson", csv: "text/csv" } as const;

/** The form that a media type stands for. */
export function formatOf(type: string | undefined): keyof typeof FILE_TYPES | undefined {
  if (type === FILE_TYPES.csv) return "csv";
  return type === FILE_TYPES.jsonl ? "jsonl" : undefined;
}
