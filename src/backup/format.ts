/**
 * The file of a backup, the same of either engine:
 *
 *     TESSERA-BACKUP\n  then frames: kind (1 byte), length (4), CRC-32 of all of the frame but itself (4), zstd of the content
 *
 * The first frame is the header and the last the trailer, both JSON. Between them lie the rows: the name of their table in the
 * first line, then each row as a JSON array of its columns in a line of its own. The rows of a table are together, in the
 * order of its key by bytes, so that equal tables are equal bytes whatever engine they come from.
 */
import type { MasterRow } from "../storage/keys/masters.ts";
import { StartError } from "../storage/start-error.ts";
import type { Engine } from "../storage/engine.ts";

export const MAGIC = Buffer.from("TESSERA-BACKUP\n");

/** Version of the format that this program writes; it reads no newer one. */
export const FORMAT = 1;

export const FRAME_HEAD_BYTES = 9;
/** No row is as long: what says it is, is no backup. */
export const LONGEST_FRAME_BYTES = 64 * 1024 * 1024;

export const KINDS = { header: 0x48, rows: 0x52, trailer: 0x54 } as const;
export type FrameKind = keyof typeof KINDS;

export interface BackedUpTable {
  name: string;
  columns: readonly string[];
}

export interface Header {
  format: number;
  /** Version of the program that wrote it. */
  program: string;
  /** Everything that was committed before is in it. */
  takenAt: string;
  engine: Engine;
  /** Which database it is of: the ID of its look-up key, which no other has. */
  database: string;
  /**
   * A key that the master key wraps, by which another master key is known, and the master keys that are in use: while one
   * replaces the other, what wraps the key is a third one, which both open.
   */
  keyCheck: { id: string; wrapped: string; masters: readonly MasterRow[] };
  /** Names of the migrations of the schema. */
  migrations: readonly string[];
  /** Values of the counters that exist from the first start on; all are rows of the table of counters. */
  counters: Readonly<Record<string, number>>;
  tables: readonly BackedUpTable[];
}

export interface TableSum {
  rows: number;
  /** SHA-256 of its lines, each with its line break; hexadecimal. */
  sha256: string;
}

export interface Trailer {
  tables: Readonly<Record<string, TableSum>>;
  /** How many frames of rows there are. */
  frames: number;
}

/** A file that cannot be restored. The message is one line. */
export class BackupRefused extends StartError {}
