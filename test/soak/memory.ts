import { residentBytes } from "../attacks/resident.ts";

const EVERY_MS = 500;
/** Over so long a median is taken: answers that are being sent come and go. */
const AROUND_MS = 10_000;

/** Looks at the memory of a process again and again. */
export class MemoryWatch {
  readonly #looks: { at: number; bytes: number }[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(pid: number) {
    const look = (): void => void this.#looks.push({ at: performance.now(), bytes: residentBytes(pid) });
    look();
    this.#timer = setInterval(look, EVERY_MS);
  }

  /** The median of the looks in the 10 s (or a shorter time) before a moment. */
  before(moment: number, milliseconds = AROUND_MS): number {
    const around = this.#looks.filter(({ at }) => at <= moment && at > moment - milliseconds);
    const sorted = around.map(({ bytes }) => bytes).toSorted((one, other) => one - other);
    return sorted[Math.floor(sorted.length / 2)] ?? NaN;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
