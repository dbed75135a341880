/** Slices of an export as text: a reading thread reads the rows and writes the text. */
import type { Visibility } from "../acl/rules/visibility.ts";
import type { ApartWork, Reader } from "../storage/database.ts";
import {
  readPolicy,
  readPool,
  readProjects,
  readReservedKeys,
  readWorkspaces,
  type Slice,
  type SliceRequest,
} from "./export-store.ts";
import type { FileRecord, RecordKind, FileFormat } from "./records.ts";
import { recordText } from "./write-record.ts";

/** What a slice is made from: plain data, for another thread. What the caller may see has been decided. */
export interface ExportSlice extends SliceRequest {
  kind: RecordKind;
  format: FileFormat;
  visibility: Visibility;
}

export interface ExportText {
  bytes: Uint8Array;
  /** How many objects it shows. */
  count: number;
  /** What the last one is sorted by; undefined when there was none. */
  last: string | undefined;
}

export const EXPORT_TEXTS: ApartWork<ExportSlice, ExportText> = {
  name: "texts of exports",
  async run(source, asked) {
    const { records, last } = await read(source, asked);
    const text = records.map((record) => recordText(record, asked.format)).join("");
    return { bytes: new TextEncoder().encode(text), count: records.length, last };
  },
};

function read(db: Reader, asked: ExportSlice): Promise<Slice<FileRecord>> {
  const { kind, visibility, organization, after, limit } = asked;
  const slice = { organization, after, limit };
  switch (kind) {
    case "reserved-tag-key":
      return readReservedKeys(db, slice);
    case "tag":
      return readPool(db, slice);
    case "project":
      return readProjects(db, slice);
    case "workspace":
      return readWorkspaces(db, slice, visibility);
    case "tag-policy":
      return readPolicy(db, slice);
  }
}
