/** Several threads on the embedded database, as clients meet them: what one has answered all others know. */
import { afterEach, expect, it, vi } from "vitest";
import { sized } from "../../test/support/length.ts";
import type { RunningServer } from "../../test/support/server.ts";
import { connectTo, connectToAll, startThreads, type ThreadConnection } from "../../test/support/threads.ts";

vi.setConfig({ testTimeout: sized(60_000, 600_000) });
const SOON = { timeout: 30_000 };
const THREADS = 8;
/** Rounds of each kind. After each write all threads are read at the same time. */
const ROUNDS = sized(60, 1500);

let running: RunningServer | undefined;
let connections: ThreadConnection[] = [];
afterEach(async () => {
  for (const connection of connections) connection.close();
  await running?.kill();
  running = undefined;
});

async function start(...args: string[]): Promise<RunningServer> {
  running = await startThreads(THREADS, { args });
  connections = await connectToAll(running, THREADS);
  return running;
}

/** The same of all threads at once. */
function ofAll<T>(ask: (connection: ThreadConnection) => Promise<T>): Promise<T[]> {
  return Promise.all(connections.map(ask));
}

/** Another thread for each round. */
function turnOf(round: number): ThreadConnection {
  const connection = connections[round % connections.length];
  if (connection === undefined) throw new Error("there is no thread");
  return connection;
}

type Made = Record<string, string>;

async function make(connection: ThreadConnection, path: string, body?: object, method = "PUT"): Promise<Made> {
  const { status, text } = await connection.ask(path, { method, ...(body && { body }) });
  expect([path, status, text]).toEqual([path, expect.toBeOneOf([200, 201, 204]), expect.anything()]);
  return text === "" ? {} : (JSON.parse(text) as Made);
}

const same = <T>(value: T): T[] => connections.map(() => value);

it("what the answer to a write has said is shown by all threads from then on, in content and in rights", async () => {
  await start();
  const policy = await make(turnOf(0), "/v1/acl/policy", { Name: "watched" });
  const path = `/v1/acl/policy/${policy["ID"]}`;
  for (let round = 1; round <= ROUNDS; round++) {
    const writer = turnOf(round);
    await make(writer, path, { Name: "watched", Description: `round ${round}` });
    const read = await ofAll((connection) => connection.ask(path));
    expect(read.map(({ text }) => (JSON.parse(text) as Made)["Description"])).toEqual(same(`round ${round}`));
    const lists = await ofAll((connection) => connection.ask("/v1/acl/policies"));
    expect(lists.map(({ text }) => text.includes(`"round ${round}"`))).toEqual(same(true));
  }

  const link = { Policies: [{ Name: "watched" }] };
  const reader = await make(turnOf(0), "/v1/acl/token", link);
  const asReader = { token: reader["SecretID"] ?? "" };
  for (let round = 1; round <= ROUNDS; round++) {
    const isAllowed = round % 2 === 0;
    await make(turnOf(round), path, { Name: "watched", Rules: isAllowed ? 'acl = "read"' : "" });
    const read = await ofAll((connection) => connection.ask(path, asReader));
    expect(read.map(({ status }) => status)).toEqual(same(isAllowed ? 200 : 403));
  }

  for (let round = 1; round <= ROUNDS; round++) {
    const { SecretID: token = "", AccessorID } = await make(turnOf(round), "/v1/acl/token", link);
    const self = () => ofAll(async (connection) => (await connection.ask("/v1/acl/token/self", { token })).status);
    expect(await self()).toEqual(same(200));
    await make(turnOf(round + 1), `/v1/acl/token/${AccessorID}`, undefined, "DELETE");
    expect(await self()).toEqual(same(403));
  }
});

it("the same holds under /api/v2, for documents, lists and what is known to be unchanged", async () => {
  await start();
  const organization = { data: { type: "organizations", attributes: { name: "threads", email: "a@example.com" } } };
  await make(turnOf(0), "/api/v2/organizations", organization, "POST");
  const path = "/api/v2/organizations/threads/tags";
  for (let round = 1; round <= ROUNDS; round++) {
    const name = `tag-${round}`;
    const writer = turnOf(round);
    const description = `round ${round}`;
    await make(
      writer,
      "/api/v2/organizations/threads",
      { data: { type: "organizations", attributes: { email: `${round}@example.com` } } },
      "PATCH",
    );
    const shown = await ofAll((connection) => connection.ask("/api/v2/organizations/threads"));
    expect(shown.map(({ text }) => text.includes(`"${round}@example.com"`))).toEqual(same(true));
    const body = { data: { type: "workspaces", attributes: { name, description } } };
    await make(writer, "/api/v2/organizations/threads/workspaces", body, "POST");
    const lists = await ofAll((connection) =>
      connection.ask("/api/v2/organizations/threads/workspaces?page[size]=100&search[name]=" + name),
    );
    expect(lists.map(({ text }) => text.includes(description))).toEqual(same(true));
    expect((await writer.ask(path)).status).toBe(200);
  }
});

