/** Background work of the program on tokens: it notes their use, and deletes many of them. */
import { afterEach, expect, it, vi } from "vitest";
import { sized } from "../../test/support/length.ts";
import { type RunningServer, startServer } from "../../test/support/server.ts";
import { connectTo } from "../../test/support/connections.ts";
import { temporaryDirectory } from "../../test/support/engines.ts";

vi.setConfig({ testTimeout: sized(60_000, 600_000) });
const SOON = { timeout: 30_000, interval: 100 };

let running: RunningServer | undefined;
afterEach(async () => {
  await running?.kill();
  running = undefined;
});

type Made = Record<string, string>;

async function json(server: RunningServer, path: string, method = "GET", body?: object): Promise<Made> {
  const connection = connectTo(server);
  const { status, text } = await connection.ask(`/v1${path}`, { method, ...(body && { body }) });
  connection.close();
  expect(status, text).toBe(200);
  return JSON.parse(text) as Made;
}

it("a use just before the end of the server is noted, and a revocation that was killed goes on", async () => {
  const dataDir = temporaryDirectory();
  const first = (running = await startServer({ dataDir }));
  const { AccessorID = "", SecretID = "" } = await json(first, "/acl/token", "PUT", { Description: "kept" });
  const connection = connectTo(first);
  await connection.ask("/v1/acl/token/self", { token: SecretID });
  connection.close();
  expect(await first.stop()).toBe(0);

  const second = (running = await startServer({ dataDir }));
  expect((await json(second, `/acl/token/${AccessorID}`))["LastUsed"]).toMatch(/^20/);
  const count = sized(150, 2000);
  for (let made = 0; made < count; made++) await json(second, "/acl/token", "PUT", { Description: "to go" });
  const { ID = "" } = await json(second, "/acl/tokens/revoke", "POST", { Description: "to go" });
  const { token } = second;
  await expect
    .poll(async () => Number((await json(second, `/acl/tokens/revoke/${ID}`))["Revoked"]), SOON)
    .toBeGreaterThan(0);
  await second.kill({ keepData: true });

  const third = (running = await startServer({ dataDir }));
  expect(third.token).toBe(token);
  await expect
    .poll(async () => json(third, `/acl/tokens/revoke/${ID}`), SOON)
    .toMatchObject({ Status: "done", Total: count, Revoked: count });
  const left = (await json(third, "/acl/tokens")) as unknown as Made[];
  expect(left.filter(({ Description }) => Description === "to go")).toEqual([]);
  expect(left.map((each) => each["AccessorID"])).toContain(AccessorID);
});
