import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterEach, expect } from "vitest";
import { createAsk, type AskOptions } from "../../src/outbound/exchange.ts";
import { parseCidr } from "../../src/outbound/cidr.ts";
import { createResolve, type Resolve } from "../../src/outbound/resolver.ts";
import { createTrust } from "../../src/outbound/trust.ts";
import { OutboundError, type OutboundRequest, type OutboundResponse } from "../../src/outbound/outbound.ts";

/** Text that servers answer and that no error may repeat. */
export const CANARY = "canary-7fa1";

/** Permits what tests need, and no more. */
export const LOOPBACK = { allow: ["127.0.0.0/8", "::1/128"].map(parseCidr), mayUsePrivate: false };

export interface Listening {
  port: number;
  /** How many connections it has had. */
  met: () => number;
}

const servers: Server[] = [];
const sockets = new Set<Socket>();

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => new Promise((closed) => server.close(closed))));
});

/** Lets a server listen until the test ends. */
export async function listen(server: Server, host = "127.0.0.1", wanted = 0): Promise<Listening> {
  let count = 0;
  server.on("connection", (socket: Socket) => {
    count++;
    sockets.add(socket.on("error", () => undefined).on("close", () => sockets.delete(socket)));
  });
  servers.push(server.listen(wanted, host));
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, met: () => count };
}

export function serve(listener: RequestListener): Promise<Listening> {
  return listen(createHttpServer(listener));
}

/** Answers whatever it is asked with these bytes, and ends the connection. */
export function serveRaw(answer: string): Promise<Listening> {
  return listen(createTcpServer((socket) => socket.once("data", () => socket.end(answer))));
}

export function ask(request: string | OutboundRequest, options: Partial<AskOptions> = {}): Promise<OutboundResponse> {
  return createAsk({ ...LOOPBACK, resolve: createResolve(), trust: createTrust(), ...options })(
    typeof request === "string" ? { method: "GET", url: request } : request,
  );
}

/** The message of the error that a request ends in; checks that nothing that was read is in it. */
export async function refusal(request: string | OutboundRequest, options: Partial<AskOptions> = {}): Promise<string> {
  const error: unknown = await ask(request, options).then(
    ({ status }) => new Error(`it was answered with ${status}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof OutboundError)) throw error;
  expect(error.message).not.toContain(CANARY);
  expect(error.cause).toBeUndefined();
  return error.message;
}

/** A resolver that knows the same addresses for every name. */
export function resolveTo(...addresses: string[]): Resolve {
  const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  return () => Promise.resolve(found);
}

/** Waits until the servers have no connection left. */
export async function waitUntilClosed(): Promise<void> {
  await expect.poll(() => sockets.size, { timeout: 5000, interval: 5 }).toBe(0);
}
