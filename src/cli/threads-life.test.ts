/** Beginning and end of the threads on the embedded database, as an operator meets them. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, expect, it, vi } from "vitest";
import { temporaryDirectory } from "../../test/support/engines.ts";
import { programFile } from "../../test/support/program.ts";
import { type RunningServer, startServer } from "../../test/support/server.ts";
import { commonName, makeNamedCertificate } from "../../test/support/tls-names.ts";
import { connectTo, connectToAll, startThreads } from "../../test/support/threads.ts";

vi.setConfig({ testTimeout: 90_000 });
const SOON = { timeout: 60_000 };

let running: RunningServer | undefined;
afterEach(async () => {
  await running?.kill();
  running = undefined;
});

it("a thread that ends loses its connections and nothing else, and is replaced; what it counted stays counted", async () => {
  const file = join(temporaryDirectory(), "end");
  const hook = pathToFileURL(join(import.meta.dirname, "../../test/support/ending-thread.ts")).href;
  const env = { NODE_OPTIONS: `--import=${hook}`, ENDING_THREAD_FILE: file };
  const server = (running = await startThreads(3, { env, args: ["--metrics-open"] }));
  const counted = async (): Promise<number> => {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    return Number(/^tessera_http_requests_total\{.*route="\/v1\/acl\/token\/self".*\} (\d+)$/m.exec(text)?.[1] ?? 0);
  };
  const before = await connectToAll(server, 3);
  for (const connection of before) expect((await connection.ask("/v1/acl/token/self")).status).toBe(200);
  const count = await counted();
  writeFileSync(file, "");
  await expect.poll(() => server.stdout, SOON).toContain('"msg":"a thread exited; starting a replacement"');
  expect(server.stdout).toContain("this thread shall end");
  const asked = await Promise.all(
    before.map(async (connection) => (await connection.ask("/v1/acl/token/self").catch(() => undefined))?.status ?? 0),
  );
  // A connection that was cut is opened anew, at whichever thread; none is left hanging.
  expect(asked.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2);
  for (const connection of before) connection.close();
  // The new thread knows writes that were made before it started.
  const writer = connectTo(server);
  expect((await writer.ask("/v1/acl/policy", { method: "PUT", body: { Name: "meanwhile" } })).status).toBe(200);
  writer.close();
  await expect.poll(() => server.stdout, SOON).toContain('"msg":"a thread was replaced"');
  const after = await connectToAll(server, 3);
  const words = new Set([...before, ...after].map(({ thread }) => thread));
  expect(words.size).toBe(4);
  for (const connection of after) {
    expect((await connection.ask("/v1/acl/policies")).text).toContain('"meanwhile"');
    connection.close();
  }
  expect(await counted()).toBeGreaterThanOrEqual(count);
  expect(await server.stop()).toBe(0);
});

it("threads end with the process that is killed, and the next start goes on", async () => {
  const dataDir = temporaryDirectory();
  const first = (running = await startThreads(3, { dataDir }));
  const writer = connectTo(first);
  expect((await writer.ask("/v1/acl/policy", { method: "PUT", body: { Name: "kept" } })).status).toBe(200);
  writer.close();
  await first.kill({ keepData: true });
  const second = (running = await startThreads(3, { dataDir }));
  for (const connection of await connectToAll(second, 3)) {
    expect((await connection.ask("/v1/acl/policies")).text).toContain('"kept"');
    connection.close();
  }
  expect(await second.stop()).toBe(0);
});

it("all threads take a new certificate on SIGHUP", async () => {
  const [pair, next] = [makeNamedCertificate("first"), makeNamedCertificate("second")];
  const server = (running = await startThreads(3, { args: ["--tls-cert", pair.cert, "--tls-key", pair.key] }));
  const port = Number(new URL(server.url).port);
  const names = async () => [...new Set(await Promise.all(Array.from({ length: 24 }, () => commonName(port))))];
  expect(await names()).toEqual(["first"]);
  spawnSync("cp", [next.cert, pair.cert]);
  spawnSync("cp", [next.key, pair.key]);
  process.kill(server.pid, "SIGHUP");
  await expect.poll(names, SOON).toEqual(["second"]);
  // Each of them says so.
  const lines = () => server.stdout.match(/"certificate reloaded"/g)?.length;
  await expect.poll(lines, SOON).toBe(3);
  expect(await server.stop()).toBe(0);
});

it("a port that anybody has is refused, though it could be shared", async () => {
  const server = (running = await startThreads(2));
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  for (const listen of [new URL(server.url).host, `127.0.0.1:${port}`]) {
    for (const threads of ["1", "2"]) {
      const args = ["serve", "--threads", threads, "--listen", listen, "--data-dir", temporaryDirectory()];
      const { status, stderr } = spawnSync(process.execPath, [programFile(), ...args], { encoding: "utf8" });
      expect([status, stderr]).toEqual([2, expect.stringMatching(/^tessera: [^\n]*the port is in use[^\n]*\n$/)]);
    }
  }
  taken.close();
  expect(await server.stop()).toBe(0);
});

it("who knocks while a start tries the port does not keep it from starting", async () => {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  let isOver = false;
  const knocking = (async () => {
    while (!isOver) {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => undefined);
      await Promise.race([once(socket, "connect"), once(socket, "close")]).catch(() => undefined);
    }
  })();
  const server = (running = await startServer({ listen: `127.0.0.1:${port}`, args: ["--threads", "2"] }));
  isOver = true;
  await knocking;
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
});
