import type { FastifyInstance, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { authorize, questionOf } from "../../rights/authorize.ts";
import { ANONYMOUS } from "../../rights/reserved-secrets.ts";
import { AppError, isOfDisabledToken } from "../../errors.ts";
import { UNKNOWN_TOKEN } from "../../refused.ts";
import type { Actor } from "../../rights/actor.ts";
import type { Database } from "../../storage/database.ts";
import { secretOf } from "../jsonapi/auth.ts";
import type { ActorForToken } from "../jsonapi/jsonapi.ts";
import type { Metrics } from "./metrics.ts";
import type { QueryParameters } from "../query.ts";
import { noteRefused } from "../receiving/refused.ts";
import { PLAIN_TEXT } from "../receiving/refusals.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** The numbers of this process, and what `GET /metrics` makes of them. */
    metrics: Metrics;
  }
}

/** Longer than this, storage counts as away: a probe must get its answer before its own time is up. */
const READY_TIMEOUT_MS = 2000;

/**
 * Whether the process lives and whether storage can be used, for probes without a token, and the numbers.
 *
 * @param actorForToken finds who asks for the numbers, who needs operator:read; undefined when everybody may have them
 */
export function registerHealth(
  app: FastifyInstance,
  db: Database,
  metrics: Metrics,
  actorForToken: ActorForToken | undefined,
): void {
  const config = { public: true };
  app.decorate("metrics", metrics);
  app.get("/healthz", { config, schema: HEALTH }, (_request, reply) => reply.type(PLAIN_TEXT).send("ok\n"));
  app.get("/readyz", { config, schema: READINESS }, async (request, reply) => {
    const isStopping = app.lifecycle.phase === "stopping";
    if ((request.query as QueryParameters)["verbose"] !== undefined) {
      const { isReady, text: said } = await allChecks(db, isStopping);
      if (!isReady) reply.code(503).header("retry-after", "1");
      return reply.type(PLAIN_TEXT).send(said);
    }
    if (isStopping) throw new AppError("unavailable", STOPPING);
    await readyWithin(db, READY_TIMEOUT_MS);
    return reply.type(PLAIN_TEXT).send("ready\n");
  });
  app.get("/metrics", { config: { ...config, outsideShares: "always" }, schema: METRICS }, async (request, reply) => {
    if (actorForToken !== undefined && !(await mayScrape(actorForToken, request))) {
      return reply.code(403).type(PLAIN_TEXT).send("Permission denied: /metrics needs a token with operator:read\n");
    }
    return reply.type(metrics.contentType).send(await metrics.render());
  });
}

async function mayScrape(actorForToken: ActorForToken, request: FastifyRequest): Promise<boolean> {
  let actor: Actor | undefined;
  try {
    actor = await actorForToken(secretOf(request.raw.headers) ?? ANONYMOUS.secretId);
  } catch (error) {
    if (!(error instanceof AppError) || !isOfDisabledToken(error) || error.refused === undefined) throw error;
    noteRefused(request, error.refused);
    return false;
  }
  if (actor !== undefined && authorize(actor, "operator", "", "read")) return true;
  noteRefused(request, actor === undefined ? UNKNOWN_TOKEN : questionOf("operator", "", "read"), actor);
  return false;
}

async function readyWithin(db: Database, timeoutMs: number): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(unavailable()), timeoutMs);
  try {
    await Promise.race([db.ready(), promise]);
  } catch (error) {
    throw error instanceof AppError ? error : unavailable(error);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Each check of readiness, a line each. The last line is what the short answer says. None of them shows more than that answer
 * does: nobody has to prove who they are.
 *
 * @param isStopping whether the server takes no more requests
 */
export async function allChecks(db: Database, isStopping: boolean): Promise<{ isReady: boolean; text: string }> {
  const fault = await readyWithin(db, READY_TIMEOUT_MS).then(
    () => undefined,
    (error: unknown) => (error instanceof AppError ? error.message : "storage does not respond"),
  );
  const { isDamaged, feed } = db.stats();
  const lines = [
    isStopping ? `[-] server: ${STOPPING}` : "[+] server: running",
    fault === undefined ? "[+] storage: OK" : `[-] storage: ${fault}`,
    ...(db.engine === "sqlite" ? [isDamaged ? "[-] database file: corrupted" : "[+] database file: OK"] : []),
    ...(feed.pollAgeSeconds === undefined ? [] : [feedLine(feed.pollAgeSeconds)]),
  ];
  const isReady = !isStopping && fault === undefined;
  return { isReady, text: `${[...lines, isReady ? "ready" : "not ready"].join("\n")}\n` };
}

/**
 * Maximum age of the feed, in seconds, at which derived data is kept. With an older feed the server is slower, but
 * correct.
 */
const YOUNG_FEED = 1;

function feedLine(age: number): string {
  const said = `${age.toFixed(1)} s old`;
  return age < YOUNG_FEED ? `[+] change feed: ${said}` : `[!] change feed: ${said}; caches are disabled`;
}

function unavailable(cause?: unknown): AppError {
  return new AppError("unavailable", "storage does not respond", { cause });
}

const STOPPING = "the server is stopping";

function text(description: string, example: string) {
  return Type.String({ description, examples: [example] });
}

/** Every request gets it until the database is open. */
const STARTING = text("The server is starting.", "The server is starting; retry in 1 s\n");

const told = (operationId: string, summary: string, response: object) => ({
  operationId,
  summary,
  tags: ["Operations"],
  response,
});

const HEALTH = told("getHealth", "Check whether the process is running", {
  200: text("The process is running.", "ok\n"),
  503: STARTING,
});

const READINESS = {
  ...told("getReadiness", "Read the readiness of the server", {
    200: text(
      "Storage is ready, and a write succeeded in the last 10 s. With `verbose`: one line per check, then this line.",
      "ready\n",
    ),
    503: text(
      "Not ready. Storage does not respond, is read-only or is corrupted, or the server is starting or stopping; the text names the cause.",
      "storage does not respond\n",
    ),
  }),
  querystring: Type.Object({
    verbose: Type.Optional(
      Type.String({ description: "Return the result of each check; any value.", examples: ["true"] }),
    ),
  }),
};

/** As the library that writes the numbers calls it. */
const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

const METRICS = told("getMetrics", "Read metrics in the Prometheus text format", {
  200: {
    description: "Metrics.",
    content: { [METRICS_TYPE]: { schema: { type: "string", examples: ["tessera_storage_write_queue 0\n"] } } },
  },
  403: text("Permission denied.", "Permission denied: /metrics needs a token with operator:read\n"),
  503: STARTING,
});
