/** Several processes behind one port, as an operator meets them: real processes on PostgreSQL. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { request, type IncomingHttpHeaders } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { makeDatabaseUrl, temporaryDirectory } from "../../test/support/engines.ts";
import { type RunningServer, startServer } from "../../test/support/server.ts";
import { commonName, makeNamedCertificate } from "../../test/support/tls-names.ts";
import { programFile } from "../../test/support/program.ts";

const MAIN = programFile();
vi.setConfig({ testTimeout: 60_000 });
/** Starting a process takes its time on a machine that is busy with other tests. */
const SOON = { timeout: 60_000 };

let running: RunningServer | undefined;
afterEach(async () => {
  const left = running === undefined ? [] : children(running);
  await running?.kill();
  running = undefined;
  await expect.poll(() => left.filter(isAlive), SOON).toEqual([]);
});

async function start(...args: string[]): Promise<RunningServer> {
  const database = await makeDatabaseUrl("postgres");
  const server = await startServer({
    database,
    args: ["--processes", "2", ...args],
    startTimeoutMilliseconds: 40_000,
  });
  running = server;
  // Each process writes its lines a moment later.
  await expect.poll(() => children(server).length, SOON).toBe(2);
  return server;
}

interface Line {
  msg: string;
  pid: number;
  how?: string;
}

/** The lines of the log; fails on one that is torn. */
function lines({ stdout }: RunningServer): Line[] {
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
}

/** Every process that ever listened. */
function children(server: RunningServer): number[] {
  return lines(server)
    .filter(({ msg }) => msg === "listening")
    .map(({ pid }) => pid);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** One request on a connection of its own, so that the next process takes it. */
async function ask(url: string, token = "", method = "GET", body?: object): Promise<Answer> {
  const outgoing = request(url, { agent: false, method, headers: { "x-consul-token": token } });
  outgoing.end(body && JSON.stringify(body));
  const [incoming] = (await once(outgoing, "response")) as [import("node:http").IncomingMessage];
  let text = "";
  for await (const chunk of incoming.setEncoding("utf8")) text += String(chunk);
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text };
}

/** Which process answered: each begins its request ids with a word of its own. */
function answerer({ headers }: Answer): string {
  return String(headers["x-request-id"]).split("-")[0] ?? "";
}

async function requestsCounted(url: string, route: string): Promise<number> {
  const { text } = await ask(`${url}/metrics`);
  return Number(new RegExp(`^tessera_http_requests_total\\{.*route="${route}".*\\} (\\d+)$`, "m").exec(text)?.[1] ?? 0);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  const free = await Promise.race([
    once(server, "listening").then(() => true),
    once(server, "error").then(() => false),
  ]);
  server.close();
  return free;
}

