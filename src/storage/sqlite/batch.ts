import type { DatabaseSync } from "node:sqlite";
import { AppError, StorageAway } from "../../errors.ts";
import type { Commit } from "../feed/feed.ts";
import { isDiskFull } from "./faults.ts";

/** Transaction whose turn is over. Its caller is notified when the batch has been committed. */
export interface Finished {
  /** Commit that the feed publishes; undefined when it publishes nothing. */
  commit: Commit | undefined;
  /** Whether it wrote anything; a rejected transaction leaves nothing. */
  wrote: boolean;
  /** Whether its writes take permissions away. */
  takesRights: boolean;
  tell(): void;
  /** Replaces `tell` when the batch was not committed. */
  lose(error: AppError): void;
}

/**
 * Transactions that share one of SQLite's, one after the other: each is a savepoint, so that it can be taken back alone.
 * The first needs none, since nothing is before it.
 */
export interface CommitBatch {
  /** Begins a member. @throws when it cannot; then `takeBack` follows as after any other failure */
  enter(): void;
  /** Ends the member that runs: what it did is committed with the batch. @throws as SQLite does */
  keep(member: Finished): void;
  /**
   * Takes back what the member that runs has done, and nothing else. Where SQLite has rolled back everything by itself,
   * or cannot take back one alone, those before it are lost too, and told so.
   *
   * @param why what is wrong with the member, if anything
   * @returns whether those before it still stand
   */
  takeBack(why?: unknown): boolean;
  /** Has somebody told who wrote nothing: when what it may have seen is committed; at once when that was all durable. */
  answer(member: Pick<Finished, "tell" | "lose">): void;
  /** Whether a member has ended and waits for the commit. */
  isWaiting(): boolean;
  /** Commits, and then tells all members, in their order. @returns whether it went through; if not, all were told so */
  end(): boolean;
}

export interface BatchOptions {
  /** Told before each commit, after which others can read what is in it. */
  beforeCommit?: () => void;
  /** Told when a commit has failed, of which somebody may have seen something all the same. */
  onFailedCommit?: () => void;
  /** Told of each commit, with what was written in it, before any of the members is; must not throw. */
  onCommit: (commits: readonly (Commit | undefined)[], takesRights: boolean) => void;
  /** Told when the disk was found full. */
  onFull: () => void;
  /** Makes of SQLite's errors what the caller is told. */
  translate: (error: unknown) => unknown;
}

/** Makes the batches of a connection, of which there is one at a time. */
export function createBatch(db: DatabaseSync, options: BatchOptions): CommitBatch {
  const { beforeCommit, onFailedCommit, onCommit, onFull, translate } = options;
  const begin = db.prepare("begin immediate");
  const commit = db.prepare("commit");
  const rollback = db.prepare("rollback");
  const savepoint = db.prepare("savepoint member");
  const release = db.prepare("release member");
  const rollbackTo = db.prepare("rollback to member");
  let isOpen = false;
  let finished: Finished[] = [];

  /** Rolls back the batch. A failure must not hide the original error: the next transaction rolls back first. */
  function abandon(): void {
    isOpen = false;
    try {
      if (db.isTransaction) rollback.all();
    } catch {
      // See above.
    }
  }

  /** Rejects all members of the batch: nothing of it has been written. */
  function lose(error: unknown): void {
    const lost = finished;
    finished = [];
    abandon();
    const told = asAway(translate(error));
    for (const member of lost) member.lose(told);
  }

  return {
    enter() {
      if (isOpen) {
        try {
          savepoint.all();
        } catch (error) {
          lose(error);
          throw error;
        }
        return;
      }
      if (db.isTransaction) rollback.all();
      begin.all();
      isOpen = true;
    },
    keep(member) {
      if (finished.length > 0) release.all();
      finished.push(member);
    },
    takeBack(why) {
      if (finished.length === 0) {
        abandon();
        return true;
      }
      try {
        // A full disk, a failed read or write, or a lack of memory can end all that was begun.
        if (!db.isTransaction) throw why;
        rollbackTo.all();
        release.all();
        return true;
      } catch (error) {
        lose(error);
        return false;
      }
    },
    answer(member) {
      if (finished.length === 0) member.tell();
      else finished.push({ ...member, commit: undefined, wrote: false, takesRights: false });
    },
    isWaiting: () => finished.length > 0,
    end() {
      if (finished.length === 0) return true;
      const members = finished;
      const written = members.filter((member) => member.wrote);
      try {
        if (written.length > 0) {
          beforeCommit?.();
          commit.all();
        } else rollback.all();
      } catch (error) {
        onFailedCommit?.();
        if (isDiskFull(error)) onFull();
        lose(error);
        return false;
      }
      finished = [];
      isOpen = false;
      if (written.length > 0) {
        onCommit(
          written.map((member) => member.commit),
          written.some((member) => member.takesRights),
        );
      }
      for (const member of members) member.tell();
      return true;
    },
  };
}

/** Converts an error that another transaction of the batch has caused: the caller may retry. */
export function asAway(error: unknown): AppError {
  if (error instanceof AppError && error.code === "unavailable") return error;
  return new StorageAway("Storage does not answer, try again later", { cause: error });
}
