import { pipeline, Readable, Transform } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../errors.ts";
import type { Database } from "../storage/database.ts";

/** Requests whose answer could not be made durable: their error passes the gate, since it tells nothing stored. */
const failed = new WeakSet<FastifyRequest>();

type Payload = string | Buffer | NodeJS.ReadableStream | ReadableStream | null | undefined;

/**
 * No answer leaves before everything that it may have seen is durable: holds
 * each payload, and each chunk of a streamed one, until storage says so. When
 * storage cannot, the family's 503 is sent instead.
 */
export function holdUntilDurable(app: FastifyInstance, db: Database): void {
  app.addHook("onSend", (request: FastifyRequest, _reply: FastifyReply, payload: Payload, done) => {
    if (failed.has(request)) {
      done(null, payload);
      return;
    }
    if (isStream(payload)) {
      done(null, gateStream(db, payload));
      return;
    }
    db.whenDurable((error) => {
      if (error === undefined) {
        done(null, payload);
        return;
      }
      failed.add(request);
      done(
        new AppError("outcome_unknown", "Storage failed; whether the request took effect is unknown", { cause: error }),
      );
    });
  });
}

function isStream(payload: Payload): payload is NodeJS.ReadableStream | ReadableStream {
  return typeof payload === "object" && payload !== null && ("pipe" in payload || "getReader" in payload);
}

function gateStream(db: Database, payload: NodeJS.ReadableStream | ReadableStream): Transform {
  const gate = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      db.whenDurable((error) => (error === undefined ? done(null, chunk) : done(error)));
    },
  });
  const source = "getReader" in payload ? Readable.from(payload) : payload;
  // A failure on either side ends both; the gate reports it to whoever reads it.
  pipeline(source, gate, () => {});
  return gate;
}
