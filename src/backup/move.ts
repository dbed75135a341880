/** A database that becomes one elsewhere, of either engine, without a file between them. */
import { createHash } from "node:crypto";
import type { Loading } from "../storage/operator/loading.ts";
import type { MovingSource } from "../storage/operator/moving.ts";
import type { SnapshotRow } from "../storage/operator/snapshot.ts";
import { StartError } from "../storage/start-error.ts";
import type { Header, TableSum } from "./format.ts";
import { recordArrival } from "./record.ts";
import { BACKED_UP } from "./tables.ts";

/** Size of a piece that is loaded at a time, in characters. */
const PIECE_CHARACTERS = 256 * 1024;

export interface MoveOptions {
  /** Address of the target without any password; the source reports it from then on. */
  to: string;
  now: Date;
  /** Told now and then how many rows of a table have been copied, or compared, since it was told last. */
  onRows: (table: string, rows: number) => void;
}

export interface MoveResult {
  rows: number;
  tables: number;
}

/**
 * Copies all of the source, compares what has come with what was sent, leaves the source, and gives the target to servers. Nobody
 * writes to the source meanwhile, so that no index has to be raised: it goes on there where it stopped here. Whatever fails, or
 * ends this process, the source is as it was, until it is left: by then the target has everything. No server starts on the
 * target before the source was left, so there are never two.
 *
 * @param header of the source @throws StartError
 */
export async function moveDatabase(
  source: MovingSource,
  header: Header,
  loading: Loading,
  { to, now, onRows }: MoveOptions,
): Promise<MoveResult> {
  let rows = 0;
  try {
    await loading.empty(BACKED_UP.map(({ name }) => name).reverse());
    const sums = new Map<string, TableSum>();
    for (const table of BACKED_UP) {
      const sum = await sumOf(source.rows(table.name, table.columns, table.key), async (lines, count) => {
        source.checkTime();
        await loading.load(table.name, table.columns, lines);
        onRows(table.name, count);
      });
      sums.set(table.name, sum);
      rows += sum.rows;
    }
    for (const table of BACKED_UP) {
      const arrived = await sumOf(loading.rows(table.name, table.columns, table.key), async (_, count) => {
        source.checkTime();
        onRows(table.name, count);
      });
      compare(table.name, sums.get(table.name), arrived);
    }
    const { database, takenAt, engine } = header;
    await recordArrival(loading, { action: "move", database, detail: { takenAt, from: engine }, now });
    await loading.finish(() => source.checkTime());
  } catch (error) {
    await loading.abandon();
    throw error;
  }
  try {
    await leave(source, to);
    await loading.give();
  } finally {
    await loading.tidy();
  }
  return { rows, tables: BACKED_UP.length };
}

async function leave(source: MovingSource, to: string): Promise<void> {
  try {
    await source.leave(to);
  } catch (error) {
    throw new StartError(
      `${to} is complete, but the source is possibly still enabled (${error instanceof Error ? error.message : String(error)}); ` +
        "run the command again",
      { cause: error },
    );
  }
}

async function sumOf(
  slices: AsyncIterable<SnapshotRow[]>,
  each: (lines: string, rows: number) => Promise<void>,
): Promise<TableSum> {
  const hash = createHash("sha256");
  let [rows, told, lines] = [0, 0, ""];
  const flush = async (): Promise<void> => {
    hash.update(lines);
    await each(lines, rows - told);
    [told, lines] = [rows, ""];
  };
  for await (const slice of slices) {
    for (const row of slice) {
      lines += `${JSON.stringify(row)}\n`;
      rows += 1;
      if (lines.length >= PIECE_CHARACTERS) await flush();
    }
  }
  if (lines !== "") await flush();
  return { rows, sha256: hash.digest("hex") };
}

function compare(table: string, sent: TableSum | undefined, arrived: TableSum): void {
  if (sent?.rows === arrived.rows && sent.sha256 === arrived.sha256) return;
  throw new StartError(
    `table ${table} differs at the target: ${arrived.rows} of ${sent?.rows} rows, or different content; nothing was moved`,
  );
}
