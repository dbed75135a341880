import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { forEachEngine } from "./engines.ts";
import { startServer } from "./server.ts";

forEachEngine((_engine, makeUrl) => {
  test("a started server answers, and stops with exit code 0 and nothing left", async () => {
    const server = await startServer({ database: await makeUrl() });
    const answer = await fetch(`${server.url}/readyz`);
    expect(answer.status).toBe(200);
    await answer.text();
    expect(server.token).not.toBe("");
    expect(await server.stop()).toBe(0);
    expect(existsSync(server.dataDir)).toBe(false);
  });

  test("a killed server's data can be kept for the next one", async () => {
    const database = await makeUrl();
    const first = await startServer({ database });
    const { token } = first;
    await first.kill({ keepData: true });
    const second = await startServer({ database, dataDir: first.dataDir });
    const answer = await fetch(`${second.url}/api/v2/account/details`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).not.toBe(401);
    await answer.text();
    await second.stop();
    await first.kill();
    expect(existsSync(first.dataDir)).toBe(false);
  });
});

test("a server that refuses to start says why", async () => {
  await expect(startServer({ args: ["--no-such-option"] })).rejects.toThrow(/no-such-option/);
});
