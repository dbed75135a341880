/** The database that is being moved: nobody writes to it until it was left, or given back. */
import type { Snapshot } from "./snapshot.ts";
import { StartError } from "../start-error.ts";

/**
 * All of it, as it is while nobody writes: whatever was acknowledged is in it, and nothing is acknowledged meanwhile. `close`
 * gives it back as it was, and so does the end of this process, however it comes.
 */
export interface MovingSource extends Snapshot {
  /** How many rows a table has. */
  count(table: string): Promise<number>;
  /** @throws StartError when servers have waited long enough: it is to be given back */
  checkTime(): void;
  /**
   * Leaves it for good: no server writes to it, and none starts on it from then on.
   *
   * @param to where it went, without any password @throws StartError; then it is as it was
   */
  leave(to: string): Promise<void>;
}

export interface MovingOptions {
  /** Whether it is moved though servers use it, whose writes wait or are refused meanwhile. */
  cutover: boolean;
}

/** For so long servers have their writes refused at most, in seconds. */
export const CUTOVER_SECONDS = 30;

/** Begins the time for which writes are refused; without servers nobody waits for it. */
export function startTime({ cutover }: MovingOptions): () => void {
  const end = performance.now() + CUTOVER_SECONDS * 1000;
  return () => {
    if (!cutover || performance.now() < end) return;
    throw new StartError(
      `the cutover took longer than ${CUTOVER_SECONDS} s and was canceled; servers accept writes again. Stop the servers and run the move without --cutover`,
    );
  };
}

/** Why a database is not moved that servers use. @param who such as host and process */
export function isServed(who: string): StartError {
  return new StartError(
    `the database is in use by ${who}. Stop it, or use --cutover, which rejects writes for at most ${CUTOVER_SECONDS} s`,
  );
}
