import { connect, type AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { openShell, SHELL_TOKEN } from "../../../test/support/shell.ts";

describe("a request that stalls", () => {
  it("is given 10 s for its headers and 30 s for its whole, and is cut when that is over", async () => {
    const shell = await openShell();
    const { server } = shell.app;
    expect([server.headersTimeout, server.requestTimeout]).toEqual([10_000, 30_000]);
    // From here on less, so that nobody waits for it; looked for once a second as ever.
    server.headersTimeout = 1000;
    server.requestTimeout = 4000;
    await shell.app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = server.address() as AddressInfo;
    const head = `Host: localhost\r\nAuthorization: Bearer ${SHELL_TOKEN}\r\nContent-Type: application/vnd.api+json\r\n`;
    const [headers, body, unknown] = await Promise.all([
      stall(port, `GET /api/v2/ping HTTP/1.1\r\n${head}X-Slow: `),
      stall(port, `POST /api/v2/organizations HTTP/1.1\r\n${head}Content-Length: 10\r\n\r\n{`),
      stall(port, `POST /api/v2/unknown HTTP/1.1\r\n${head}Content-Length: 10\r\n\r\n{`),
    ]);
    expect(headers.seconds).toBeGreaterThan(0.9);
    expect(headers.answer).toContain("HTTP/1.1 408");
    expect(body.seconds).toBeGreaterThan(3.9);
    expect(body.answer).toContain("HTTP/1.1 408");
    // Refused before its body arrived; what is missing of it is not waited for any longer than that.
    expect(unknown.answer).toMatch(/^HTTP\/1\.1 404/);
    expect(unknown.answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
    await shell.close();
  });
});

async function stall(port: number, bytes: string): Promise<{ answer: string; seconds: number }> {
  const started = performance.now();
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
  let answer = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => (answer += chunk));
  socket.on("error", () => {});
  socket.on("close", resolve);
  await promise;
  return { answer, seconds: (performance.now() - started) / 1000 };
}
