/** How long requests took, of one kind or of all. */
export interface Summary {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

interface Took {
  readonly from: number;
  readonly to: number;
}

/** Takes down how long each request took. */
export class Latencies {
  readonly #byKind = new Map<string, Took[]>();

  /** @param from and @param to as `performance.now()` has them */
  note(kind: string, from: number, to: number): void {
    const list = this.#byKind.get(kind);
    if (list === undefined) this.#byKind.set(kind, [{ from, to }]);
    else list.push({ from, to });
  }

  /** Summary of the durations that `counts` accepts. */
  all(counts: (from: number, to: number) => boolean): Summary {
    return summarize(
      [...this.#byKind.values()]
        .flat()
        .filter(({ from, to }) => counts(from, to))
        .map(durationOf),
    );
  }

  byKind(): Map<string, Summary> {
    return new Map([...this.#byKind].map(([kind, list]) => [kind, summarize(list.map(durationOf))]));
  }
}

function durationOf({ from, to }: Took): number {
  return to - from;
}

/** Summarizes durations; all figures of an empty list are 0. */
export function summarize(list: readonly number[]): Summary {
  const sorted = Float64Array.from(list).toSorted();
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}
