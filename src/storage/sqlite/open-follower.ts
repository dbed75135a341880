import type { EngineDatabase, FollowingThread } from "../database.ts";
import { AppError, StorageAway } from "../../errors.ts";
import { StartError } from "../start-error.ts";
import { createFeedHub } from "../feed/feed.ts";
import { countOperations } from "../operation-counts.ts";
import { type CommitFollower, followCommits } from "./commit-follower.ts";
import { openConnection, stopWaiting } from "./connection.ts";
import { isDamage, sqliteReason, translateSqliteError } from "./faults.ts";
import { openFailure } from "./instance.ts";
import { createLongReader, longReads } from "./long-reader.ts";
import { findMoved } from "./placement.ts";
import { createReader, createTurnSnapshot } from "./reader.ts";

export interface FollowerOptions {
  path: string;
  following: FollowingThread;
  /** How many long reads may wait. */
  longLimit: number;
  onWarning: (message: string) => void;
}

/**
 * Opens the embedded database for a thread that reads beside the one that writes, with connections and caches of its own.
 *
 * @throws StartError when the file cannot be opened
 */
export function openFollower({ path, following, longLimit, onWarning }: FollowerOptions): EngineDatabase {
  const { operations, count } = countOperations();
  const connection = openReading(path, following.files);
  const snapshot = createTurnSnapshot(connection);
  const follower = followCommits(following, {
    // The snapshot of this turn is older than the commit.
    onCommit: snapshot.leave,
    onEvents: (events) => hub.publish(events),
    lostError: lost,
  });
  const translate = (error: unknown): unknown => {
    if (isDamage(error)) follower.say({ damaged: sqliteReason(error) });
    return translateSqliteError(error);
  };
  const reader = createReader(connection, count, snapshot.enter, undefined, translate);
  const longReader = createLongReader(path, longLimit, () => checkInPlace(follower, following.files), translate);
  const hub = createFeedHub({
    whenDurable: (done) => follower.whenDurable(done),
    pollAgeSeconds: () => undefined,
    publishedUpTo: undefined,
    onWarning,
  });

  return {
    ...reader,
    ...longReads(longReader, () => count("long")),
    feed: hub.feed,
    now: () => Date.now(),
    inTransaction: () => Promise.reject(new TypeError("this thread only reads")),
    follow: undefined,
    catchUp: () => follower.catchUp(),
    whenDurable: (done) => follower.whenDurable(done),
    lastWrite: () => -Infinity,
    async ping() {
      await reader.sql.selectFrom("counters").select("name").limit(1).execute();
    },
    stats: () => ({
      operations: { ...operations },
      writeQueue: 0,
      pools: { long: { busy: longReader.busy(), size: longReader.size() } },
      feed: hub.stats(),
      isDamaged: false,
      isChecking: false,
    }),
    async close() {
      follower.close();
      await longReader.close();
      snapshot.leave();
      connection.close();
    },
  };
}

/** Checks that the files lie where they lay: a thread opens one by its name. @throws AppError */
function checkInPlace(follower: CommitFollower, files: FollowingThread["files"]): void {
  const moved = findMoved(files);
  if (moved === undefined) return;
  follower.say({ moved });
  throw new StorageAway("The database file was moved or deleted; the server is stopping", { cause: new Error(moved) });
}

/** The file that the writing thread has open, and no other that lies in its place by now. */
function openReading(path: string, files: FollowingThread["files"]) {
  let connection;
  try {
    connection = openConnection(path, "read");
    stopWaiting(connection);
  } catch (error) {
    throw openFailure(path, error);
  }
  const moved = findMoved(files);
  if (moved === undefined) return connection;
  connection.close();
  throw new StartError(`cannot open the database ${path}: ${moved}`);
}

function lost(): AppError {
  return new AppError("outcome_unknown", "The disk has failed; the outcome of recent writes is unknown");
}