describe("two processes", () => {
  it("answer by turns, learn of each other's revocations and count together; one that is killed is replaced", async () => {
    const server = await start("--metrics-open");
    const { url, token } = server;
    const before = children(server);
    expect(new Set(before).size).toBe(2);
    expect(before).not.toContain(server.pid);
    // Said once, by the parent.
    await expect.poll(() => server.stderr, SOON).toContain("Try: curl");
    expect(server.stderr.match(/Tessera listens on/g)).toHaveLength(1);
    expect(server.stderr.match(/The first management token is in/g)).toHaveLength(1);

    const answers = await Promise.all([1, 2, 3, 4].map(async () => ask(`${url}/v1/acl/policies`, token)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(answerer)).size).toBe(2);
    for (const _ of [1, 2]) {
      const { text } = await ask(`${url}/metrics`);
      expect(text).toMatch(/^tessera_processes 2$/m);
      expect(text).toMatch(/^tessera_http_request_duration_seconds_count\{.*route="\/v1\/acl\/policies"\} 4$/m);
      expect(text).toMatch(/^tessera_storage_pool_connections\{pool="write",state="open"\} 16$/m);
    }

    const made = await ask(`${url}/v1/acl/token`, token, "PUT", {});
    const { SecretID, AccessorID } = JSON.parse(made.text) as Record<string, string>;
    const self = async () => Promise.all([1, 2].map(async () => ask(`${url}/v1/acl/token/self`, SecretID)));
    expect((await self()).map(({ status }) => status)).toEqual([200, 200]);
    expect((await ask(`${url}/v1/acl/token/${AccessorID}`, token, "DELETE")).status).toBe(200);
    await expect.poll(async () => (await self()).map(({ status }) => status), { timeout: 60_000 }).toEqual([403, 403]);

    const [victim = 0] = before;
    const counted = await requestsCounted(url, "/v1/acl/policies");
    process.kill(victim, "SIGKILL");
    await expect.poll(() => isAlive(victim), SOON).toBe(false);
    for (let count = 0; count < 10; count += 1) expect((await ask(`${url}/healthz`)).status).toBe(200);
    await expect.poll(() => lines(server).map(({ msg }) => msg), SOON).toContain("a process was replaced");
    expect(lines(server)).toContainEqual(
      expect.objectContaining({ msg: "a process exited; starting a replacement", pid: server.pid, how: "SIGKILL" }),
    );
    // Each process writes its lines a moment later.
    await expect.poll(() => children(server).length, SOON).toBe(3);
    const after = await Promise.all([1, 2, 3, 4].map(async () => ask(`${url}/v1/acl/policies`, token)));
    expect(new Set(after.map(answerer)).size).toBe(2);
    // The counts of the killed process are kept: a sum that falls looks like a restart.
    expect(await requestsCounted(url, "/v1/acl/policies")).toBe(counted + 4);

    expect(await server.stop()).toBe(0);
    expect(children(server).filter(isAlive)).toEqual([]);
    expect(lines(server).filter(({ msg }) => msg === "stopped")).toHaveLength(3);
  });

  it("end when their parent is killed, after what they are answering, and the port is free", async () => {
    const server = await start();
    const { url, token } = server;
    const waiting = ask(`${url}/v1/acl/policies?index=100000&wait=10m`, token);
    // As long as it takes to arrive.
    await expect
      .poll(async () => (await ask(`${url}/metrics`, token)).text, SOON)
      .toMatch(/^tessera_waiting_requests 1$/m);
    await server.kill();
    expect((await waiting).status).toBe(200);
    await expect.poll(() => children(server).filter(isAlive), SOON).toEqual([]);
    expect(await isFree(Number(new URL(url).port))).toBe(true);
    expect(lines(server).filter(({ msg }) => msg === "stopped")).toHaveLength(2);
  });

  it("take a new certificate on SIGHUP, and stop in order when a terminal's Ctrl-C reaches them all, twice", async () => {
    const [pair, next] = [makeNamedCertificate("first"), makeNamedCertificate("second")];
    const server = await start("--tls-cert", pair.cert, "--tls-key", pair.key);
    const port = Number(new URL(server.url).port);
    const names = async () => [await commonName(port), await commonName(port)];
    expect(await names()).toEqual(["first", "first"]);
    spawnSync("cp", [next.cert, pair.cert]);
    spawnSync("cp", [next.key, pair.key]);
    process.kill(server.pid, "SIGHUP");
    await expect.poll(names, SOON).toEqual(["second", "second"]);
    for (const _ of [1, 2]) for (const pid of [...children(server), server.pid]) process.kill(pid, "SIGINT");
    expect(await server.exited).toBe(0);
    expect(lines(server).filter(({ msg }) => msg === "stopped")).toHaveLength(3);
    expect(children(server).filter(isAlive)).toEqual([]);
  });
});

describe("a start of two processes", () => {
  function run(args: string[]) {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("TESSERA_")));
    return spawnSync(process.execPath, [MAIN, "serve", "--processes", "2", ...args], { encoding: "utf8", env });
  }

  it("is refused with one line and exit code 2, and nothing is left of it", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const place = ["--data-dir", temporaryDirectory(), "--listen", "127.0.0.1:0"];
    const database = ["--database", await makeDatabaseUrl("postgres")];
    const cases: [string[], string][] = [
      [place, "requires PostgreSQL"],
      [[...place, "--database", `postgres://x:x@127.0.0.1:${port}/x?connect_timeout=1`], "cannot use PostgreSQL"],
      [[...place.slice(0, 2), ...database, "--listen", `127.0.0.1:${port}`], "the port is in use"],
      [[...place, ...database, "--address-file", "/none/x"], "--address-file /none/x"],
    ];
    taken.on("connection", (socket) => socket.end());
    for (const [args, text] of cases) {
      const { status, stderr } = run(args);
      expect([args, status, stderr]).toEqual([args, 2, expect.stringContaining(text)]);
      expect(stderr).toMatch(/^tessera: [^\n]+\n$/);
    }
    taken.close();
  });

  it("that is asked to stop stops, with exit code 0", async () => {
    const address = join(temporaryDirectory(), "address");
    const args = ["--processes", "2", "--database", await makeDatabaseUrl("postgres"), "--address-file", address];
    const place = ["--data-dir", temporaryDirectory(), "--listen", "127.0.0.1:0"];
    const child = spawn(process.execPath, [MAIN, "serve", ...args, ...place]);
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    // The first of the two is up, and the second has only begun.
    await expect.poll(() => output, SOON).toContain('"msg":"listening"');
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    await expect.poll(() => output, SOON).toContain('"reason":"SIGTERM"');
    expect(output).not.toContain("starting a replacement");
  });
});
