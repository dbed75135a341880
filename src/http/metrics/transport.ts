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
    requests_held: ["Requests that were sent ahead and wait for the answer to the one before", pipelines.held],
    pipelines_cut: ["Connections cut since the start because they sent too many ahead", pipelines.cut],
    sending_bytes: ["Bytes of answers, but for short ones, that are being sent", sending.used],
    receiving_bytes: ["Bytes of request bodies, but for short ones, in work", receiving.used],
    answers_refused: ["Answers refused since the start: too many were being sent", sending.refused],
    bodies_refused: ["Requests refused since the start: too many were being read", receiving.refused],
    connections: ["Connections that clients have open", connections.open],
    connections_dropped: ["Connections closed unanswered since the start: there were too many", connections.dropped],
  };
  for (const [name, [description, read]] of Object.entries(gauges)) gauge(`tessera_http_${name}`, description, read);
}
