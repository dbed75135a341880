/** A collector that takes no traces, which nobody but the log may notice. */
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { startCollector } from "../../test/support/collector.ts";
import { type RunningServer, startServer } from "../../test/support/server.ts";
import { ask, linesOf } from "../../test/support/traced.ts";

vi.setConfig({ testTimeout: 60_000 });
const SOON = { timeout: 20_000, interval: 50 };

let server: RunningServer | undefined;
afterEach(async () => {
  await server?.kill();
  server = undefined;
});

/** Failures of a collector. */
const TROUBLES = {
  "is away": undefined,
  fails: 500,
  "asks to wait for an hour": (response: ServerResponse) =>
    void response.writeHead(503, { "retry-after": "3600" }).end(),
  "never answers": () => undefined,
} as const;

test.each(Object.entries(TROUBLES))(
  "a collector that %s delays and fails no request, is told in one line, and holds up no stop",
  async (_what, answer) => {
    const collector = await startCollector();
    const away = { url: "http://127.0.0.1:9" };
    if (answer !== undefined) collector.answer = answer;
    const { url } = answer === undefined ? away : collector;
    const running = (server = await startServer({ args: ["--otlp-endpoint", url] }));
    const told = () => linesOf(running).filter(({ msg }) => String(msg).includes("--otlp-endpoint"));
    for (let round = 0; round < 40; round++) {
      expect((await ask(running, "/v1/acl/policies")).status).toBe(200);
      await sleep(50);
    }
    // A silent one is known by its silence of five seconds.
    await expect.poll(() => told().length, SOON).toBe(1);
    for (let round = 0; round < 10; round++) expect((await ask(running, "/v1/acl/policies")).status).toBe(200);
    expect(await running.stop()).toBe(0);
    expect(told()).toHaveLength(1);
  },
);
