import type { IncomingMessage } from "node:http";
import { OutboundError, type OutboundResponse } from "./outbound.ts";

/** Bytes of a body; keys of a provider and reviews of a token are a hundredth of it. */
const MAX_BODY = 1024 * 1024;

/** What a chunked answer may be sent in: anything else would have to be undone. */
const PLAIN: ReadonlySet<string> = new Set(["", "identity", "chunked"]);

/**
 * Reads a whole answer. Stops reading when it is not one that is taken; the caller ends the connection then.
 *
 * @param host whom the answer is from
 * @throws {OutboundError} for a redirect, for an encoding that was not asked for, and for what is too long or cut off
 */
export async function readAnswer(host: string, message: IncomingMessage): Promise<OutboundResponse> {
  const { statusCode: status = 0, headers } = message;
  checkHead(host, status, headers);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY) throw tooLarge(host);
    chunks.push(chunk);
  }
  if (!message.complete) {
    throw new OutboundError(`${host}: the connection was closed before the answer was complete`);
  }
  return { status, headers: headersOf(message), body: new TextDecoder().decode(Buffer.concat(chunks)) };
}

function checkHead(host: string, status: number, headers: IncomingMessage["headers"]): void {
  if (status >= 300 && status < 400 && headers.location !== undefined) {
    throw new OutboundError(`${host}: the answer is a redirect, which is not followed`);
  }
  const encodings = [headers["content-encoding"], headers["transfer-encoding"]];
  if (encodings.some((encoding = "") => !PLAIN.has(encoding.trim().toLowerCase()))) {
    throw new OutboundError(`${host}: the answer is encoded in a way that was not asked for`);
  }
  if (Number(headers["content-length"] ?? 0) > MAX_BODY) throw tooLarge(host);
}

function headersOf({ headersDistinct }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(", ")]));
}

function tooLarge(host: string): OutboundError {
  return new OutboundError(`${host}: the answer is larger than 1 MiB`);
}