it("who waits at any thread is woken by a write through another, and a stream tells it", async () => {
  const { url, token } = await start("--metrics-open");
  for (let round = 0; round < THREADS; round++) {
    const first = await turnOf(round).ask("/v1/acl/policies");
    const index = String(first.headers["x-service-index"]);
    const waiting = ofAll((connection) => connection.ask(`/v1/acl/policies?index=${index}&wait=5m`));
    await expect
      .poll(async () => (await fetch(`${url}/metrics`)).text(), SOON)
      .toMatch(/^tessera_waiting_requests 8$/m);
    const events = await openStreams(url, token);
    const other = connectTo({ url, token });
    const { ID } = await make(other, "/v1/acl/policy", { Name: `wakes-${round}` });
    other.close();
    for (const { text, headers } of await waiting) {
      expect(text).toContain(`"wakes-${round}"`);
      expect(Number(headers["x-service-index"])).toBeGreaterThan(Number(index));
    }
    for (const { read, end } of events) {
      await expect.poll(read, SOON).toContain(ID);
      end();
    }
  }
});

it("what any thread refused is explained through any other, long before its minute is over", async () => {
  await start();
  const weak = "3f1c0a52-0f7a-4f3e-9f3f-5d0c1b6c2a10";
  await make(turnOf(0), "/v1/acl/token", { SecretID: weak, Description: "weak" });
  const refused = await ofAll((connection) => connection.ask("/v1/acl/policies", { token: weak }));
  expect(refused.map(({ status }) => status)).toEqual(same(403));
  for (const { headers } of refused) {
    const path = `/v1/acl/why/${String(headers["x-request-id"])}`;
    await expect.poll(async () => (await turnOf(0).ask(path)).status, SOON).toBe(200);
    // One after the other: questions of one token wait for each other, on a busy machine longer than they may.
    for (const connection of connections) expect((await connection.ask(path)).status).toBe(200);
  }
});

/** Some streams, of whichever threads. */
async function openStreams(url: string, token: string) {
  return Promise.all(
    Array.from({ length: 2 * THREADS }, async () => {
      const ending = new AbortController();
      const { body } = await fetch(`${url}/v1/events?topics=policies`, {
        headers: { authorization: `Bearer ${token}` },
        signal: ending.signal,
      });
      let text = "";
      const reading = (async () => {
        for await (const chunk of body ?? []) text += Buffer.from(chunk as Uint8Array).toString();
      })();
      reading.catch(() => undefined);
      return { read: () => text, end: () => ending.abort() };
    }),
  );
}

it("all threads are counted together, each request is one line of the log, and SIGTERM answers what has been received", async () => {
  const server = await start("--metrics-open", "--access-log");
  const { url } = server;
  const ids: string[] = [];
  for (let round = 0; round < 20; round++) {
    const answers = await ofAll((connection) =>
      connection.ask("/v1/acl/policy", { method: "PUT", body: { Name: `p-${connection.thread}-${round}` } }),
    );
    const reads = await ofAll((connection) => connection.ask("/v1/acl/policies"));
    ids.push(...[...answers, ...reads].map(({ headers }) => String(headers["x-request-id"])));
  }
  const text = await (await fetch(`${url}/metrics`)).text();
  expect(text).toMatch(/^tessera_threads 8$/m);
  expect(text).toMatch(/^tessera_processes 1$/m);
  expect(text).toMatch(/^tessera_http_requests_total\{method="GET",route="\/v1\/acl\/policies",status="200"\} 160$/m);
  expect(text).toMatch(/^tessera_http_requests_total\{method="PUT",route="\/v1\/acl\/policy",status="200"\} 160$/m);
  // Clients of all threads send requests while the server stops.
  let isOver = false;
  let answered = 0;
  const failures: unknown[] = [];
  const clients = connections.map(async (connection) => {
    for (let count = 0; !isOver; count++) {
      const body = { Name: `stop-${connection.thread}-${count}` };
      const write = connection.ask("/v1/acl/policy", { method: "PUT", body });
      const outcome = await write.catch((error: unknown) => error);
      if (outcome instanceof Error) {
        // Between two requests a connection may be closed, and then nobody takes the next.
        if (!/ECONNREFUSED|ECONNRESET|socket hang up/.test(outcome.message)) failures.push(outcome);
        return;
      }
      answered += 1;
      ids.push(String((outcome as Awaited<typeof write>).headers["x-request-id"]));
      if ((outcome as Awaited<typeof write>).status !== 200) failures.push(outcome);
    }
  });
  await expect.poll(() => answered, SOON).toBeGreaterThan(50);
  expect(await server.stop()).toBe(0);
  isOver = true;
  await Promise.all(clients);
  expect(failures).toEqual([]);
  const lines = server.stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, string>);
  const logged = lines.filter(({ msg }) => msg === "request").map(({ requestId = "" }) => requestId);
  expect(new Set(logged).size).toBe(logged.length);
  expect(ids.filter((id) => !logged.includes(id))).toEqual([]);
  expect(lines.filter(({ level }) => level === "error" || level === "fatal")).toEqual([]);
});
