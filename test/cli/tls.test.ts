/** Servers behind TLS: what is wrong is said, with what to do. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { command } from "../support/cli.ts";
import { temporaryDirectory } from "../support/engines.ts";
import { makeCertificate } from "../support/openid-certificate.ts";
import { startServer } from "../support/server.ts";

function written(name: string, text: string): string {
  const path = join(temporaryDirectory(), name);
  writeFileSync(path, text);
  return path;
}

it("a server of an authority of one's own is trusted by --ca-file, and only then", async () => {
  const { ca, cert, key } = makeCertificate();
  const args = ["--tls-cert", written("cert", cert), "--tls-key", written("key", key)];
  const server = await startServer({ args });
  onTestFinished(async () => void (await server.stop()));
  const TESSERA_ADDR = `https://127.0.0.1:${new URL(server.url).port}`;
  const env = { HOME: temporaryDirectory(), TESSERA_ADDR, TESSERA_TOKEN: server.token };
  expect(await command(["policy", "list"], { env })).toMatchObject({
    code: 6,
    stderr: expect.stringContaining("--ca-file"),
  });
  const trusted = await command(["policy", "list", "-o", "name", "--ca-file", written("ca", ca)], { env });
  expect(trusted).toMatchObject({ code: 0, stdout: expect.stringContaining("global-management\n") });
  const none = await command(["policy", "list", "--ca-file", "/none"], { env });
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("ENOENT") });
});

it("a certificate for another name, one that has expired, and one that is asked for are told apart", async () => {
  const mine = makeCertificate();
  const cases = [
    { made: makeCertificate("DNS:other.example.com"), asks: false, hint: "for another host name" },
    { made: makeCertificate(undefined, -1), asks: false, hint: "has expired" },
    { made: mine, asks: true, hint: "--client-cert" },
  ];
  for (const { made, asks, hint } of cases) {
    const server = createServer(
      { cert: made.cert, key: made.key, ca: mine.ca, requestCert: asks },
      (_, response) => void response.end("[]"),
    ).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const env = {
      HOME: temporaryDirectory(),
      TESSERA_ADDR: `https://127.0.0.1:${port}`,
      TESSERA_CA_FILE: written("ca", made.ca),
    };
    const flags = asks ? ["--client-cert", written("cert", mine.cert)] : [];
    const ended = await command(["policy", "list", ...flags], { env });
    // A certificate without its key is the command line's fault.
    expect({ hint, ...ended }).toMatchObject({
      code: asks ? 2 : 6,
      stderr: expect.stringContaining(asks ? "requires its private key" : hint),
    });
    const refused = asks ? await command(["policy", "list"], { env }) : ended;
    expect(refused).toMatchObject({ code: 6, stderr: expect.stringContaining(hint) });
    if (asks) {
      const known = await command(["api", "listPolicies", ...flags, "--client-key", written("key", mine.key)], { env });
      expect(known.code).toBe(0);
    }
    server.close();
  }
});
