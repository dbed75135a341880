/** Answers to what never becomes a request of a route: it is written past the framework and its hooks. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { isReadingBody, responseOn } from "../../private-node.ts";
import { TITLES } from "../jsonapi/errors.ts";
import { refusal, type RefusalStatus } from "../receiving/refusals.ts";

export type FixedHeaders = Readonly<Record<string, string>>;

/**
 * Answers what Node's parser refuses, on the bare socket: there is no request yet that a family could answer. Never
 * where the client would take it for the answer to another request.
 *
 * @returns the status that was answered; undefined when nothing was
 */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  always: FixedHeaders,
): RefusalStatus | undefined {
  const answer = responseOn(socket);
  if (answer?.req.complete === true && !socket.destroyed) {
    // The invalid bytes follow valid requests, which still get their answers.
    closeWhenAnswered(socket);
    return undefined;
  }
  // Without a response, the rest of a body may be awaited whose request has been answered already.
  const isAnswered = answer === undefined ? isReadingBody(socket) : answer.headersSent;
  // An answer to a client without a handshake is never sent, and would keep its connection.
  if (error.code === "ECONNRESET" || isOfTls(error.code) || !socket.writable || isAnswered) {
    socket.destroy();
    return undefined;
  }
  return answerBare(socket, clientErrorStatus(error.code), always);
}

/** Behind an answer, Node begins the next one that waits before anybody else is told. */
function closeWhenAnswered(socket: Socket): void {
  const answer = responseOn(socket);
  if (answer === undefined) socket.destroySoon();
  else answer.once("finish", () => closeWhenAnswered(socket));
}

function answerBare(socket: Duplex, status: RefusalStatus, headers: FixedHeaders): RefusalStatus {
  const body = `${TITLES[status]}\n`;
  const lines = Object.entries({
    "content-type": "text/plain; charset=utf-8",
    "content-length": String(body.length),
    connection: "close",
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${TITLES[status]}\r\n${lines.join("")}\r\n${body}`, () => socket.destroy());
  return status;
}

/**
 * Answers what Node gives to no route: CONNECT, since this is no proxy, and what else may be expected of an answer than
 * `100-continue`.
 *
 * @param record told of the status
 */
export function answerOddRequests(server: Server, always: FixedHeaders, record: (status: RefusalStatus) => void): void {
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
    // The parser has let go of the socket: nobody else hears of its errors.
    socket.on("error", () => socket.destroy());
    // Never where the client would take it for the answer to a request before.
    if (responseOn(socket) !== undefined) closeWhenAnswered(socket as Socket);
    else record(answerBare(socket, 405, { allow: ALL_METHODS, ...always }));
  });
  server.on("checkExpectation", ({ url = "/" }: IncomingMessage, response: ServerResponse) => {
    const { type, body, headers } = refusal(url, 417, "Expectation failed: only Expect: 100-continue is supported");
    // The connection closes: its next bytes may be the body that the client held back.
    response.writeHead(417, { ...always, ...headers, "content-type": type, connection: "close" });
    response.end(body);
    record(417);
  });
}

const ALL_METHODS = "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT";

/** Whether the encryption of a connection failed, or its handshake took too long. */
function isOfTls(code = ""): boolean {
  return code.startsWith("ERR_TLS_") || code.startsWith("ERR_SSL_");
}

function clientErrorStatus(code: string | undefined): RefusalStatus {
  switch (code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return 408;
    case "HPE_HEADER_OVERFLOW":
      return 431;
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return 413;
    default:
      return 400;
  }
}
