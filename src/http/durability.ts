import { pipeline, Readable, Transform } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../errors.ts";
import type { Database } from "../storage/database.ts";
import { unlessHead } from "./head.ts";
import type { Payload, Sending, Streamed } from "./sending.ts";

/** Requests whose answer could not be made durable: their error passes the gate, since it tells nothing stored. */
const failed = new WeakSet<FastifyRequest>();

/**
 * No answer leaves before everything that it may have seen is durable: holds
 * each payload, and each chunk of a streamed one, until storage says so. When
 * storage cannot, the family's 503 is sent instead. What may leave is then
 * counted as what is being sent.
 */
export function holdUntilDurable(app: FastifyInstance, db: Database, { admit }: Pick<Sending, "admit">): void {
  app.addHook("onSend", (request: FastifyRequest, reply: FastifyReply, payload: Payload, done) => {
    if (failed.has(request)) {
      done(null, payload);
      return;
    }
    if (isStream(payload)) {
      admit(request, reply, payload, (error) => {
        if (error === null) done(null, gateStream(db, unlessHead(request.raw, payload)));
        else done(error);
      });
      return;
    }
    db.whenDurable((error) => {
      if (error === undefined) {
        admit(request, reply, payload, done);
        return;
      }
      failed.add(request);
      done(
        new AppError("outcome_unknown", "Storage failed; whether the request took effect is unknown", { cause: error }),
      );
    });
  });
}

function isStream(payload: Payload): payload is Streamed {
  return typeof payload === "object" && payload !== null && ("pipe" in payload || "getReader" in payload);
}

function gateStream(db: Database, payload: Streamed): Transform {
  const gate = new Transform({
    // Of those that nobody reads, each keeps little.
    highWaterMark: 16 * 1024,
    transform(chunk: Buffer, _encoding, done) {
      db.whenDurable((error) => (error === undefined ? done(null, chunk) : done(error)));
    },
  });
  const source = "getReader" in payload ? Readable.from(payload) : payload;
  // A failure on either side ends both; the gate reports it to whoever reads it.
  pipeline(source, gate, () => {});
  return gate;
}
