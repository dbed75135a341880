import { monitorEventLoopDelay } from "node:perf_hooks";
import { AggregatorRegistry, Counter, Gauge, type Metric, Registry } from "prom-client";
import type { Database } from "../../storage/database.ts";
import type { MetricRegistry, ReadLabelled } from "../../metrics.ts";
import { latencyMetric, noteLatency } from "./latency.ts";
import type { RouteRecord, RouteTable } from "../route-table.ts";

export interface Metrics extends MetricRegistry {
  /** Notes one answer, which may be a failure that clients know and that is none. Called for every request: it counts in plain fields, which are turned into metrics when scraped. */
  observe(route: RouteRecord, status: number, seconds: number | undefined, isExpected?: boolean): void;
  /** The text of `GET /metrics`. */
  render(): Promise<string>;
  /** The numbers of this process, for another one that answers for all. */
  numbers(): Promise<Numbers>;
  /**
   * From now on `render` answers for several processes, with all their numbers put together.
   *
   * @param others gives the numbers of the other processes; it is told those of this one
   */
  speakForAll(others: (own: Numbers) => Promise<readonly Numbers[]>): void;
  contentType: string;
  stop(): void;
}

/** The metrics of one process with their values, in a form that another process can be sent. */
export type Numbers = readonly MetricNumbers[];

export interface MetricNumbers {
  name: string;
  help: string;
  type: string;
  /** How the values of several processes become one. */
  aggregator: string;
  values: readonly MetricValue[];
}

interface MetricValue {
  value: number;
  labels: Readonly<Record<string, string | number>>;
  /** Name of the sample where it differs from the metric: parts of a histogram have their own names. */
  metricName?: string;
}

/**
 * Metrics that are not summed over processes: each process reads the value from the database, or it is an age, of which
 * the largest is shown.
 */
const NOT_ADDED: ReadonlySet<string> = new Set([
  "tessera_audit_broken_chains",
  "tessera_audit_file_behind_records",
  "tessera_audit_file_behind_seconds",
  "tessera_audit_webhook_behind_records",
  "tessera_audit_webhook_behind_seconds",
  "tessera_backup_age_seconds",
  "tessera_backups_in_future",
  "tessera_certificate_end_seconds",
  "tessera_clock_in_doubt",
  "tessera_database_check_running",
  "tessera_database_damaged",
  "tessera_deletions_pending",
  "tessera_event_loop_lag_seconds",
  "tessera_feed_poll_age_seconds",
  "tessera_login_tokens",
  "tessera_tokens",
  "tessera_tokens_expiring",
  "tessera_webhooks_behind_seconds",
  "tessera_webhooks_failing",
  "tessera_master_key_rotating",
  "tessera_reseal_running",
  "tessera_reseal_pass",
  "tessera_reseal_seen",
  "tessera_reseal_resealed",
  "tessera_reseal_damaged",
  "tessera_webhooks_pending",
]);

/** Quantiles are those of a summary, of which the library makes none but of what it observes itself. */
function asSummary(metric: Counter | Gauge): void {
  const get = metric.get.bind(metric);
  Object.assign(metric, { get: async () => ({ ...(await get()), type: "summary" }) });
}

/** MetricLabels are route patterns, methods, statuses and names of this program; never anything stored or sent. */
export function createMetrics(db: Database, routes: RouteTable): Metrics {
  const registry = new Registry();
  const records = (): readonly RouteRecord[] => [...routes.records, routes.unknown];
  // The library asks no more of a metric than these members.
  registry.registerMetric(latencyMetric(records) as unknown as Metric);
  const add = adderTo(registry);
  measureRequests(add, records);
  const lag = measureLag(add);
  measureStorage(add, db);
  measureProcess(add);
  measureFile(add, db);

  let askOthers: ((own: Numbers) => Promise<readonly Numbers[]>) | undefined;
  // The library's own types of this leave out names of parts, and make an enumeration of what is text.
  const numbers = async (): Promise<Numbers> => (await registry.getMetricsAsJSON()) as unknown as Numbers;
  return {
    observe(route, status, seconds, isExpected = false) {
      const answers = isExpected ? route.expectedAnswers : route.answers;
      answers.set(status, (answers.get(status) ?? 0) + 1);
      if (seconds !== undefined) noteLatency(route.latency, seconds);
    },
    gauge: gaugeBy(add),
    gauges: (name, help, labels, read) => add(Gauge, name, help, labels, read),
    sums: (name, help, labels, read) => add(Counter, name, help, labels, read),
    async render() {
      if (askOthers === undefined) return registry.metrics();
      const own = await numbers();
      return AggregatorRegistry.aggregate([own, ...(await askOthers(own))]).metrics();
    },
    numbers,
    speakForAll(others) {
      askOthers = others;
    },
    contentType: registry.contentType,
    stop: () => lag.disable(),
  };
}

type Add = ReturnType<typeof adderTo>;

