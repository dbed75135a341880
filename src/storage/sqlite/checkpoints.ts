import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Worker } from "node:worker_threads";
import type { CheckpointAnswer, CheckpointedDatabase, CheckpointRequest } from "./checkpoint-worker.ts";
import { startWorker, stopWorker } from "./worker.ts";

/** How often the WAL is copied into the database file while there are writes, in milliseconds. */
const INTERVAL_MS = 250;
const PAGE_BYTES = 4096;
/** How long the paused writer waits for long reads to let go of the WAL; when they do not, the next round tries again. */
const PATIENCE_MS = 10;
/** The same where waiting costs less than a WAL that grows on: no write is let in, or it has far outgrown its limit. */
const LAST_PATIENCE_MS = 1000;
const OUTGROWN = 4;
/** How long a look at the disk's free room holds, in milliseconds. */
const LOOK_MS = 20;

export interface Checkpoints {
  /** Notes that a write found the disk full. */
  noteFull(): void;
  /**
   * Whether the disk is full, or the log about to take the room that copying it
   * needs; true until a checkpoint has gone through. Writes are refused so long.
   */
  isFull(): boolean;
  /** Begins no further checkpoint: what is in the WAL must not be copied any more. */
  stop(): void;
  /**
   * Stops, waits for the one under way and makes a last one.
   *
   * @returns whether all of the log is in the file, and marked: then it may be removed
   */
  close(): Promise<boolean>;
}

/** The steps before the log may begin anew. */
export interface Anew {
  /** Whether it can be: until then nothing is copied. */
  isReady(): boolean;
  /** Writes down that all of the log is in the file. @throws Error when it cannot; then the log goes on */
  mark(): Promise<void>;
}

const UNMARKED: Anew = { isReady: () => true, mark: () => Promise.resolve() };

/**
 * Copies the WAL into the database file while the server runs. Past `limitBytes` the writer is paused for the moment it
 * takes to copy the rest, so that the WAL starts again from its beginning. Where the disk has little room left the same
 * is done earlier, and the WAL's own room is given back.
 *
 * @param commits how many commits there have been; nothing is done while there are no new ones
 * @param pauseWriter runs its argument while no transaction is under way
 * @param onError told of a checkpoint that failed (a full disk); it is tried again
 * @param onLook called whenever the disk's room is looked at, which is before a write, but not before each
 * @param onDamage told once that the database file has shrunk: nothing is copied any more then
 * @param anew done each time that all of the log has been copied, before it can begin anew
 */
export function startCheckpoints(
  copied: CheckpointedDatabase,
  limitBytes: number,
  commits: () => number,
  pauseWriter: (work: () => Promise<void>) => Promise<void>,
  onError: (message: string) => void,
  onLook: () => void = () => undefined,
  onDamage: (finding: string) => void = () => undefined,
  anew: Anew = UNMARKED,
): Checkpoints {
  return new RunningCheckpoints(copied, limitBytes, commits, pauseWriter, onError, onLook, onDamage, anew);
}

class RunningCheckpoints implements Checkpoints {
  readonly #limitBytes: number;
  readonly #commits: () => number;
  readonly #pauseWriter: (work: () => Promise<void>) => Promise<void>;
  readonly #onError: (message: string) => void;
  readonly #onLook: () => void;
  readonly #onDamage: (finding: string) => void;
  readonly #anew: Anew;
  readonly #path: string;
  readonly #thread: CheckpointThread;
  #copiedCommits = 0;
  #full = false;
  #failing = false;
  #stopped = false;
  #nextLook = 0;
  #running: Promise<void> | undefined;
  /** Whether the thread keeps the log from beginning anew, since it could not be marked. */
  #pinned = false;
  readonly #timer: NodeJS.Timeout;

