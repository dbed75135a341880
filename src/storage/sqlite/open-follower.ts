import type { EngineDatabase, FollowingThread, StorageStats } from "../database.ts";
import { AppError, StorageAway } from "../../errors.ts";
import { StartError } from "../start-error.ts";
import { createKysely } from "../driver.ts";
import { createFeedHub } from "../feed/feed.ts";
import { followCommits } from "./commit-follower.ts";
import { openConnection, stopWaiting } from "./connection.ts";
import { isDamage, sqliteReason, translateSqliteError } from "./faults.ts";
import { openFailure } from "./instance.ts";
import { createLongReader } from "./long-reader.ts";
import { findMoved } from "./placement.ts";
import { createLongQueries, createReader, createTurnSnapshot } from "./reader.ts";

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
  const operations: StorageStats["operations"] = { point: 0, query: 0, long: 0, transaction: 0, sync: 0 };
  const count = (kind: keyof typeof operations) => {
    operations[kind] += 1;
  };
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
  // A thread opens the file by its name: what lies there now may be another one.
  const beforeOpen = () => {
    const moved = findMoved(following.files);
    if (moved === undefined) return;
    follower.say({ moved });
    throw new StorageAway("The database file is gone, the server is stopping", { cause: new Error(moved) });
  };
  const longReader = createLongReader(path, longLimit, beforeOpen, translate);
  const hub = createFeedHub({
    whenDurable: follower.whenDurable,
    pollAgeSeconds: () => undefined,
    publishedUpTo: undefined,
    onWarning,
  });

  return {
    ...reader,
    long: createLongQueries(
      (sql, parameters) => {
        count("long");
        return longReader.all(sql, parameters);
      },
      createKysely("sqlite", () => Promise.resolve([])),
    ),
    runInThread: (name, input, dataKey) => {
      count("long");
      return longReader.work(name, input, dataKey);
    },
    feed: hub.feed,
    now: () => Date.now(),
    inTransaction: () => Promise.reject(new TypeError("this thread only reads")),
    follow: undefined,
    catchUp: follower.catchUp,
    whenDurable: follower.whenDurable,
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
  throw new StartError(`the database ${path} cannot be opened: ${moved}`);
}

function lost(): AppError {
  return new AppError("outcome_unknown", "The disk has failed; whether what was seen is kept is unknown");
}
