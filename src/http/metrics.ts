import { monitorEventLoopDelay } from "node:perf_hooks";
import { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Database, StorageStats } from "../storage/database.ts";
import type { RouteRecord, RouteTable } from "./route-table.ts";

export interface Metrics {
  /** Notes one answer. Called for every request: it counts in plain fields, which are turned into metrics when scraped. */
  observe(route: RouteRecord, status: number, seconds: number): void;
  /** Adds a number that is read when it is scraped. */
  gauge(name: string, help: string, read: () => number): void;
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
  /** Where it is not the metric's own: parts of a histogram have names of their own. */
  metricName?: string;
}

/** What is the same in every process, since each reads it from the database, and ages, of which the worst counts. */
const NOT_ADDED: ReadonlySet<string> = new Set([
  "tessera_database_check_running",
  "tessera_database_damaged",
  "tessera_deletions_pending",
  "tessera_event_loop_lag_seconds",
  "tessera_feed_poll_age_seconds",
  "tessera_login_tokens",
]);

function combinedBy(name: string): "sum" | "max" {
  return NOT_ADDED.has(name) ? "max" : "sum";
}

const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Labels are route patterns, methods, statuses and names of this program; never anything stored or sent. */
export function createMetrics(db: Database, routes: RouteTable): Metrics {
  const registry = new Registry();
  const latency = new Histogram({
    name: "tessera_http_request_duration_seconds",
    help: "Time from the request's headers to the end of its answer",
    labelNames: ["method", "route"],
    buckets: BUCKETS,
    registers: [registry],
  });
  countRequests(registry, routes);
  const stopLag = measureEventLoopLag(registry);
  measureStorage(registry, db);
  measureDamagedRows(registry, db);
  measureFeed(registry, db);
  measureMemory(registry);
  let askOthers: ((own: Numbers) => Promise<readonly Numbers[]>) | undefined;
  // The library's own types of this leave out names of parts, and make an enumeration of what is text.
  const numbers = async (): Promise<Numbers> => (await registry.getMetricsAsJSON()) as unknown as Numbers;
  const gauge: Metrics["gauge"] = (name, help, read) => {
    const made: Gauge = new Gauge({
      name,
      help,
      aggregator: combinedBy(name),
      registers: [registry],
      collect: () => made.set(read()),
    });
  };
  measureDamage(gauge, db);
  gauge("tessera_processes", "Processes that these numbers are of", () => 1);
  return {
    observe(route, status, seconds) {
      route.answers.set(status, (route.answers.get(status) ?? 0) + 1);
      route.observe ??= latency.labels(route.method, route.pattern).observe;
      route.observe(seconds);
    },
    gauge,
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
    stop: stopLag,
  };
}

function countRequests(registry: Registry, routes: RouteTable): void {
  const requests: Counter<"method" | "route" | "status"> = new Counter({
    name: "tessera_http_requests_total",
    help: "Requests answered, by route pattern and status",
    labelNames: ["method", "route", "status"],
    registers: [registry],
    collect() {
      requests.reset();
      for (const { method, pattern, answers } of [...routes.records, routes.unknown]) {
        for (const [status, count] of answers) requests.inc({ method, route: pattern, status }, count);
      }
    },
  });
}

function measureEventLoopLag(registry: Registry): () => void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const lag: Gauge<"quantile"> = new Gauge({
    name: "tessera_event_loop_lag_seconds",
    help: "How late timers fired since the last scrape",
    labelNames: ["quantile"],
    aggregator: combinedBy("tessera_event_loop_lag_seconds"),
    registers: [registry],
    collect() {
      lag.set({ quantile: "0.5" }, delay.percentile(50) / 1e9);
      lag.set({ quantile: "0.99" }, delay.percentile(99) / 1e9);
      lag.set({ quantile: "1" }, delay.max / 1e9);
      delay.reset();
    },
  });
  return () => delay.disable();
}

