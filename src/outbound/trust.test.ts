import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerOptions } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { promisify } from "node:util";
import { afterAll, describe, expect, test, vi } from "vitest";
import { ask, CANARY, listen, refusal, resolveTo, serve, waitUntilClosed } from "../../test/support/outbound.ts";
import { createTrust } from "./trust.ts";

const KEY = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
const directory = mkdtempSync(join(tmpdir(), "tessera-trust-"));
const file = (name: string): string => join(directory, name);
const pem = (name: string): string => readFileSync(file(name), "utf8");

const openssl = (line: string): unknown => execFileSync("openssl", line.split(" "), { stdio: "pipe", cwd: directory });

function makeAuthority(name: string): void {
  openssl(`req -x509 ${KEY} -days 2 -subj /CN=${name} -keyout ${name}.key -out ${name}.pem`);
}

/** Makes a certificate for some names. */
function makeCertificate(name: string, authority: string, names: string, days = "-days 2"): void {
  writeFileSync(file("extensions"), `subjectAltName=${names}\n`);
  openssl(`req -new ${KEY} -subj /CN=${CANARY} -keyout ${name}.key -out ${name}.csr`);
  const by = `-CA ${authority}.pem -CAkey ${authority}.key`;
  openssl(`x509 -req -in ${name}.csr ${by} ${days} -extfile extensions -out ${name}.pem`);
}

makeAuthority("ours");
makeAuthority("theirs");
makeCertificate("server", "ours", "DNS:idp.test,DNS:localhost,IP:127.0.0.1");
makeCertificate("other", "ours", `DNS:${CANARY}.test,DNS:other.test`);
makeCertificate("expired", "ours", "DNS:idp.test", "-days -1");

afterAll(() => rmSync(directory, { recursive: true }));

const ca = pem("ours.pem");
const resolve = resolveTo("127.0.0.1");

const serveSecurely = (name: string, options: ServerOptions = {}) =>
  listen(
    createServer({ ...options, cert: pem(`${name}.pem`), key: pem(`${name}.key`) }, (_request, response) =>
      response.end("secure"),
    ),
  );

const UNVERIFIED = "certificate verification failed: unable to verify leaf signature";

describe("a secure server", () => {
  test.each(["idp.test", "localhost", "127.0.0.1"])("is asked when a pinned authority vouches for %s", async (host) => {
    const { port } = await serveSecurely("server");
    const answer = await ask({ method: "GET", url: `https://${host}:${port}/`, ca }, { resolve });
    expect(answer.body).toBe("secure");
    await waitUntilClosed();
  });

  test("is asked when one of several pinned authorities vouches for it", async () => {
    const { port } = await serveSecurely("server");
    const url = `https://idp.test:${port}/`;
    for (const both of [pem("theirs.pem") + ca, ca + pem("theirs.pem")]) {
      await expect(ask({ method: "GET", url, ca: both }, { resolve })).resolves.toMatchObject({ body: "secure" });
    }
  });

  test.each<[why: string, certificate: string, authority: string | undefined, text: string]>([
    ["another authority vouches for it", "server", pem("theirs.pem"), UNVERIFIED],
    ["the system knows no such authority", "server", undefined, UNVERIFIED],
    ["the pinned text is empty", "server", "", UNVERIFIED],
    ["the pinned text is no certificate", "server", CANARY, UNVERIFIED],
    ["it has expired", "expired", ca, "certificate verification failed: cert has expired"],
    ["it is for another name", "other", ca, "certificate has another name"],
    ["it vouches for itself", "theirs", ca, "certificate verification failed: depth zero self signed cert"],
  ])("is refused when %s", async (_why, certificate, authority, words) => {
    const { port } = await serveSecurely(certificate);
    const request = { method: "GET", url: `https://idp.test:${port}/`, ca: authority } as const;
    expect(await refusal(request, { resolve })).toBe(`idp.test:${port}: ${words}`);
    await waitUntilClosed();
  });

  test("is refused whatever the environment and the headers say", async () => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
    try {
      const { port } = await serveSecurely("other");
      const request = { method: "GET", url: `https://idp.test:${port}/`, ca, headers: { host: "other.test" } } as const;
      expect(await refusal(request, { resolve })).toBe(`idp.test:${port}: certificate has another name`);
    } finally {
      vi.unstubAllEnvs();
      warned.mockRestore();
    }
  });

  test("is refused when it speaks only an old version of TLS, or none", async () => {
    const old = createTlsServer({
      cert: pem("server.pem"),
      key: pem("server.key"),
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
      ciphers: "DEFAULT@SECLEVEL=0",
    });
    const { port } = await listen(old.on("tlsClientError", () => undefined));
    const plain = await serve((_request, response) => response.end(CANARY));
    for (const each of [port, plain.port]) {
      const request = { method: "GET", url: `https://idp.test:${each}/`, ca } as const;
      expect(await refusal(request, { resolve })).toMatch(/^idp\.test:\d+: TLS handshake failed/);
    }
    await waitUntilClosed();
  });

  test("is asked with authorities that are read once, of which the last hundred are kept", async () => {
    const trust = createTrust();
    const first = await trust(ca);
    for (let index = 0; index < 99; index++) await trust(`${ca}\n${index}`);
    expect(await trust(ca)).toBe(first);
    for (let index = 99; index < 198; index++) await trust(`${ca}\n${index}`);
    expect(await trust(ca)).toBe(first);
    for (let index = 0; index < 100; index++) await trust(`${ca}\n${index}`);
    expect(await trust(ca)).not.toBe(first);
  });

  test("is asked without a pinned authority when the system knows it", async () => {
    const { port } = await serveSecurely("server");
    const program = `
      import { createAsk } from ${JSON.stringify(new URL("./exchange.ts", import.meta.url).href)};
      import { createTrust } from ${JSON.stringify(new URL("./trust.ts", import.meta.url).href)};
      import { parseCidr } from ${JSON.stringify(new URL("./cidr.ts", import.meta.url).href)};
      const ask = createAsk({ allow: [parseCidr("127.0.0.1")], mayUsePrivate: false, trust: createTrust() });
      console.log((await ask({ method: "GET", url: "https://127.0.0.1:${port}/" })).body);
    `;
    const env = { ...process.env, SSL_CERT_FILE: file("ours.pem"), NODE_EXTRA_CA_CERTS: "" };
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], { env });
    expect(stdout).toBe("secure\n");
  });
});
