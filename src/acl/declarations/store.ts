import type { RecordOf } from "../records.ts";
import { scopedStore } from "../scoped-objects.ts";

export type Declaration = RecordOf<"declarations", { objects: readonly string[] }>;

export const { reads: declarationStore, writes: writeDeclarations } = scopedStore<Declaration>("declarations");
