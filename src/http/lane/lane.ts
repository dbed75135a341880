/**
 * The lane in front of Node's HTTP server: reads and questions that can be answered from what is known, in the same words and by the
 * same functions as behind it. It only ever answers 200. Refusals, errors and whatever else is Node's and Fastify's.
 */
import type { IncomingMessage } from "node:http";
import { workFor } from "../../callers.ts";
import type { Database } from "../../storage/database.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { HostFault } from "../receiving/host-check.ts";
import type { RouteRecord } from "../route-table.ts";
import { textOfHead } from "../sending/answers.ts";
import { LaneCaller, type LaneClient } from "./caller.ts";
import type { LaneAnswer } from "./connections.ts";
import type { NarrowRequest } from "./narrow.ts";
import type { LaneRequest, LaneResult, LaneRoute } from "./route.ts";
import { type FoundRoute, LaneRoutes } from "./routes.ts";

/** Parts that the lane shares with the server behind it. */
export interface LaneOptions {
  readonly db: Database;
  readonly metrics: Pick<Metrics, "observe">;
  readonly lifecycle: Lifecycle;
  readonly findHostFault: (request: IncomingMessage) => HostFault | undefined;
  readonly isForeign: (method: string, headers: Readonly<Record<string, string>>) => boolean;
  readonly nextId: () => string;
  /** Seconds that a connection is kept, as clients are told. */
  readonly keepAliveSeconds: () => number;
}

/** Bodies from here on are counted while they are sent, which is not done here. */
const MAX_ANSWER = 16 * 1024;
const NO_QUERY: object = Object.freeze(Object.create(null) as object);

export type HttpLane = ReturnType<typeof createLane>;

/** Makes the lane of a server; routes are offered to it while they are registered. */
export function createLane(options: LaneOptions) {
  const { db, metrics, lifecycle, findHostFault, isForeign, nextId, keepAliveSeconds } = options;
  const routes = new LaneRoutes();
  const own = { isOpen: true, answered: 0 };

  function answer(narrow: NarrowRequest, client: LaneClient): LaneAnswer | Promise<LaneAnswer> {
    if (!own.isOpen || lifecycle.phase !== "serving" || lifecycle.endsConnections) return undefined;
    const found = routes.find(narrow.method, narrow.url);
    if (found === undefined) return undefined;
    const startedAt = performance.now();
    const raw = { method: narrow.method, url: narrow.url, headers: narrow.headers, httpVersionMinor: 1 };
    if (findHostFault(raw as unknown as IncomingMessage) !== undefined) return undefined;
    if (isForeign(narrow.method, raw.headers)) return undefined;
    const caller = new LaneCaller(client);
    const request = requestOf(narrow, raw, found, { ip: client.address, id: nextId(), startedAt, caller });
    const result = workFor(caller, () => attempt(found.route, request));
    const end = (made: LaneResult | undefined) => {
      caller.end();
      return finish(request, made);
    };
    return result instanceof Promise ? result.then(end) : end(result);
  }

  function finish(request: LaneRequest, result: LaneResult | undefined): LaneAnswer | Promise<LaneAnswer> {
    if (result === undefined || result.body.length >= MAX_ANSWER) return undefined;
    const { manner } = request.server;
    if (manner.packs(request, result.body.length)) return undefined;
    const bytes = Buffer.byteLength(result.body);
    const head = headText(
      manner.headTextOf?.(request) ?? textOfHead(manner.headOf(request)),
      result,
      bytes,
      keepAliveSeconds(),
    );
    // Each character is one byte here: "latin1" copies them as they are.
    const encoding = bytes === result.body.length ? "latin1" : "utf8";
    return whenDurable(db, () => {
      own.answered += 1;
      for (const note of request.onAnswer) note();
      metrics.observe(request.route, 200, (performance.now() - request.startedAt) / 1000);
      return { text: head + result.body, encoding };
    });
  }

  return {
    answer,
    answered: () => own.answered,
    offer: (route: LaneRoute) => routes.add(route),
    /** Called for each route that there is. */
    know: (record: RouteRecord) => routes.know(record),
    /** From now on Node answers everything. */
    leave() {
      own.isOpen = false;
    },
  };
}

/** Makes the request with the members of Node's and Fastify's that handlers and shared functions read. */
function requestOf(
  { method, url, headers, body }: NarrowRequest,
  raw: object,
  { route, params }: FoundRoute,
  own: { ip: string; id: string; startedAt: number; caller: LaneCaller },
): LaneRequest {
  return {
    raw,
    headers,
    method,
    url,
    query: NO_QUERY,
    params,
    route: route.record,
    routeOptions: { config: route.record.config },
    server: route.family,
    bytes: body,
    asker: own.caller,
    onAnswer: [],
    ...own,
  } as unknown as LaneRequest;
}

async function orUndefined(result: Promise<LaneResult | undefined>): Promise<LaneResult | undefined> {
  try {
    return await result;
  } catch {
    // Node's answer names the error.
    return undefined;
  }
}

function attempt(route: LaneRoute, request: LaneRequest): ReturnType<LaneRoute["answer"]> {
  try {
    const result = route.answer(request);
    return result instanceof Promise ? orUndefined(result) : result;
  } catch {
    return undefined;
  }
}

/** As Node writes it: the headers of the family, those of the answer, and Node's own. */
function headText(head: string, { type, headers }: LaneResult, bytes: number, keepAliveSeconds: number): string {
  let own = "";
  for (const name in headers) own += `${name}: ${headers[name]}\r\n`;
  return `HTTP/1.1 200 OK\r\n${head}${own}content-type: ${type}\r\ncontent-length: ${bytes}\r\n${nodesHead(keepAliveSeconds)}`;
}

let nodes = { second: 0, text: "" };

/** The headers that Node sets itself, made once a second, and the end of the head. */
function nodesHead(keepAliveSeconds: number): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== nodes.second) {
    const date = new Date(second * 1000).toUTCString();
    nodes = {
      second,
      text: `Date: ${date}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n\r\n`,
    };
  }
  return nodes.text;
}

/** Goes on when all that the answer may have seen is durable; with undefined when storage failed. */
function whenDurable(db: Database, then: () => LaneAnswer): LaneAnswer | Promise<LaneAnswer> {
  let isDurable: boolean | undefined;
  let goOn: (() => void) | undefined;
  db.whenDurable((error) => {
    isDurable = error === undefined;
    goOn?.();
  });
  if (isDurable !== undefined) return isDurable ? then() : undefined;
  return new Promise<void>((resolve) => (goOn = resolve)).then(() => (isDurable === true ? then() : undefined));
}
