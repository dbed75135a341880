/** Gives a server its lane. */
import type { FastifyInstance } from "fastify";
import type { Metrics } from "../metrics/metrics.ts";
import type { RouteTable } from "../route-table.ts";
import { openLane } from "./connections.ts";
import { createLane, type LaneOptions } from "./lane.ts";

interface Server extends Pick<LaneOptions, "db"> {
  config: { accessLog: boolean };
  tls?: object | undefined;
  tracing?: object | undefined;
}

/**
 * Decorates the server with the lane, and puts it in front of Node's reading of requests once the server is ready. It leaves all to
 * Node where each request is traced or logged.
 */
export function addLane(
  app: FastifyInstance,
  { db, config, tls, tracing }: Server,
  routes: RouteTable,
  checks: Pick<LaneOptions, "findHostFault" | "isForeign" | "nextId"> & { metrics: Metrics },
): void {
  const { server, lifecycle } = app;
  const keepAliveSeconds = (): number => Math.floor(server.keepAliveTimeout / 1000);
  const lane = createLane({ ...checks, db, lifecycle, keepAliveSeconds });
  app.decorate("lane", lane);
  const { sums } = checks.metrics;
  sums("tessera_lane_answers_total", "Number of requests answered in front of Node's HTTP server", [], () => [
    [{}, lane.answered()],
  ]);
  app.decorate("laneConnections", undefined);
  if (tracing !== undefined || config.accessLog) lane.leave();
  app.addHook("onReady", (done) => {
    for (const record of routes.records) lane.know(record);
    app.laneConnections = openLane(server, tls !== undefined, lane.answer);
    done();
  });
  app.addHook("onClose", (_app, done) => {
    app.laneConnections?.stop();
    done();
  });
}