  constructor(
    copied: CheckpointedDatabase,
    limitBytes: number,
    commits: () => number,
    pauseWriter: (work: () => Promise<void>) => Promise<void>,
    onError: (message: string) => void,
    onLook: () => void,
    onDamage: (finding: string) => void,
    anew: Anew,
  ) {
    this.#limitBytes = limitBytes;
    this.#commits = commits;
    this.#pauseWriter = pauseWriter;
    this.#onError = onError;
    this.#onLook = onLook;
    this.#onDamage = onDamage;
    this.#anew = anew;
    this.#path = copied.database.path;
    this.#thread = startCheckpointThread(copied);
    this.#timer = setInterval(() => {
      this.#running ??= this.#checkpoint()
        .catch((error) => this.#fail(error))
        .finally(() => {
          this.#running = undefined;
        });
    }, INTERVAL_MS);
    this.#timer.unref();
  }

  noteFull(): void {
    this.#full = true;
  }

  async close(): Promise<boolean> {
    const mayCopy = !this.#stopped && this.#anew.isReady();
    this.stop();
    await this.#running;
    const isWhole = mayCopy && (await this.#copyLast());
    await this.#thread.close();
    return isWhole;
  }

  /** @throws Error when the thread cannot copy */
  async #copy(request: CheckpointRequest): Promise<CheckpointAnswer> {
    const answer = await this.#thread.ask(request);
    if (answer.damaged !== "") {
      // The log may contain the only copy of some writes by now.
      this.stop();
      this.#failing = true;
      this.#onDamage(answer.damaged);
      throw new Error(answer.damaged);
    }
    if (answer.error !== "") throw new Error(answer.error);
    this.#pinned = answer.isPinned;
    if (this.#pinned) await this.#anew.mark();
    return answer;
  }

  async #release(): Promise<void> {
    if (!this.#pinned) return;
    await this.#thread.ask({ mode: "release", patienceMs: 0 });
    this.#pinned = false;
  }

  async #checkpoint(): Promise<void> {
    if (!this.#anew.isReady()) return;
    if (this.#pinned) await this.#anew.mark();
    await this.#release();
    const upTo = this.#commits();
    if (upTo === this.#copiedCommits && !this.#full) return;
    let answer = await this.#copy({ mode: "passive", patienceMs: 0 });
    await this.#release();
    const bytes = answer.walPages * PAGE_BYTES;
    const isScarce = !this.#hasRoomFor(2);
    if (bytes > this.#limitBytes || isScarce) {
      const patienceMs = this.#full || bytes > OUTGROWN * this.#limitBytes ? LAST_PATIENCE_MS : PATIENCE_MS;
      await this.#pauseWriter(async () => {
        if (this.#stopped) return;
        answer = await this.#copy({ mode: "full", patienceMs });
        if (answer.isPinned) answer = await this.#copy({ mode: isScarce ? "truncate" : "restart", patienceMs });
        await this.#release();
      });
    }
    this.#failing = false;
    if (answer.copiedPages !== answer.walPages) return;
    this.#full = false;
    if (!answer.isHeld) this.#copiedCommits = upTo;
  }

  /** Whether the disk has room for so many times what the log takes. */
  #hasRoomFor(times: number): boolean {
    const { bavail, bsize } = statfsSync(dirname(this.#path));
    return bavail * bsize >= times * statSync(`${this.#path}-wal`).size;
  }

  isFull(): boolean {
    const now = performance.now();
    if (this.#full || now < this.#nextLook) return this.#full;
    this.#nextLook = now + LOOK_MS;
    this.#onLook();
    try {
      this.#full = !this.#hasRoomFor(1);
    } catch {
      // A folder or a log that is gone has no room to be asked for: what becomes of that is not said here.
    }
    return this.#full;
  }

  /** A full disk fails every time until it has room: told once. */
  #fail(error: unknown): void {
    if (!this.#failing) this.#onError(`checkpoint of the write-ahead log failed, retrying: ${String(error)}`);
    this.#failing = true;
  }

  /** The log stays as it is when this fails: the next start finds all in it. */
  async #copyLast(): Promise<boolean> {
    try {
      const { walPages, isPinned } = await this.#copy({ mode: "passive", patienceMs: 0 });
      await this.#release();
      return isPinned || walPages === 0;
    } catch {
      return false;
    }
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
  }
}

/** The thread that copies the WAL into the database file. */
interface CheckpointThread {
  /** One question at a time. @throws Error when the thread broke; the next question but one goes to a new thread */
  ask(request: CheckpointRequest): Promise<CheckpointAnswer>;
  close(): Promise<void>;
}

/**
 * Starts it, with the database and not when there is something to copy: a thread that has the files open goes on with them
 * when somebody moves one. One that breaks, asked or idle, leaves no question without an answer and is replaced.
 */
function startCheckpointThread(copied: CheckpointedDatabase): CheckpointThread {
  let worker: Worker | undefined = start();
  let asked: { resolve: (answer: CheckpointAnswer) => void; reject: (error: Error) => void } | undefined;
  // Why an idle thread broke: the next question is answered with it.
  let broken: Error | undefined;

  function start(): Worker {
    const made = startWorker("checkpoint-worker", copied);
    made.unref();
    made.on("message", (answer: CheckpointAnswer) => {
      made.unref();
      asked?.resolve(answer);
      asked = undefined;
    });
    made.on("error", (error: Error) => lose(made, error));
    made.on("exit", () => lose(made, new Error("the checkpoint thread ended")));
    return made;
  }

  function lose(lost: Worker, error: Error): void {
    if (worker !== lost) return;
    worker = undefined;
    if (asked === undefined) broken = error;
    else asked.reject(error);
    asked = undefined;
  }

  return {
    async ask(request) {
      const error = broken;
      broken = undefined;
      if (error !== undefined) throw error;
      const thread = (worker ??= start());
      return new Promise((resolve, reject) => {
        asked = { resolve, reject };
        // The answer may be the only thing that the process waits for: it must not end before.
        thread.ref();
        thread.postMessage(request);
      });
    },
    async close() {
      if (worker !== undefined) await stopWorker(worker);
    },
  };
}
