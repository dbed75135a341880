/** Servers that answer as a test says, for what a real one never would. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { temporaryDirectory } from "./engines.ts";

/** Starts one that ends with the test; gives the environment of a command that asks it. */
export async function answering(
  listener: RequestListener,
): Promise<Record<"HOME" | "TESSERA_ADDR" | "TESSERA_TOKEN" | "TESSERA_ORGANIZATION", string>> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    HOME: temporaryDirectory(),
    TESSERA_ADDR: `http://127.0.0.1:${port}`,
    TESSERA_TOKEN: "t",
    TESSERA_ORGANIZATION: "acme",
  };
}

/** Answers every request with this JSON. */
export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };

/** Answers every request with what has no end, as long as anybody reads it. @param sent is told of the bytes of each part */
export const endless =
  (
    status = 200,
    sent: (bytes: number) => void = () => undefined,
    part = `"${"x".repeat(64 * 1024 - 4)}",\n`,
  ): RequestListener =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.write("[");
    const more = () => {
      if (response.destroyed) return;
      sent(part.length);
      if (response.write(part)) setImmediate(more);
      else response.once("drain", more);
    };
    more();
  };
