import { createHash } from "node:crypto";
import { readVersion } from "../config/version.ts";
import { RESTORING } from "../storage/operator/half-restored.ts";
import type { MasterRow } from "../storage/keys/masters.ts";
import { MIGRATIONS } from "../storage/migrations/migrate.ts";
import type { Snapshot, SnapshotRow } from "../storage/operator/snapshot.ts";
import { StartError } from "../storage/start-error.ts";
import { FORMAT, MAGIC, type Header, type TableSum, type Trailer } from "./format.ts";
import { makeFrame } from "./frames.ts";
import { BACKED_UP } from "./tables.ts";

/** Content of a frame of rows, in characters. */
const FRAME_CHARACTERS = 256 * 1024;

/** Receiver of the bytes; resolves when it can take more. */
export type ByteSink = (bytes: Buffer) => Promise<void>;

/**
 * Writes all of a snapshot as a backup. Memory does not grow with it.
 *
 * @throws StartError when what it is of is no whole database; what the sink throws
 */
export async function writeBackup(snapshot: Snapshot, sink: ByteSink): Promise<{ header: Header; trailer: Trailer }> {
  const header = await describeSnapshot(snapshot);
  await sink(MAGIC);
  await sink(makeFrame("header", JSON.stringify(header)));
  let frames = 0;
  const send = (content: string): Promise<void> => {
    frames += 1;
    return sink(makeFrame("rows", content));
  };
  const tables: Record<string, TableSum> = {};
  for (const { name, columns, key } of BACKED_UP) {
    tables[name] = await writeTable(name, snapshot.rows(name, columns, key), send);
  }
  const trailer: Trailer = { tables, frames };
  await sink(makeFrame("trailer", JSON.stringify(trailer)));
  return { header, trailer };
}

async function writeTable(
  name: string,
  slices: AsyncIterable<SnapshotRow[]>,
  send: (content: string) => Promise<void>,
): Promise<TableSum> {
  const hash = createHash("sha256");
  let [rows, lines] = [0, ""];
  const flush = async (): Promise<void> => {
    hash.update(lines);
    await send(`${name}\n${lines}`);
    lines = "";
  };
  for await (const slice of slices) {
    rows += slice.length;
    for (const row of slice) {
      lines += `${JSON.stringify(row)}\n`;
      if (lines.length >= FRAME_CHARACTERS) await flush();
    }
  }
  if (lines !== "") await flush();
  return { rows, sha256: hash.digest("hex") };
}

/** Describes the database of a snapshot. @throws StartError when the snapshot is not of a whole database */
export async function describeSnapshot(snapshot: Snapshot): Promise<Header> {
  for (const [name] of await all(snapshot, "meta", ["name"])) {
    if (name === RESTORING)
      throw new StartError("a restore or move into this database is incomplete. Run the restore or move again");
  }
  const keys = await all(snapshot, "data_keys", ["id", "purpose", "wrapped"]);
  const [id, , wrapped] = keys.find(([, purpose]) => purpose === "lookup") ?? [];
  if (typeof id !== "string" || typeof wrapped !== "string") {
    throw new StartError("nothing to back up: no server has used the database yet");
  }
  const counters = await all(snapshot, "counters", ["name", "value"]);
  return {
    format: FORMAT,
    program: readVersion(),
    takenAt: snapshot.takenAt,
    engine: snapshot.engine,
    database: id,
    keyCheck: { id, wrapped, masters: await readMasters(snapshot) },
    migrations: MIGRATIONS.map(({ name }) => name).filter((name) => snapshot.migrations.includes(name)),
    counters: Object.fromEntries(counters.filter(([name]) => name === "root" || name === "partition/default")),
    tables: BACKED_UP.map(({ name, columns }) => ({ name, columns })),
  };
}

async function readMasters(snapshot: Snapshot): Promise<MasterRow[]> {
  const rows = await all(snapshot, "master_keys", ["id", "state", "transition", "began_at"]);
  return rows.map(([id, state, transition, beganAt]) => ({
    id: String(id),
    state: state === "next" ? "next" : "current",
    transition: String(transition),
    began_at: Number(beganAt),
  }));
}

async function all(snapshot: Snapshot, table: string, columns: readonly string[]): Promise<SnapshotRow[]> {
  const rows: SnapshotRow[] = [];
  for await (const slice of snapshot.rows(table, columns, [columns[0] ?? ""])) rows.push(...slice);
  return rows;
}
