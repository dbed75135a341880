/** Limits of requests where a server answers on several cores: how much there is of all of them together. */
import { afterEach, expect, it, vi } from "vitest";
import { makeDatabaseUrl } from "../../test/support/engines.ts";
import { type RunningServer, startServer } from "../../test/support/server.ts";
import { connectToAll, startThreads, type AskOptions, type ThreadConnection } from "../../test/support/threads.ts";

vi.setConfig({ testTimeout: 90_000 });
/** A minute. */
const LIMIT = 12;
const PER_ADDRESS = 24;
const THREADS = 3;
const ARGS = `--rate-limit ${LIMIT},${LIMIT} --rate-limit-per-address 0,${PER_ADDRESS}
  --rate-limit-exempt management --trusted-proxies 127.0.0.1`.split(/\s+/);
const WRITE = { method: "PUT", body: { Name: "refused" } };

let running: RunningServer | undefined;
let connections: ThreadConnection[] = [];
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
 * @param limit of a bucket
 * @returns how often it was answered otherwise, and how much such a bucket has gained meanwhile at most
 */
async function useUp(limit: number, path: string, optionsOf: (connection: number) => AskOptions) {
  const begun = performance.now();
  let answered = 0;
  for (let before = -1; answered > before;) {
    before = answered;
    for (const [index, connection] of connections.entries()) {
      const { status } = await connection.ask(path, optionsOf(index));
      if (status !== 429) answered += 1;
    }
  }
  return { answered, gained: Math.ceil(((performance.now() - begun) * limit) / 60_000) };
}

it("threads count the writes of a token together, and its reads each by itself", async () => {
  running = await startThreads(THREADS, { args: ARGS });
  connections = await connectToAll(running, THREADS);
  const token = await makeToken();
  const writes = await useUp(LIMIT, "/v1/acl/policy", () => ({ token, ...WRITE }));
  expect(writes.answered).toBeGreaterThanOrEqual(LIMIT);
  expect(writes.answered).toBeLessThanOrEqual(LIMIT + writes.gained);
  const reads = await useUp(LIMIT, "/v1/acl/token/self", () => ({ token }));
  expect(reads.answered).toBeGreaterThanOrEqual(THREADS * LIMIT);
  expect(reads.answered).toBeLessThanOrEqual(THREADS * (LIMIT + reads.gained));
});

it("threads count the writes of an address together, and each answer says how its buckets stand", async () => {
  running = await startThreads(THREADS, { args: ARGS });
  connections = await connectToAll(running, THREADS);
  const tokens = [await makeToken(), await makeToken(), await makeToken()];
  const headers = { "x-forwarded-for": "192.0.2.1" };
  const first = await Promise.all(
    connections.map((connection, index) =>
      connection.ask("/v1/acl/policy", { ...WRITE, token: tokens[index] ?? "", headers }),
    ),
  );
  const policy = `"address-writes";q=${PER_ADDRESS};w=60, "token-writes";q=${LIMIT};w=60`;
  expect(first.map((answer) => answer.headers["ratelimit-policy"])).toEqual([policy, policy, policy]);
  const writes = await useUp(PER_ADDRESS, "/v1/acl/policy", (index) => ({
    ...WRITE,
    token: tokens[index] ?? "",
    headers,
  }));
  expect(first.length + writes.answered).toBeGreaterThanOrEqual(PER_ADDRESS);
  expect(first.length + writes.answered).toBeLessThanOrEqual(PER_ADDRESS + writes.gained + 1);
});

it("processes count each by itself: reads and writes of one token are as many times as much", async () => {
  const args = ["--processes", "2", ...ARGS];
  running = await startServer({ database: await makeDatabaseUrl("postgres"), args });
  connections = await connectToAll(running, 2);
  const token = await makeToken();
  for (const ask of [
    () => useUp(LIMIT, "/v1/acl/policy", () => ({ token, ...WRITE })),
    () => useUp(LIMIT, "/v1/acl/token/self", () => ({ token })),
  ]) {
    const { answered, gained } = await ask();
    expect(answered).toBeGreaterThanOrEqual(2 * LIMIT);
    expect(answered).toBeLessThanOrEqual(2 * (LIMIT + gained));
  }
});
