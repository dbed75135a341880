import type { DatabaseSync, StatementSync } from "node:sqlite";
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
  return new SavepointBatch(db, options);
}

class SavepointBatch implements CommitBatch {
  readonly #db: DatabaseSync;
  readonly #options: BatchOptions;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #rollback: StatementSync;
  readonly #savepoint: StatementSync;
  readonly #release: StatementSync;
  readonly #rollbackTo: StatementSync;
  #isOpen = false;
  #finished: Finished[] = [];

  constructor(db: DatabaseSync, options: BatchOptions) {
    this.#db = db;
    this.#options = options;
    this.#begin = db.prepare("begin immediate");
    this.#commit = db.prepare("commit");
    this.#rollback = db.prepare("rollback");
    this.#savepoint = db.prepare("savepoint member");
    this.#release = db.prepare("release member");
    this.#rollbackTo = db.prepare("rollback to member");
  }

  enter(): void {
    if (this.#isOpen) {
      try {
        this.#savepoint.all();
      } catch (error) {
        this.#lose(error);
        throw error;
      }
      return;
    }
    if (this.#db.isTransaction) this.#rollback.all();
    this.#begin.all();
    this.#isOpen = true;
  }

  keep(member: Finished): void {
    if (this.#finished.length > 0) this.#release.all();
    this.#finished.push(member);
  }

  takeBack(why?: unknown): boolean {
    if (this.#finished.length === 0) {
      this.#abandon();
      return true;
    }
    try {
      // A full disk, a failed read or write, or a lack of memory can end all that was begun.
      if (!this.#db.isTransaction) throw why;
      this.#rollbackTo.all();
      this.#release.all();
      return true;
    } catch (error) {
      this.#lose(error);
      return false;
    }
  }

  answer(member: Pick<Finished, "tell" | "lose">): void {
    if (this.#finished.length === 0) member.tell();
    else this.#finished.push({ ...member, commit: undefined, wrote: false, takesRights: false });
  }

  isWaiting(): boolean {
    return this.#finished.length > 0;
  }

  end(): boolean {
    if (this.#finished.length === 0) return true;
    const members = this.#finished;
    const written = members.filter((member) => member.wrote);
    try {
      if (written.length > 0) {
        this.#options.beforeCommit?.();
        this.#commit.all();
      } else this.#rollback.all();
    } catch (error) {
      this.#options.onFailedCommit?.();
      if (isDiskFull(error)) this.#options.onFull();
      this.#lose(error);
      return false;
    }
    this.#finished = [];
    this.#isOpen = false;
    if (written.length > 0) {
      this.#options.onCommit(
        written.map((member) => member.commit),
        written.some((member) => member.takesRights),
      );
    }
    for (const member of members) member.tell();
    return true;
  }

  /** Rolls back the batch. A failure must not hide the original error: the next transaction rolls back first. */
  #abandon(): void {
    this.#isOpen = false;
    try {
      if (this.#db.isTransaction) this.#rollback.all();
    } catch {
      // See above.
    }
  }

  /** Rejects all members of the batch: nothing of it has been written. */
  #lose(error: unknown): void {
    const lost = this.#finished;
    this.#finished = [];
    this.#abandon();
    const told = asAway(this.#options.translate(error));
    for (const member of lost) member.lose(told);
  }
}

/** Converts an error that another transaction of the batch has caused: the caller may retry. */
export function asAway(error: unknown): AppError {
  if (error instanceof AppError && error.code === "unavailable") return error;
  return new StorageAway("Storage does not respond; retry later", { cause: error });
}
