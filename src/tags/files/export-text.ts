/** Slices of an export as text: a reading thread reads the rows and writes the text. */
import type { Visibility } from "../../rights/rules/visibility.ts";
import type { ApartWork, Reader } from "../../storage/database.ts";
import {
  readPolicy,
  readPool,
  readProjects,
  readReservedKeys,
  readWorkspaces,
  type ExportedSlice,
  type SliceRequest,
} from "./export-store.ts";
import type { FileRecord, RecordKind, FileFormat } from "./records.ts";
import { recordText } from "./write-record.ts";

/** Input of a slice: plain data, for another thread. The visibility for the caller has been decided. */
export interface ExportSlice extends SliceRequest {
  kind: RecordKind;
  format: FileFormat;
  visibility: Visibility;
}

export interface ExportText {
  bytes: Uint8Array;
  /** Number of objects in it. */
  count: number;
  /** Sort key of the last object. Undefined when there is none. */
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

function read(db: Reader, asked: ExportSlice): Promise<ExportedSlice<FileRecord>> {
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
