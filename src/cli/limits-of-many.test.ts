/** Limits of requests where several processes answer: how much there is of all of them together. */
import { afterEach, expect, it, vi } from "vitest";
import { makeDatabaseUrl } from "../../test/support/engines.ts";
import { type RunningServer, startServer } from "../../test/support/server.ts";
import { connectToAll, type AskOptions, type Connection } from "../../test/support/connections.ts";

vi.setConfig({ testTimeout: 90_000 });
/** A minute. */
const LIMIT = 12;
const ARGS = ["--rate-limit", `${LIMIT},${LIMIT}`, "--rate-limit-exempt", "management"];
const WRITE = { method: "PUT", body: { Name: "refused" } };

let running: RunningServer | undefined;
let connections: Connection[] = [];
afterEach(async () => {
  for (const connection of connections) connection.close();
  await running?.stop();
  running = undefined;
});

async function makeToken(): Promise<string> {
  const made = await connections[0]?.ask("/v1/acl/token", { method: "PUT", body: {} });
  return (JSON.parse(made?.text ?? "") as { SecretID: string }).SecretID;
}

/**
 * Asks through all connections by turns until all of them are refused.
 *
 * @returns how often it was answered otherwise, and how much a bucket has gained meanwhile at most
 */
async function useUp(path: string, options: AskOptions) {
  const begun = performance.now();
  let answered = 0;
  for (let before = -1; answered > before;) {
    before = answered;
    for (const connection of connections) {
      const { status } = await connection.ask(path, options);
      if (status !== 429) answered += 1;
    }
  }
  return { answered, gained: Math.ceil(((performance.now() - begun) * LIMIT) / 60_000) };
}

it("processes count each by itself: reads and writes of one token are as many times as much", async () => {
  const args = ["--processes", "2", ...ARGS];
  running = await startServer({ database: await makeDatabaseUrl("postgres"), args });
  connections = await connectToAll(running, 2);
  const token = await makeToken();
  for (const ask of [
    () => useUp("/v1/acl/policy", { token, ...WRITE }),
    () => useUp("/v1/acl/token/self", { token }),
  ]) {
    const { answered, gained } = await ask();
    expect(answered).toBeGreaterThanOrEqual(2 * LIMIT);
    expect(answered).toBeLessThanOrEqual(2 * (LIMIT + gained));
  }
});
