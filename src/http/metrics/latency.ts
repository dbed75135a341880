/** How long answers take: counted in plain numbers for each route, which become a histogram when somebody asks for it. */
/** The answers of a route. */
export interface Latency {
  /** How many took no longer than each of `BUCKETS` and longer than the one before; the last one has the rest. */
  counts: number[];
  seconds: number;
}

/** Upper ends, in seconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createLatency(): Latency {
  return { counts: Array.from({ length: BUCKETS.length + 1 }, () => 0), seconds: 0 };
}

/** Notes one answer. @param seconds from the request's headers to the end of its answer */
export function noteLatency(latency: Latency, seconds: number): void {
  let bucket = 0;
  while (seconds > (BUCKETS[bucket] ?? Infinity)) bucket += 1;
  latency.counts[bucket] = (latency.counts[bucket] ?? 0) + 1;
  latency.seconds += seconds;
}

/** A route with its answers. */
interface Measured {
  method: string;
  pattern: string;
  latency: Latency;
}

const NAME = "tessera_http_request_duration_seconds";

/** The histogram of all routes that have answered, as `prom-client` gives its own. */
export function latencyMetric(records: () => readonly Measured[]) {
  return {
    name: NAME,
    reset: () => undefined,
    get: () =>
      Promise.resolve({
        name: NAME,
        help: "Time from the request headers to the end of the response, without blocking queries and event streams",
        type: "histogram",
        aggregator: "sum",
        values: records().flatMap(valuesOf),
      }),
  };
}

function valuesOf({ method, pattern: route, latency }: Measured) {
  let count = 0;
  const buckets = latency.counts.map((own, bucket) => {
    count += own;
    const le = BUCKETS[bucket] ?? "+Inf";
    return { metricName: `${NAME}_bucket`, labels: { le, method, route }, value: count };
  });
  if (count === 0) return [];
  const labels = { method, route };
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels, value: latency.seconds },
    { metricName: `${NAME}_count`, labels, value: count },
  ];
}
