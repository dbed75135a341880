/** Gives a sink what it has not been given of some chains, and notes how far each is then. */
import { AppError } from "../../errors.ts";
import type { Database } from "../../storage/database.ts";
import { untilDurable } from "../../storage/writes/durable.ts";
import type { Lease } from "../../storage/feed/lease.ts";
import { readRecords } from "../chains.ts";
import { recordLine } from "../line.ts";
import { createBatch, type SinkBatch } from "./batch.ts";
import type { AuditSink } from "./sink.ts";
import { type PendingChain, writePosition } from "./store.ts";

/** Records that are read at a time: each may be as long as a request. */
const ROWS = 16;
/** Records of a chain before the next one has its turn. */
const TURN = 2000;

export interface Giving {
  db: Database;
  sink: AuditSink;
  signal: AbortSignal;
  /** The lease of the sink; undefined when another node has it. */
  holdLease: () => Promise<Lease | undefined>;
  /** Told when the sink has taken something. */
  onTaken: () => void;
}

/**
 * Goes through chains once.
 *
 * @throws SinkFailure, and AppError `conflict` when another node has taken over; what was not noted comes again
 */
export async function give(giving: Giving, chains: readonly PendingChain[]): Promise<void> {
  let batch = createBatch();
  const send = async (): Promise<void> => {
    await hand(giving, batch);
    batch = createBatch();
  };
  for (const chain of chains) {
    let place = chain.seq;
    for (let count = 0; place < chain.last && count < TURN && !giving.signal.aborted;) {
      const rows = await readRecords(giving.db.long, chain.chain, place, ROWS);
      for (const row of rows) {
        const line = recordLine(row);
        if (!batch.hasRoomFor(line.length)) await send();
        batch.addRecord({ ...chain, seq: place }, row, line);
        place = row.seq;
      }
      // Somebody has taken them out, which `audit verify` tells; those that come behind are given all the same.
      if (rows.length === 0) batch.skipTo({ ...chain, seq: place }, (place = chain.last));
      count += rows.length;
    }
    batch.addHead({ ...chain, seq: place });
    if (batch.isFull()) await send();
  }
  await send();
}

async function hand({ db, sink, signal, holdLease, onTaken }: Giving, { lines, places }: SinkBatch): Promise<void> {
  if (places.length === 0 || signal.aborted) return;
  // As with any answer: what is told has happened, whatever happens to the machine.
  await untilDurable(db);
  if (lines.length > 0) await sink.deliver(lines, signal);
  onTaken();
  const held = await holdLease();
  if (held === undefined) throw new AppError("conflict", "Another server already sends records to this audit sink");
  await db.inTransaction(held, async (tx) => {
    tx.unrecorded("how far a sink is");
    for (const place of places) writePosition(tx, { sink: sink.name, ...place });
  });
}
