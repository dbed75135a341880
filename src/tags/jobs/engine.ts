/**
 * Does jobs, on one node at a time: of each organization the oldest, slice by slice, in turns with those of others. What a
 * slice changes and where the job goes on from there are one transaction, so each is done exactly once, whatever is killed.
 * What a slice does its kind says (`job.ts`); nothing here knows of tags.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import type { Actor } from "../../rights/actor.ts";
import { leavingOwned, NOTHING_OWNED, ownedAmong, ownersOf, type OwnedAmong } from "../../acl/declarations/owners.ts";
import { DEFAULT_SCOPE } from "../../rights/scope.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { Owners } from "../../owners.ts";
import { organizationNameOf } from "../../organizations/store.ts";
import type { Database, WriteOrigin, Transaction } from "../../storage/database.ts";
import { checkLease, newHolder, takeLease, type Lease } from "../../storage/feed/lease.ts";
import { startBackground, type Background } from "../../storage/operator/removal.ts";
import {
  addCounts,
  isRunnable,
  leavesOwned,
  MOST_ERROR_LENGTH,
  MOST_ERRORS,
  type Job,
  type JobKinds,
  type JobWork,
  type SliceResult,
} from "./job.ts";
import { findJob, listRunnable, updateJob } from "./store.ts";

export interface EngineOptions {
  kinds: JobKinds;
  /**
   * Finds the actor whose token has this AccessorID, as of now. Undefined when the token does not exist, "uncertain" when it may
   * have ended by a clock in doubt alone.
   *
   * @throws AppError when its rights cannot be told
   */
  actorOf: (accessorId: string) => Promise<Actor | "uncertain" | undefined>;
  /** Milliseconds since the epoch, by the database's clock. */
  now: () => number;
  log: FastifyBaseLogger;
  /** Name under which this process holds the lease. Default: a name of its own. */
  holder?: string;
}

const LEASE = "tag-jobs";
/** Jobs that are under way at a time, each of another organization. */
const AT_A_TIME = 8;
/** Rows that a slice changes. */
const ROWS = { least: 10, first: 50, most: 500 };
/** How long a slice should hold its organization's turn, and how long others then have the database to themselves. */
const LONGEST_MS = 8;
const PAUSE_MS = 2;
/** How long is worked on before it is looked again which jobs there are, and the lease is renewed, which lasts for seconds. */
const ROUND_MS = 1000;
/** Faults of the program after which a job is given up. */
const MOST_FAULTS = 5;

/** A job that is under way here. */
interface Running {
  id: string;
  work: JobWork;
  size: number;
  faults: number;
}

/** Makes what a job becomes, and what is written with it. */
type ChangeOfJob = (tx: Transaction, job: Job, owned: OwnedAmong) => Promise<Job>;

/** Starts the work; it is looked for jobs once a second. */
export function startJobs(db: Database, options: EngineOptions): Background {
  const engine = createEngine(db, options);
  return startBackground(
    (signal) => engine.work(signal),
    (error) => options.log.error({ err: error }, "cannot run jobs"),
  );
}

export interface JobEngine {
  /** Does what there is to do, until nothing is left or the signal says so. */
  work(signal: AbortSignal): Promise<void>;
}

/** Makes the engine without starting it. */
export function createEngine(db: Database, options: EngineOptions): JobEngine {
  return new SliceEngine(db, options);
}

class SliceEngine implements JobEngine {
  readonly #db: Database;
  readonly #options: EngineOptions;
  readonly #holder: string;
  readonly #owners: Owners;
  #running = new Map<string, Running>();

  constructor(db: Database, options: EngineOptions) {
    this.#db = db;
    this.#options = options;
    this.#holder = options.holder ?? newHolder();
    this.#owners = ownersOf(db);
  }

