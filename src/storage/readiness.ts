import { AppError, StorageAway } from "../errors.ts";
import type { EngineDatabase } from "./database.ts";
import { untilDurable } from "./writes/durable.ts";
import { provenRows } from "./proofs/proofs.ts";

/** A write that succeeded so long ago, in milliseconds, still shows that storage takes writes. */
const PROOF_MS = 10_000;
/** A failure is told for so long before it is tried again: probes must not be one more load on what is in trouble. */
const FAILURE_MS = 1000;

/**
 * Whether storage can be used: it answers, and takes writes. Where nobody has
 * written for ten seconds, one row is written; no index moves and nobody is woken.
 *
 * @param onWarning told when that changes
 * @returns a function that resolves when it can be used, and throws `unavailable` or `outcome_unknown` otherwise
 */
export function createReadiness(
  db: EngineDatabase,
  onWarning: (message: string) => void,
  now: () => number = () => performance.now(),
): () => Promise<void> {
  let trying: Promise<void> | undefined;
  let failure: { error: AppError; at: number } | undefined;
  let isReady = true;

  async function probe(): Promise<void> {
    try {
      await db.ping();
      if (now() - db.lastWrite() > PROOF_MS) await writeOneRow(db);
      failure = undefined;
    } catch (thrown) {
      const error =
        thrown instanceof AppError ? thrown : new StorageAway("storage does not respond", { cause: thrown });
      failure = { error, at: now() };
    }
    tell(failure?.error);
  }

  function tell(error: AppError | undefined): void {
    if (isReady === (error === undefined)) return;
    isReady = error === undefined;
    const cause = error?.cause instanceof Error ? ` (${error.cause.message})` : "";
    onWarning(
      error === undefined ? "storage accepts writes again" : `storage is not writable: ${error.message}${cause}`,
    );
  }

  return async () => {
    // A write that succeeded since then is news too.
    if (failure === undefined || now() > failure.at + FAILURE_MS || db.lastWrite() > failure.at) {
      trying ??= probe().finally(() => (trying = undefined));
      await trying;
    }
    if (failure !== undefined) throw failure.error;
  };
}

async function writeOneRow(db: EngineDatabase): Promise<void> {
  await db.inTransaction({ kind: "root" }, (tx) => {
    stored.put(tx, { name: "write-probe", value: new Date(db.now()).toISOString() });
    return Promise.resolve();
  });
  await untilDurable(db);
}

const stored = provenRows("meta");
