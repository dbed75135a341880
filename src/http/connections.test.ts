import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { defaultConnections, limitConnections } from "./receiving/limits.ts";

it("connections beyond the limit are closed, and counted", async () => {
  const server = createServer((_request, response) => response.end("ok"));
  const { open, dropped } = limitConnections(server, 2);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const sockets = [connect(port, "127.0.0.1"), connect(port, "127.0.0.1")];
  await expect.poll(open).toBe(2);
  const third = connect(port, "127.0.0.1");
  third.on("error", () => {});
  await new Promise((resolve) => third.once("close", resolve));
  expect([open(), dropped()]).toEqual([2, 1]);
  sockets.pop()?.destroy();
  await expect.poll(open).toBe(1);
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe("ok");
  for (const socket of sockets) socket.destroy();
  server.closeAllConnections();
  server.close();
});

it("the default leaves room for the waiting reads of one token, and for the server's own files", () => {
  expect(defaultConnections(1_000_000)).toBeGreaterThan(16_384);
  expect(defaultConnections(1024)).toBe(768);
  expect(defaultConnections(100)).toBe(1);
});
