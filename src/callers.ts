/**
 * For whom work is done. Whoever asks is known wherever work for it goes on, however deep: work that pauses looks at each
 * pause whether anybody still waits for it, and features have nothing to do for that.
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** Somebody for whom work is done. */
export interface WorkCaller {
  /** Whether nobody waits for the work any more, and it has begun nothing that has to come to its end. True once, true for ever. */
  isGone(): boolean;
  /** Aborted, with `CallerGone`, when it goes. Made when it is first asked for: by what waits, and not by what works. */
  readonly gone: AbortSignal;
  /** The share of the server that it takes is theirs; undefined where another has been taken already, or there is none to take. */
  readonly owner: WorkOwner | undefined;
  /** On whose share storage is asked, where it is another than the owner's: of work that is done for nobody in particular. */
  readonly payer?: WorkOwner | undefined;
}

/** No more is done at a time for one of them than for others. */
export interface WorkOwner {
  /** A token, or an address without one. */
  name: string;
  /** All who could make more of them: the namespace of the token. */
  group: string;
}

/** The end of work that nobody waits for: it is no failure, and there is nobody to tell. */
export class CallerGone extends Error {
  constructor() {
    super("the caller has disconnected");
    this.name = "CallerGone";
  }
}

const callers = new AsyncLocalStorage<WorkCaller | undefined>();

/** For whom the work is done that asks; undefined for nobody in particular, who never goes. */
export function callerNow(): WorkCaller | undefined {
  return callers.getStore();
}

/** On whose share storage is asked; undefined for nobody's. */
export function payerNow(): WorkOwner | undefined {
  const caller = callers.getStore();
  return caller?.payer ?? caller?.owner;
}

/**
 * Nobody in particular, on the share of who asks now: for what several may wait for, and what goes on when they have gone. It
 * needs no place of its own in turns.
 */
export function nobodyOnShare(): WorkCaller | undefined {
  const payer = payerNow();
  return payer && new Nobody(payer);
}

class Nobody implements WorkCaller {
  readonly owner = undefined;
  readonly payer: WorkOwner;
  #never: AbortController | undefined;

  constructor(payer: WorkOwner) {
    this.payer = payer;
  }

  isGone(): boolean {
    return false;
  }

  get gone(): AbortSignal {
    return (this.#never ??= new AbortController()).signal;
  }
}

/** Does work for somebody, or with `undefined` for nobody in particular: it and all that it begins. */
export function workFor<T>(caller: WorkCaller | undefined, work: () => T): T {
  return callers.run(caller, work);
}

/** Asked at each pause. @throws {CallerGone} when nobody waits any more for the work that asks */
export function throwIfGone(): void {
  if (callers.getStore()?.isGone() === true) throw new CallerGone();
}

/** Work that several wait for. */
export interface SharedWork<T> {
  /**
   * Waits for it. The work goes on for as long as one of those who wait has not gone.
   *
   * @param alone does the same for this caller, where the work ended because its last one went when this one came
   * @throws what the work throws
   */
  join(alone: () => Promise<T>): Promise<T>;
  /** Whether it ended, or is about to, because all who waited have gone: then it is begun anew. */
  isGone(): boolean;
}

/** Begins work that others may join; it is done on the share of who asks first. Whoever begins it has to join it too. */
export function shareWork<T>(work: () => Promise<T>): SharedWork<T> {
  const askers = new Askers(callers.getStore());
  const result = workFor(askers, work);
  const forget = (): void => askers.end();
  result.then(forget, forget);
  return {
    async join(alone) {
      const caller = callers.getStore();
      askers.add(caller);
      try {
        return await result;
      } catch (error) {
        if (!(error instanceof CallerGone) || caller?.isGone() === true) throw error;
        return alone();
      }
    },
    isGone: () => askers.isGone(),
  };
}

/**
 * Work whose result is kept: it is done once for all who ask, ends with the last of those who wait for it, and is begun anew after
 * that and after a failure.
 */
export function onceShared<T>(work: () => Promise<T>): () => Promise<T> {
  let kept: SharedWork<T> | undefined;
  return async () => {
    if (kept === undefined || kept.isGone()) kept = shareWork(work);
    const own = kept;
    try {
      return await own.join(work);
    } catch (error) {
      if (kept === own) kept = undefined;
      throw error;
    }
  };
}

/** All who wait for one piece of work, as the one caller that it is done for: on the share of the first. */
export class Askers implements WorkCaller {
  readonly owner: WorkOwner | undefined;
  readonly payer: WorkOwner | undefined;
  readonly #all = new Set<WorkCaller>();
  #ending: AbortController | undefined;
  #state: "awaited" | "gone" | "over" = "awaited";
  /** Whether it is done for nobody in particular too. */
  #isForNobody = false;

  constructor(first: WorkCaller | undefined) {
    this.owner = first?.owner;
    this.payer = first?.payer;
    this.add(first);
  }

  /** Work that is over is kept, and must not keep those who asked for it. */
  end(): void {
    if (this.#state === "awaited") this.#state = "over";
    this.#all.clear();
  }

  add(caller: WorkCaller | undefined): void {
    if (this.#state !== "awaited" || (caller !== undefined && this.#all.has(caller))) return;
    if (caller === undefined) this.#isForNobody = true;
    else this.#all.add(caller);
    if (this.#ending !== undefined) this.#follow(caller);
  }

  isGone(): boolean {
    if (this.#state !== "awaited") return this.#state === "gone";
    if (this.#isForNobody) return false;
    for (const caller of this.#all) if (!caller.isGone()) return false;
    this.#state = "gone";
    return true;
  }

  get gone(): AbortSignal {
    if (this.#ending === undefined) {
      this.#ending = new AbortController();
      for (const caller of this.#all) this.#follow(caller);
    }
    return this.#ending.signal;
  }

  #follow(caller: WorkCaller | undefined): void {
    const look = (): void => {
      if (this.isGone()) this.#ending?.abort(new CallerGone());
    };
    if (caller?.gone.aborted === true) look();
    else caller?.gone.addEventListener("abort", look, { once: true });
  }
}
