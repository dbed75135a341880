/** Metrics of client connections and of the bytes on them. */
import type { Connections } from "../receiving/limits.ts";
import type { Pool } from "../../shared-pool.ts";
import type { Metrics } from "./metrics.ts";
import type { Pipelines } from "../receiving/pipelining.ts";

interface Transport {
  pipelines: Pipelines;
  connections: Connections;
  sending: Pick<Pool, "used" | "refused">;
  receiving: Pool;
}

/** Adds them. */
export function measureTransport({ gauge }: Metrics, { pipelines, connections, sending, receiving }: Transport): void {
  const gauges: Record<string, [description: string, read: () => number]> = {
    requests_held: ["Number of pipelined requests that wait for an earlier response", pipelines.held],
    pipelines_cut: ["Number of connections closed because of too many pipelined requests", pipelines.cut],
    sending_bytes: ["Bytes of responses in flight, without short responses", sending.used],
    receiving_bytes: ["Bytes of request bodies in flight, without short bodies", receiving.used],
    answers_refused: ["Number of rejected responses: too many responses in flight", sending.refused],
    bodies_refused: ["Number of rejected requests: too many request bodies in flight", receiving.refused],
    connections: ["Number of open client connections", connections.open],
    connections_dropped: ["Number of connections closed because of too many connections", connections.dropped],
  };
  for (const [name, [description, read]] of Object.entries(gauges)) gauge(`tessera_http_${name}`, description, read);
}
