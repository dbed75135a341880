/**
 * Measures stolen time: processor time that the host gives to other machines. No change of the server can bring it
 * back.
 */
import { readFileSync } from "node:fs";

const EVERY_MS = 250;
/** Share of stolen time above which a measurement shows nothing about the server. */
const MOST_STOLEN = 0.02;

/** Looks again and again how much processor time is stolen, as Linux counts it; elsewhere nothing is known to be. */
export class StolenTime {
  readonly #looks: { at: number; stolen: number; all: number }[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor() {
    const look = (): void => void this.#looks.push({ at: performance.now(), ...readTimes() });
    look();
    this.#timer = setInterval(look, EVERY_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Whether little was stolen while something went on. @param from and @param to as `performance.now()` has them */
  isQuiet(from: number, to: number): boolean {
    const first = this.#looks.findLastIndex(({ at }) => at <= from);
    const next = this.#looks.findIndex(({ at }) => at >= to);
    // The counter shows stolen time a moment later.
    return this.#share(Math.max(0, first - 1), next === -1 ? this.#looks.length - 1 : next + 1) <= MOST_STOLEN;
  }

  /** The share of all processor time that was stolen, from 0 to 1. */
  share(): number {
    return this.#share(0, this.#looks.length - 1);
  }

  /** The share of the time in which little was stolen, from 0 to 1. */
  quiet(): number {
    const quiet = this.#looks.filter(({ at }) => this.isQuiet(at, at + 1));
    return quiet.length / this.#looks.length;
  }

  #share(first: number, last: number): number {
    const [from, to] = [this.#looks[first], this.#looks[Math.min(last, this.#looks.length - 1)]];
    return from === undefined || to === undefined || to.all <= from.all
      ? 0
      : (to.stolen - from.stolen) / (to.all - from.all);
  }
}

function readTimes(): { stolen: number; all: number } {
  try {
    // user, nice, system, idle, iowait, irq, softirq, steal; what follows is counted in the first two.
    const times =
      readFileSync("/proc/stat", "latin1").split("\n", 1)[0]?.trim().split(/ +/).slice(1, 9).map(Number) ?? [];
    return { stolen: times[7] ?? 0, all: times.reduce((sum, time) => sum + time, 0) };
  } catch {
    return { stolen: 0, all: 0 };
  }
}
