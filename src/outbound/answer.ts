import type { IncomingMessage } from "node:http";
import { finished } from "node:stream";
import { OutboundError, type OutboundResponse } from "./outbound.ts";

/** Bytes of a body; keys of a provider and reviews of a token are a hundredth of it. */
const MAX_BODY = 1024 * 1024;

/** Size of the first buffer for a body, in bytes. */
const FIRST_ROOM = 16 * 1024;

/**
 * Pieces of a body. Each costs hundreds of times its bytes while it is read, so those of one byte would stop all else for
 * as long as a server likes. Those that a network makes of the longest body are less than a thousand.
 */
const MAX_PIECES = 4096;

/** Transfer encodings that an answer may use: others would have to be decoded. */
const PLAIN: ReadonlySet<string> = new Set(["", "identity", "chunked"]);

/**
 * Reads a whole answer. Stops reading when it is not one that is taken; the caller ends the connection then.
 *
 * @param host whom the answer is from
 * @throws {OutboundError} for a redirect, for an encoding that was not asked for, and for what is too long, in too many
 *   pieces, or cut off
 */
export async function readAnswer(host: string, message: IncomingMessage): Promise<OutboundResponse> {
  const { statusCode: status = 0, headers } = message;
  checkHead(host, status, headers);
  const body = await readBody(host, message);
  return { status, headers: headersOf(message), body: new TextDecoder().decode(body) };
}

/** The error of an answer that is too long, with or without what it is wrapped in. */
export function tooLarge(host: string): OutboundError {
  return new OutboundError(`${host}: the response is larger than 1 MiB`);
}

function checkHead(host: string, status: number, headers: IncomingMessage["headers"]): void {
  if (status >= 300 && status < 400 && headers.location !== undefined) {
    throw new OutboundError(`${host}: the response is a redirect, which the server does not follow`);
  }
  const encodings = [headers["content-encoding"], headers["transfer-encoding"]];
  if (encodings.some((encoding = "") => !PLAIN.has(encoding.trim().toLowerCase()))) {
    throw new OutboundError(`${host}: the response has an unexpected content encoding`);
  }
  if (Number(headers["content-length"] ?? 0) > MAX_BODY) throw tooLarge(host);
}

/** Copies piece by piece: a piece that was kept would keep all that was read with it. */
function readBody(host: string, message: IncomingMessage): Promise<Uint8Array> {
  let room: Buffer = Buffer.alloc(0);
  let length = 0;
  let pieces = 0;
  return new Promise((resolve, reject) => {
    const refuse = (error: OutboundError): void => {
      message.off("data", take);
      reject(error);
    };
    const take = (piece: Buffer): void => {
      pieces++;
      if (pieces > MAX_PIECES) return refuse(new OutboundError(`${host}: the response has too many chunks`));
      if (length + piece.length > MAX_BODY) return refuse(tooLarge(host));
      room = withRoom(room, length + piece.length);
      length += piece.copy(room, length);
    };
    message.on("data", take);
    finished(message, { writable: false }, () => {
      if (message.complete) resolve(room.subarray(0, length));
      else reject(new OutboundError(`${host}: connection closed before the response was complete`));
    });
  });
}

function withRoom(room: Buffer, length: number): Buffer {
  if (length <= room.length) return room;
  const larger = Buffer.alloc(Math.min(MAX_BODY, Math.max(FIRST_ROOM, 2 * room.length, length)));
  room.copy(larger);
  return larger;
}

function headersOf({ headersDistinct }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(", ")]));
}
