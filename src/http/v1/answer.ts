import { pipeline, type Readable } from "node:stream";
import { constants, createGzip, gzip, gzipSync } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { createManner, textOfHead, type Manner } from "../sending/answers.ts";
import { EVENT_STREAM } from "../sending/event-stream.ts";
import { CURRENT, type Freshness } from "./reads/read-options.ts";
import { JSON_TYPE } from "./render.ts";

type Done = (error: Error | null, payload?: unknown) => void;

/** A header in the two spellings that clients know. */
function inBoth(name: string, value: string): string[] {
  return [`x-service-${name}`, value, `x-consul-${name}`, value];
}

/** The family's headers in both spellings; those of a read once it is known what they say. */
export function v1Manner(shell: Manner, defaultPolicy: "allow" | "deny"): Manner {
  const plain = createManner([...shell.fixed, ...inBoth("default-acl-policy", defaultPolicy)]);
  const current = [...plain.fixed, ...freshnessHead(CURRENT)];
  const currentText = textOfHead(current);
  return {
    fixed: plain.fixed,
    headTextOf(request) {
      const { shown, id } = request;
      if (shown?.freshness !== CURRENT) return textOfHead(this.headOf(request));
      return `${currentText}x-service-index: ${shown.text}\r\nx-consul-index: ${shown.text}\r\nx-request-id: ${id}\r\n`;
    },
    headOf(request) {
      const { shown, id } = request;
      if (shown === undefined) return plain.headOf(request);
      const { text, freshness } = shown;
      const head = freshness === CURRENT ? current.slice() : [...plain.fixed, ...freshnessHead(freshness)];
      head.push("x-service-index", text, "x-consul-index", text, "x-request-id", id);
      return head;
    },
    packs: ({ raw }, bytes) => bytes >= MIN_GZIP_BYTES && acceptsGzip(raw.headers["accept-encoding"]),
  };
}

function freshnessHead({ lastContact, knownLeader }: Freshness): string[] {
  return [
    ...inBoth("knownleader", String(knownLeader)),
    ...inBoth("lastcontact", String(lastContact)),
    ...inBoth("query-backend", "blocking-query"),
  ];
}

/**
 * The last hook of an answer: the media type without the charset that the framework adds, and packing where the client
 * takes it. What comes in has passed the gate of durability.
 */
export function finishAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done): void {
  const type = reply.getHeader("content-type");
  if (typeof type === "string" && type.startsWith(JSON_TYPE)) reply.header("content-type", JSON_TYPE);
  // Compression holds bytes back until there are enough. Events must arrive one by one, so they are not compressed.
  if (type === EVENT_STREAM || !acceptsGzip(request.raw.headers["accept-encoding"])) {
    done(null, payload);
    return;
  }
  pack(reply, payload, done);
}

function pack(reply: FastifyReply, payload: unknown, done: Done): void {
  if (isStream(payload)) {
    // The length is known of what is whole and sent in pieces, but not how long it is when it is packed.
    reply.removeHeader("content-length").header("content-encoding", "gzip");
    done(null, compressStream(payload));
    return;
  }
  const isWhole = typeof payload === "string" || Buffer.isBuffer(payload);
  if (!isWhole || Buffer.byteLength(payload) < MIN_GZIP_BYTES) {
    done(null, payload);
    return;
  }
  reply.header("content-encoding", "gzip");
  compress(payload, done);
}

function isStream(payload: unknown): payload is NodeJS.ReadableStream {
  return typeof payload === "object" && payload !== null && "pipe" in payload;
}

/** Smaller answers are sent as they are, as clients know it. */
const MIN_GZIP_BYTES = 1400;

/** Up to here, packing in place costs less than handing it to another thread. */
const MAX_SYNC_BYTES = 32 * 1024;

const OPTIONS = { level: constants.Z_BEST_SPEED };

/** Whether an `Accept-Encoding` header takes gzip; only its own name counts, with a weight above zero. */
export function acceptsGzip(header: string | undefined): boolean {
  return header === "gzip" || acceptsCoding(header, "gzip");
}

/** Whether a client takes a coding, by its `Accept-Encoding`. */
export function acceptsCoding(header: string | undefined, wanted: "gzip" | "br"): boolean {
  if (header === undefined) return false;
  for (const part of header.toLowerCase().split(",")) {
    const [coding = "", ...parameters] = part.split(";").map((piece) => piece.trim());
    if (coding !== wanted) continue;
    return !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  }
  return false;
}

/** Packs a whole answer and calls back with it. */
function compress(payload: string | Buffer, done: (error: Error | null, packed?: Buffer) => void): void {
  if (payload.length > MAX_SYNC_BYTES) gzip(payload, OPTIONS, done);
  else done(null, gzipSync(payload, OPTIONS));
}

/** Packs an answer while it is being made; a failure on either side ends both. */
function compressStream(payload: NodeJS.ReadableStream): Readable {
  const packer = createGzip(OPTIONS);
  pipeline(payload, packer, () => {});
  return packer;
}