/** Returns what adds numbers that are read when they are scraped, and are sums since the start when it is a `Counter`. */
function adderTo(registry: Registry) {
  return (
    Kind: typeof Counter | typeof Gauge,
    name: string,
    help: string,
    labelNames: string[],
    read: ReadLabelled,
  ): void => {
    const made: Counter | Gauge = new Kind({
      name,
      help,
      labelNames,
      aggregator: NOT_ADDED.has(name) ? "max" : "sum",
      registers: [registry],
      collect() {
        if (made instanceof Counter) made.reset();
        for (const [labels, value] of read()) {
          if (made instanceof Counter) made.inc(labels, value);
          else made.set(labels, value);
        }
      },
    });
    if (labelNames.includes("quantile")) asSummary(made);
  };
}

function gaugeBy(add: Add): Metrics["gauge"] {
  return (name, help, read) => add(Gauge, name, help, [], () => [[{}, read()]]);
}

function measureRequests(add: Add, records: () => readonly RouteRecord[]): void {
  add(
    Counter,
    "tessera_http_requests_total",
    "Number of requests by route pattern and status",
    ["method", "route", "status", "expected"],
    () =>
      records().flatMap(({ method, pattern: route, answers, expectedAnswers }) => [
        ...Array.from(answers, ([status, count]) => [{ method, route, status: String(status) }, count] as const),
        ...Array.from(
          expectedAnswers,
          ([status, count]) => [{ method, route, status: String(status), expected: "true" }, count] as const,
        ),
      ]),
  );
}

function measureLag(add: Add): ReturnType<typeof monitorEventLoopDelay> {
  const lag = monitorEventLoopDelay({ resolution: 20 });
  lag.enable();
  add(Gauge, "tessera_event_loop_lag_seconds", "Event loop lag since the last scrape", ["quantile"], () => {
    const [half, most, worst] = [lag.percentile(50), lag.percentile(99), lag.max].map(
      (nanoseconds) => nanoseconds / 1e9,
    );
    lag.reset();
    return [
      [{ quantile: "0.5" }, half ?? 0],
      [{ quantile: "0.99" }, most ?? 0],
      [{ quantile: "1" }, worst ?? 0],
    ];
  });
  return lag;
}

function measureStorage(add: Add, db: Database): void {
  const gauge = gaugeBy(add);
  const stats = () => db.stats();
  const caches = () => stats().feed.caches;
  add(Counter, "tessera_storage_operations_total", "Number of statements, transactions and syncs", ["kind"], () =>
    labelled("kind", stats().operations),
  );
  gauge("tessera_storage_write_queue", "Number of waiting transactions", () => stats().writeQueue);
  add(
    Gauge,
    "tessera_storage_pool_connections",
    "Number of busy and open connections and workers by pool",
    ["pool", "state"],
    () => each("pool", stats().pools, "state", { busy: "busy", open: "size" }),
  );
  add(Counter, "tessera_storage_damaged_rows_total", "Number of reads of corrupted rows by table", ["table"], () =>
    labelled("table", db.damagedRows()),
  );
  gauge(
    "tessera_feed_poll_age_seconds",
    "Age of the last successful poll for changes of other servers; caches are disabled from 1 s",
    () => stats().feed.pollAgeSeconds ?? 0,
  );
  add(Counter, "tessera_feed_events_total", "Number of changes sent to caches and watchers", [], () => [
    [{}, stats().feed.published],
  ]);
  add(Gauge, "tessera_cache_size", "Entries and bytes of the caches", ["cache", "of"], () =>
    each("cache", caches(), "of", { entries: "entries", bytes: "bytes" }),
  );
  add(Counter, "tessera_cache_lookups_total", "Cache lookups by result", ["cache", "result"], () =>
    each("cache", caches(), "result", { hit: "hits", miss: "misses" }),
  );
}

function measureProcess(add: Add): void {
  const gauge = gaugeBy(add);
  gauge("tessera_resident_memory_bytes", "Resident memory of the process", () => process.memoryUsage.rss());
  gauge("tessera_processes", "Number of processes in these metrics", () => 1);
}

function measureFile(add: Add, db: Database): void {
  const gauge = gaugeBy(add);
  gauge("tessera_database_damaged", "1 if the file of the embedded database is corrupted", () =>
    Number(db.stats().isDamaged),
  );
  gauge("tessera_database_check_running", "1 while the file of the embedded database is checked for corruption", () =>
    Number(db.stats().isChecking),
  );
}

function labelled(label: string, values: Readonly<Record<string, number>>): ReturnType<ReadLabelled> {
  return Object.entries(values).map(([name, value]) => [{ [label]: name }, value]);
}

/** Some numbers of each of these. @param members their names by what the second label calls them */
function each<M extends string>(
  label: string,
  values: Readonly<Record<string, Readonly<Record<M, number>>>>,
  by: string,
  members: Readonly<Record<string, M>>,
): ReturnType<ReadLabelled> {
  return Object.entries(values).flatMap(([name, value]) =>
    Object.entries(members).map(([called, member]) => [{ [label]: name, [by]: called }, value[member]] as const),
  );
}
