import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { connect, createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { connect as connectTls, type PeerCertificate } from "node:tls";
import { afterEach, describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../test/support/engines.ts";
import { type RunningServer, startServer, type ServerOptions } from "../../test/support/server.ts";
import { programFile } from "../../test/support/program.ts";

const MAIN = programFile();

let running: RunningServer | undefined;
afterEach(async () => {
  await running?.kill();
  running = undefined;
});

async function start(options: ServerOptions = {}): Promise<RunningServer> {
  running = await startServer(options);
  return running;
}

function runCommand(...args: string[]) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("TESSERA_")));
  return spawnSync(process.execPath, [MAIN, ...args], { encoding: "utf8", env, timeout: 60_000 });
}

/** Makes a self-signed certificate and its key. */
function makeCertificate(name: string): { cert: string; key: string } {
  const directory = temporaryDirectory();
  const cert = join(directory, "cert.pem");
  const key = join(directory, "key.pem");
  const made = spawnSync(
    "openssl",
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=${name}`
      .split(" ")
      .concat("-keyout", key, "-out", cert),
  );
  expect(made.status).toBe(0);
  return { cert, key };
}

describe("the command line", () => {
  it("explains itself", () => {
    expect(runCommand("--help")).toMatchObject({ status: 0, stderr: "", stdout: expect.stringContaining("serve") });
    expect(runCommand("serve", "--help")).toMatchObject({
      status: 0,
      stderr: "",
      stdout: expect.stringContaining("--listen"),
    });
    expect(runCommand("--version")).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^tessera \d+\.\d+\.\d+\n$/),
    });
  });

  it.each([
    [
      "an older Node",
      [`--import=data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"25.9.9"}})`],
    ],
    ["a Node without SQLite", ["--no-experimental-sqlite"]],
  ])("on %s says in one line which Node is needed, before anything is loaded", (_name, flags) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, MAIN, "--version"], { encoding: "utf8" });
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^tessera: Node 26 or newer with node:sqlite is needed, .*npm start in a checkout.*\n$/);
  });

  it("refuses with one line on standard error and exit code 2", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const dataDir = temporaryDirectory();
    const { cert } = makeCertificate("one");
    const { key } = makeCertificate("two");
    const cases: [string[], string][] = [
      [[], "missing command"],
      [["sever"], 'unknown command "sever"'],
      [["serve", "--lisen", "x"], "did you mean --listen?"],
      [["serve", "--listen", "0.0.0.0:0"], "TLS"],
      [["serve", "--data-dir", dataDir, "--listen", `127.0.0.1:${port}`], "the port is in use"],
      [
        ["serve", "--data-dir", dataDir, "--listen", "[2001:db8::1]:0", "--allow-insecure"],
        "cannot listen on [2001:db8::1]:0",
      ],
      [
        ["serve", "--data-dir", dataDir, "--tls-cert", cert, "--tls-key", key],
        "are not a valid certificate and key pair",
      ],
      [["serve", "--data-dir", dataDir, "--tls-cert", "/none", "--tls-key", key], "--tls-cert /none is not readable"],
      [
        ["serve", "--data-dir", dataDir, "--listen", "127.0.0.1:0", "--address-file", "/none/x"],
        "--address-file /none/x",
      ],
      [["serve", "--data-dir", "/dev/null/x", "--listen", "127.0.0.1:0"], "/dev/null/x"],
    ];
    for (const [args, text] of cases) {
      const { status, stdout, stderr } = runCommand(...args);
      expect([args, status, stderr]).toEqual([args, 2, expect.stringContaining(text)]);
      expect(stderr).toMatch(/^tessera: [^\n]+\n$/);
      // Nothing goes on that was begun before.
      expect(stdout).not.toContain('"level":"error"');
    }
    taken.close();
  });
});

describe("a server", () => {
  it("says where it listens and where its first token is, and never what it is", async () => {
    const server = await start();
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    await expect.poll(() => server.stderr).toContain(`Tessera listens on ${server.url}\n`);
    expect(server.stderr).toContain(join(server.dataDir, "management-token"));
    expect(server.stderr).toContain("curl -H");
    expect(server.token).toMatch(/^[0-9a-f-]{36}$/);
    expect(server.stdout + server.stderr).not.toContain(server.token);
    expect(statSync(server.dataDir).mode & 0o777).toBe(0o700);
    for (const line of server.stdout.trim().split("\n")) expect(JSON.parse(line)).toHaveProperty("level");
    expect(await server.stop()).toBe(0);
  });

  it("lets running requests finish when it is asked to stop, and accepts no others", async () => {
    const server = await start();
    const { port } = new URL(server.url);
    const socket = connect(Number(port), "127.0.0.1");
    let answer = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => (answer += chunk));
    const head = `Host: localhost\r\nAuthorization: Bearer ${server.token}\r\nContent-Type: application/vnd.api+json\r\n`;
    const body = JSON.stringify({ data: { type: "organizations", attributes: { name: "acme", email: "a@b.c" } } });
    socket.write(
      `POST /api/v2/organizations HTTP/1.1\r\n${head}Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    );
    // It says so when the request has begun.
    await expect.poll(() => answer).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    answer = "";
    const stopped = server.stop();
    await expect.poll(() => server.stdout).toContain('"msg":"stopping"');
    // A busy server takes a moment longer until nobody waits to be accepted.
    const knock = () => fetch(`${server.url}/healthz`).then(() => "accepted", String);
    await expect.poll(knock).toContain("fetch failed");
    socket.write(body.slice(5));
    await once(socket, "close");
    expect(answer).toMatch(/^HTTP\/1\.1 (?:201|404|405)/);
    expect(await stopped).toBe(0);
    expect(server.stdout).toContain('"msg":"stopped"');
  });

  it("stops whatever clients do", async () => {
    const server = await start();
    const { port } = new URL(server.url);
    const stuck = connect(Number(port), "127.0.0.1");
    stuck.on("error", () => {});
    stuck.write("GET /healthz HTTP/1.1\r\nHost: loc");
    // Answered behind what has come there.
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
  });

  it("replaces an address file of an earlier run", async () => {
    const file = join(temporaryDirectory(), "address");
    writeFileSync(file, "old");
    const args = ["serve", "--listen", "127.0.0.1:0", "--data-dir", temporaryDirectory(), "--address-file", file];
    const child = spawn(process.execPath, [MAIN, ...args]);
    await expect.poll(() => readFileSync(file, "utf8"), { timeout: 60_000 }).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("ignores SIGHUP where there is no certificate", async () => {
    const server = await start();
    process.kill(server.pid, "SIGHUP");
    for (let round = 0; round < 2; round++) expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});

describe("TLS", () => {
  async function startTls() {
    const pair = makeCertificate("first");
    const server = await start({ args: ["--tls-cert", pair.cert, "--tls-key", pair.key] });
    return { pair, server, port: Number(new URL(server.url).port) };
  }

  it("is what an https address speaks", async () => {
    const { server, port } = await startTls();
    expect(server.url).toMatch(/^https:/);
    expect(await commonName(port)).toBe("first");
    expect(server.stderr).not.toContain(server.token);
  });

  it("takes a new certificate on SIGHUP and when its files change, without dropping a request", async () => {
    const { pair, server, port } = await startTls();
    const load = keepAsking(port);
    for (const [name, signal] of [
      ["second", true],
      ["third", false],
    ] as const) {
      const next = makeCertificate(name);
      copyFileSync(next.key, pair.key);
      copyFileSync(next.cert, pair.cert);
      if (signal) process.kill(server.pid, "SIGHUP");
      await expect.poll(async () => commonName(port), { timeout: 60_000 }).toBe(name);
    }
    // However long a machine with other work takes for them.
    await expect.poll(load.answered).toBeGreaterThan(20);
    expect(await load.stop()).toEqual([]);
  });

  it("keeps the old certificate when the new one cannot be used, and says so", async () => {
    const { pair, server, port } = await startTls();
    writeFileSync(pair.cert, "no certificate");
    process.kill(server.pid, "SIGHUP");
    await expect.poll(() => server.stdout).toContain("cannot load the new certificate");
    expect(await commonName(port)).toBe("first");
  });
});

async function commonName(port: number): Promise<string> {
  const socket = connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const certificate: PeerCertificate = socket.getPeerCertificate();
  socket.destroy();
  return String(certificate.subject.CN);
}

/** Sends requests one after the other, on connections of their own and on one that stays open. */
function keepAsking(port: number): { answered(): number; stop(): Promise<string[]> } {
  let go = true;
  let answered = 0;
  const failed: string[] = [];
  const loop = async (headers: Record<string, string>) => {
    while (go) {
      await new Promise<void>((next) => {
        const outgoing = request(
          { port, host: "127.0.0.1", path: "/healthz", rejectUnauthorized: false, headers, agent: false },
          (incoming) => {
            incoming.resume().on("end", () => {
              if (incoming.statusCode === 200) answered += 1;
              else failed.push(String(incoming.statusCode));
              next();
            });
          },
        );
        outgoing.on("error", (error) => {
          failed.push(error.message);
          next();
        });
        outgoing.end();
      });
    }
  };
  const loops = Promise.all([loop({}), loop({}), loop({})]);
  return {
    answered: () => answered,
    async stop() {
      go = false;
      await loops;
      return failed;
    },
  };
}