function measureStorage(registry: Registry, db: Database): void {
  const operations: Counter<"kind"> = new Counter({
    name: "tessera_storage_operations_total",
    help: "Statements, transactions and syncs since the start",
    labelNames: ["kind"],
    registers: [registry],
    collect() {
      operations.reset();
      const kinds: StorageStats["operations"] = db.stats().operations;
      for (const [kind, count] of Object.entries(kinds)) operations.inc({ kind }, count);
    },
  });
  const queue: Gauge = new Gauge({
    name: "tessera_storage_write_queue",
    help: "Transactions that wait for their turn",
    registers: [registry],
    collect: () => queue.set(db.stats().writeQueue),
  });
  const connections: Gauge<"pool" | "state"> = new Gauge({
    name: "tessera_storage_pool_connections",
    help: "Connections and workers by pool: busy, and open in all",
    labelNames: ["pool", "state"],
    registers: [registry],
    collect() {
      for (const [pool, { busy, size }] of Object.entries(db.stats().pools)) {
        connections.set({ pool, state: "busy" }, busy);
        connections.set({ pool, state: "open" }, size);
      }
    },
  });
}

function measureDamage(gauge: Metrics["gauge"], db: Database): void {
  gauge("tessera_database_damaged", "1 when the embedded database's file was found damaged", () =>
    Number(db.stats().isDamaged),
  );
  gauge("tessera_database_check_running", "1 while the embedded database's file is looked through for damage", () =>
    Number(db.stats().isChecking),
  );
}

/** Labels are names of tables of this program. */
function measureDamagedRows(registry: Registry, db: Database): void {
  const rows: Counter<"table"> = new Counter({
    name: "tessera_storage_damaged_rows_total",
    help: "Reads that met a row that is not what was written, by table",
    labelNames: ["table"],
    registers: [registry],
    collect() {
      rows.reset();
      for (const [table, count] of Object.entries(db.damagedRows())) rows.inc({ table }, count);
    },
  });
}

function measureFeed(registry: Registry, db: Database): void {
  const age: Gauge = new Gauge({
    name: "tessera_feed_poll_age_seconds",
    help: "Time since the last successful poll for changes of other servers began; caches are used below 1",
    aggregator: combinedBy("tessera_feed_poll_age_seconds"),
    registers: [registry],
    collect: () => age.set(db.stats().feed.pollAgeSeconds ?? 0),
  });
  const published: Counter = new Counter({
    name: "tessera_feed_events_total",
    help: "Changes told to caches and watchers since the start",
    registers: [registry],
    collect() {
      published.reset();
      published.inc(db.stats().feed.published);
    },
  });
  const sizes: Gauge<"cache" | "of"> = new Gauge({
    name: "tessera_cache_size",
    help: "Entries and bytes of the caches of what is derived from stored data",
    labelNames: ["cache", "of"],
    registers: [registry],
    collect() {
      for (const [cache, { entries, bytes }] of Object.entries(db.stats().feed.caches)) {
        sizes.set({ cache, of: "entries" }, entries);
        sizes.set({ cache, of: "bytes" }, bytes);
      }
    },
  });
  const lookups: Counter<"cache" | "result"> = new Counter({
    name: "tessera_cache_lookups_total",
    help: "Look-ups in those caches, by whether the value was there",
    labelNames: ["cache", "result"],
    registers: [registry],
    collect() {
      lookups.reset();
      for (const [cache, { hits, misses }] of Object.entries(db.stats().feed.caches)) {
        lookups.inc({ cache, result: "hit" }, hits);
        lookups.inc({ cache, result: "miss" }, misses);
      }
    },
  });
}

function measureMemory(registry: Registry): void {
  const memory: Gauge = new Gauge({
    name: "tessera_resident_memory_bytes",
    help: "Memory of the process that is in RAM",
    registers: [registry],
    collect: () => memory.set(process.memoryUsage.rss()),
  });
}
