import { spawnSync } from "node:child_process";
import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../../test/support/engines.ts";
import { programFile } from "../../test/support/program.ts";
import { startServer } from "../../test/support/server.ts";

function healthcheck(...args: string[]) {
  const env = { PATH: process.env["PATH"] ?? "" };
  return spawnSync(process.execPath, [programFile(), "healthcheck", ...args], { encoding: "utf8", env });
}

test("a server that can be used is told by exit code 0, and each check", async () => {
  const server = await startServer();
  const listen = ["--listen", new URL(server.url).host];
  expect(healthcheck(...listen)).toMatchObject({
    status: 0,
    stdout: "[+] server: running\n[+] storage: OK\n[+] database file: OK\nready\n",
  });
  expect(healthcheck(...listen, "--live")).toMatchObject({ status: 0, stdout: "ok\n" });
  expect(await server.stop()).toBe(0);
  expect(healthcheck(...listen)).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/^no response from http:\/\/127\.0\.0\.1:\d+ \(.*ECONNREFUSED/),
  });
});

test("under TLS it is asked in TLS, whatever name its certificate is of", async () => {
  const folder = temporaryDirectory();
  const [cert, key] = [join(folder, "cert"), join(folder, "key")];
  const made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  spawnSync("openssl", [...made, "-subj", "/CN=tessera.example", "-days", "2", "-keyout", key, "-out", cert]);
  const tls = ["--tls-cert", cert, "--tls-key", key];
  const server = await startServer({ args: tls });
  expect(healthcheck("--listen", new URL(server.url).host, ...tls)).toMatchObject({ status: 0 });
  expect(await server.stop()).toBe(0);
});

test("a free port is known by the address file, and without one the check says that it cannot know", async () => {
  const folder = temporaryDirectory();
  const file = join(folder, "address");
  const refused = healthcheck("--listen", "127.0.0.1:0", "--address-file", file);
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining("address (ENOENT)")]);
  expect(healthcheck("--listen", "127.0.0.1:0").stderr).toContain("--address-file is not set");
});

test("who takes the connection and never answers is no server that can be used", async () => {
  const silent = createServer(() => undefined).listen(0, "127.0.0.1");
  await once(silent, "listening");
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  const { status, stdout } = healthcheck("--listen", `127.0.0.1:${port}`);
  expect([status, stdout]).toEqual([1, expect.stringContaining("no response from")]);
});
