/** What the connections of clients, and the bytes on them, are in the metrics. */
import type { Connections } from "./connections.ts";
import type { Metrics } from "./metrics.ts";
import type { Receiving } from "./receiving.ts";
import type { Sending } from "./sending.ts";
import type { Pipelines } from "./pipelining.ts";

/** Requests that were sent ahead. */
export function measurePipelines({ gauge }: Metrics, { held, cut }: Pipelines): void {
  gauge("tessera_http_requests_held", "Requests that were sent ahead and wait for the answer to the one before", held);
  gauge("tessera_http_pipelines_cut", "Connections cut since the start because they sent too many ahead", cut);
}

/** Bytes of answers and bodies. */
export function measureBytes({ gauge }: Metrics, { budget: sending }: Sending, { budget: receiving }: Receiving): void {
  gauge("tessera_http_sending_bytes", "Bytes of answers, but for short ones, that are being sent", sending.used);
  gauge("tessera_http_receiving_bytes", "Bytes of request bodies, but for short ones, in work", receiving.used);
  gauge("tessera_http_answers_refused", "Answers refused since the start: too many were being sent", sending.refused);
  gauge("tessera_http_bodies_refused", "Requests refused since the start: too many were being read", receiving.refused);
}

/** Connections of clients. */
export function measureConnections({ gauge }: Metrics, { open, dropped }: Connections): void {
  gauge("tessera_http_connections", "Connections that clients have open", open);
  gauge(
    "tessera_http_connections_dropped",
    "Connections closed unanswered since the start: there were too many",
    dropped,
  );
}
