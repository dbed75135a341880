import { callerNow } from "../callers.ts";
import { createPool, poolRefusalText, type PoolRefusal } from "../shared-pool.ts";
import type { LookupAddress } from "node:dns";
import { orAborted, createLanes, createLane, type LaneBounds } from "../limits/lane.ts";
import { OutboundError, type Ask } from "./outbound.ts";
import type { Resolve } from "./resolver.ts";

/** Owner of look-ups: each has its own, so names that hang delay no other owner. */
interface Tenant {
  partition: string;
  namespace: string;
}

export interface Lookups {
  /** Finds the addresses of a name for somebody, in the order of the resolver. */
  of(tenant: Tenant): Resolve;
  /** Number of look-ups that run or wait. */
  size(): number;
}

/**
 * Bounds for a namespace, and for a partition with all its namespaces. A look-up may take as long as a connect, 5 s.
 */
const NAMESPACE = { pool: "lookups", running: 8, waiting: 256, milliseconds: 5000 } as const;
const PARTITION = { pool: "lookups", running: 256, waiting: 4096, milliseconds: 5000 } as const;

const tooMany = (): Error => new OutboundError("too many DNS lookups are running");
const REFUSALS = { full: tooMany, late: tooMany };

interface Running {
  found: Promise<readonly LookupAddress[]>;
  /** Number of callers that wait for it. The look-up ends when none is left. */
  waiting: number;
  ending: AbortController;
}

/** Bounds how many look-ups run for each tenant. The others wait, and those of a tenant for one name share a look-up. */
export function createLookups(resolve: Resolve): Lookups {
  const namespaces = createLanes(NAMESPACE, REFUSALS);
  const partitions = createLanes(PARTITION, REFUSALS);
  const running = new Map<string, Running>();

  function begin({ partition, namespace }: Tenant, name: string): Running {
    const ending = new AbortController();
    const { signal } = ending;
    const inPartition = () => partitions.run(partition, () => resolve(name, signal), signal);
    return { found: namespaces.run(`${partition}/${namespace}`, inPartition, signal), waiting: 0, ending };
  }

  async function find(tenant: Tenant, name: string, signal: AbortSignal): Promise<readonly LookupAddress[]> {
    const key = `${tenant.partition}/${tenant.namespace}/${name}`;
    const known = running.get(key) ?? begin(tenant, name);
    running.set(key, known);
    known.waiting += 1;
    try {
      return await orAborted(known.found, signal);
    } finally {
      known.waiting -= 1;
      if (running.get(key) === known) finish(key, known);
    }
  }

  /** One that has ended is shared with nobody who comes later: names change. */
  function finish(key: string, { waiting, ending }: Running): void {
    if (waiting > 0) return;
    running.delete(key);
    ending.abort();
  }

  return { of: (tenant) => (name, signal) => find(tenant, name, signal), size: () => running.size };
}

const BOUNDS = { running: 32, waiting: 1000, milliseconds: 10_000 };

/**
 * The same, with so many requests at a time: who wants to log in is nobody yet, and must not be able to open thousands of
 * connections to a server that does not answer. Others wait, each caller in turn.
 */
export function boundedAsk(ask: Ask, bounds: Omit<LaneBounds, "pool"> = BOUNDS): Ask {
  const places = createPool("providerRequests", bounds.running + bounds.waiting);
  const full = (why: PoolRefusal) =>
    new OutboundError(poolRefusalText("too many requests to this server are waiting", why));
  const lane = createLane(
    { pool: "providerRequests", ...bounds },
    {
      full: () => full("full"),
      late: () =>
        new OutboundError(`timed out behind other requests to this server after ${bounds.milliseconds / 1000} s`),
    },
  );
  return async (request) => {
    const holder = callerNow()?.owner;
    const refusal = places.take(holder);
    if (refusal !== undefined) throw full(refusal);
    try {
      return await lane.run(() => ask(request), undefined, holder?.name);
    } finally {
      places.give(holder);
    }
  };
}