  async work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // Jobs of kinds that only a newer version knows are left to that version.
      const jobs = (await listRunnable(this.#db, AT_A_TIME)).filter(
        ({ action }) => this.#options.kinds[action] !== undefined,
      );
      const lease = jobs.length === 0 ? undefined : await takeLease(this.#db, LEASE, this.#holder);
      if (lease === undefined) {
        this.#running = new Map();
        return;
      }
      // Jobs that have ended or are paused are removed.
      this.#running = new Map(jobs.flatMap((job) => this.#begin(job)));
      // Jobs with a fault are retried in the next round, a second later.
      if (!(await this.#workFor(ROUND_MS, lease, signal))) return;
    }
  }

  #begin({ id, action }: Job): [string, Running][] {
    const known = this.#running.get(id);
    const work = known?.work ?? this.#options.kinds[action]?.();
    return work === undefined ? [] : [[id, known ?? { id, work, size: ROWS.first, faults: 0 }]];
  }

  /** @returns whether all went well */
  async #workFor(milliseconds: number, lease: Lease, signal: AbortSignal): Promise<boolean> {
    const ends = performance.now() + milliseconds;
    const left = new Map(this.#running);
    let isWell = true;
    while (left.size > 0 && !signal.aborted && performance.now() < ends) {
      for (const each of left.values()) {
        const outcome = await this.#goOn(lease, each);
        if (outcome === "trouble") isWell = false;
        if (outcome !== "more") left.delete(each.id);
        if (signal.aborted) return isWell;
        await sleep(PAUSE_MS);
      }
    }
    return isWell;
  }

  async #goOn(lease: Lease, each: Running): Promise<"more" | "over" | "trouble"> {
    try {
      const isMore = await this.#doSlice(lease, each);
      each.faults = 0;
      return isMore ? "more" : "over";
    } catch (error) {
      if (!(await this.#isFault(lease, each, error))) return "trouble";
      this.#options.log.error({ err: error, job: each.id }, "job step failed");
      each.faults += 1;
      if (each.faults >= MOST_FAULTS) await this.#fail(lease, each.id, "Internal error. See the server log");
      return "trouble";
    }
  }

  /** An error that ends the job is stored in the job. It is not a fault of the server. */
  async #isFault(lease: Lease, { id }: Running, error: unknown): Promise<boolean> {
    if (!(error instanceof AppError)) return true;
    // Storage is away, or another node does it now.
    if (error.code === "unavailable" || error.code === "outcome_unknown" || error.code === "conflict") return false;
    await this.#fail(lease, id, error.message);
    return false;
  }

  async #doSlice(lease: Lease, each: Running): Promise<boolean> {
    const job = await findJob(this.#db, each.id);
    if (job === undefined || !isRunnable(job)) return false;
    const actor = await this.#options.actorOf(job.accessorId);
    // A job that failed stays failed, so it waits until the clock is trusted.
    if (actor === "uncertain") throw new AppError("unavailable", "the system clock is not trusted");
    if (actor === undefined) {
      await this.#fail(lease, job.id, "The token that started this job was deleted, was disabled or has expired");
      return false;
    }
    const { log, now } = this.#options;
    const ctx: Context = { db: this.#db, actor, requestId: job.requestId, log, now };
    if (job.status === "queued" && job.total === -1) {
      const total = await each.work.count(ctx, job);
      return this.#change(lease, job, (_tx, found) => Promise.resolve(started(found, total, this.#options.now())));
    }
    const slice = await each.work.next(ctx, job, each.size);
    let began = 0;
    const isMore = await this.#change(lease, job, async (tx, found, owned) => {
      began = performance.now();
      return progressed(found, await slice(tx, owned), this.#options.now());
    });
    each.size = sizeAfter(each.size, performance.now() - began);
    return isMore;
  }

  /** Changes a job unless it is another one meanwhile. @returns whether it can go on */
  async #change(lease: Lease, seen: Job, to: ChangeOfJob): Promise<boolean> {
    const findOwners = leavesOwned(seen)
      ? await this.#owners.near(DEFAULT_SCOPE.partition, organizationNameOf)
      : undefined;
    return this.#db.inTransaction(
      { kind: "organization", id: seen.organizationId },
      async (tx) => {
        const [job] = await Promise.all([findJob(tx, seen.id), checkLease(tx, lease)]);
        if (job === undefined || !isRunnable(job)) return false;
        // Another node, which took this one for dead, has gone on.
        if (job.place !== seen.place || job.total !== seen.total) return true;
        const owned = findOwners === undefined ? NOTHING_OWNED : ownedAmong(findOwners);
        const write = (own: Transaction): Promise<Job> => to(own, job, owned);
        const after = await (findOwners === undefined ? write(tx) : leavingOwned(findOwners, tx, write));
        updateJob(tx, after);
        tx.unrecorded("how far a job is");
        return isRunnable(after);
      },
      () => originOf(seen),
    );
  }

  async #fail(lease: Lease, id: string, reason: string): Promise<void> {
    const job = await findJob(this.#db, id);
    if (job === undefined) return;
    this.#options.log.info({ job: id, reason }, "job failed");
    await this.#change(lease, job, (_tx, found) =>
      Promise.resolve(ended(found, "failed", this.#options.now(), reason)),
    );
  }
}

/** Its changes are those of who asked for it. */
function originOf({ id: job, accessorId, requestId }: Job): WriteOrigin {
  return { accessorId, requestId, detail: { job, route: "job" } };
}

function sizeAfter(size: number, milliseconds: number): number {
  if (milliseconds > LONGEST_MS) return Math.max(ROWS.least, size >> 1);
  return milliseconds < LONGEST_MS / 2 ? Math.min(ROWS.most, size * 2) : size;
}

function started(job: Job, total: number, now: number): Job {
  const at = new Date(now).toISOString();
  return { ...job, status: "running", total, startedAt: at, updatedAt: at };
}

/** The job as a slice leaves it. */
function progressed(job: Job, result: SliceResult, now: number): Job {
  const { place, done, changed, refused = {}, warned = {}, errors = [] } = result;
  const after: Job = {
    ...job,
    status: "running",
    place: place ?? job.place,
    done: job.done + done,
    changed: job.changed + changed,
    refused: addCounts(job.refused, refused),
    warned: addCounts(job.warned, warned),
    errors: [...job.errors, ...errors.map((text) => text.slice(0, MOST_ERROR_LENGTH))].slice(0, MOST_ERRORS),
    updatedAt: new Date(now).toISOString(),
  };
  return place === undefined ? ended(after, "done", now) : after;
}

/** The job as it is when it ends, for whatever reason. */
export function ended(job: Job, status: "done" | "failed" | "cancelled", now: number, reason = ""): Job {
  const at = new Date(now).toISOString();
  return { ...job, status, reason: reason.slice(0, MOST_ERROR_LENGTH), updatedAt: at, finishedAt: at };
}
