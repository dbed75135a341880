import { throwIfGone, payerNow } from "../../callers.ts";
import { StorageAway } from "../../errors.ts";
import { createPool, poolRefusalText } from "../../shared-pool.ts";
import { takeUsable } from "../writes/write-queue.ts";
import type { PostgresConnection } from "./connection.ts";
import type { Send } from "./reader.ts";

/**
 * Long reads, one at a time on each connection. Pipelined behind another, a slow read would be waited for longer than
 * its own time, and the connection given up with everything on it. Nothing is read for who has gone meanwhile.
 *
 * @param limit how many may wait for a connection
 */
export function createLongPool(connections: readonly PostgresConnection[], limit: number): Send {
  const free = [...connections];
  const places = createPool("longReads", limit);
  const waiting: ((connection: PostgresConnection) => void)[] = [];
  const isUp = (connection: PostgresConnection) => connection.connected();

  function take(): Promise<PostgresConnection> {
    const connection = takeUsable(free, connections, isUp);
    if (connection !== undefined) return Promise.resolve(connection);
    const holder = payerNow();
    const refusal = places.take(holder);
    if (refusal !== undefined) {
      return Promise.reject(new StorageAway(poolRefusalText("Too many long reads are waiting", refusal)));
    }
    return new Promise((resolve) => {
      waiting.push((given) => {
        places.give(holder);
        resolve(given);
      });
    });
  }

  function release(connection: PostgresConnection): void {
    free.push(connection);
    while (waiting.length > 0) {
      const next = takeUsable(free, connections, isUp);
      if (next === undefined) return;
      waiting.shift()?.(next);
    }
  }

  return async (statement) => {
    throwIfGone();
    const connection = await take();
    try {
      throwIfGone();
      return await connection.query(statement);
    } finally {
      release(connection);
    }
  };
}

/** The connection with the fewest statements under way, of those that are up. */
export function idlest(set: readonly PostgresConnection[]): PostgresConnection {
  let best: PostgresConnection | undefined;
  for (const connection of set) {
    if (!connection.connected()) continue;
    if (best === undefined || connection.pending() < best.pending()) best = connection;
  }
  const any = best ?? set[0];
  if (any === undefined) throw new Error("a pool without connections");
  return any;
}
