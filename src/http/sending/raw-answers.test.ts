import { once } from "node:events";
import { createServer } from "node:https";
import { connect, type AddressInfo, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { answerClientError } from "./raw-answers.ts";

test("a connection whose handshake takes too long is closed, and nothing is said of a request", async () => {
  const server = createServer({ handshakeTimeout: 20 });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1").resume();
  onTestFinished(() => void client.destroy());
  const [error, socket] = (await once(server, "clientError")) as [NodeJS.ErrnoException, Socket];
  expect(error.code).toBe("ERR_TLS_HANDSHAKE_TIMEOUT");
  expect([answerClientError(error, socket, {}), socket.destroyed]).toEqual([undefined, true]);
});
