/** The place where rooms below HTTP register numbers for `GET /metrics`. */

/** Registers numbers of this process; each is read when it is scraped. */
export interface MetricRegistry {
  /** Adds one number. */
  gauge(name: string, help: string, read: () => number): void;
  /** Adds numbers told apart by labels, whose values are words of this program. */
  gauges(name: string, help: string, labels: string[], read: ReadLabelled): void;
  /** Adds sums since the start, told apart by labels. */
  sums(name: string, help: string, labels: string[], read: ReadLabelled): void;
}

export type MetricLabels = Readonly<Record<string, string>>;

export type ReadLabelled = () => readonly (readonly [labels: MetricLabels, value: number])[];
