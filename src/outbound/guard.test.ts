import { createServer, setGlobalProxyFromEnv } from "node:http";
import { describe, expect, test } from "vitest";
import { ask, CANARY, listen, refusal, resolveTo, serve, waitUntilClosed } from "../../test/support/outbound.ts";
import { createAsk } from "./exchange.ts";
import { parseCidr } from "./cidr.ts";
import type { Resolve } from "./resolver.ts";
import { createTrust } from "./trust.ts";

describe("a request goes to no address that is not permitted", () => {
  test.each([
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "①27.0.0.1",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:FFFF:7F00:0001]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "localhost",
    "LOCALHOST",
  ])("when it is spelled %s", async (host) => {
    const { port, met } = await serve((_request, response) => response.end(CANARY));
    const message = await refusal(`http://${host}:${port}/`, { allow: [], mayUsePrivate: true });
    expect(message).toMatch(/^connection to \S+ not allowed: it .* loopback address; allow it with --outbound-allow$/);
    expect(met()).toBe(0);
  });

  test("and says of which kind the address of a name is, but not which one it is", async () => {
    const options = { allow: [], resolve: resolveTo("10.1.2.3") };
    expect(await refusal("http://idp.test/", options)).toBe(
      "connection to idp.test not allowed: it resolves to a private address; allow it with --outbound-allow",
    );
    expect(await refusal("https://10.1.2.3/", options)).toBe(
      "connection to 10.1.2.3 not allowed: it is a private address; allow it with --outbound-allow",
    );
    expect(await refusal("http://idp.test/", { resolve: resolveTo("fe80::1%1"), mayUsePrivate: true })).toBe(
      "connection to idp.test not allowed: it resolves to a link-local address, which is never allowed",
    );
    expect(await refusal("http://idp.test/", { resolve: resolveTo() })).toBe(
      "idp.test: the name could not be resolved",
    );
    expect(await refusal("http://idp.invalid/")).toBe("idp.invalid: the name could not be resolved");
  });

  test("when a name has one address at the first look-up and another at the connect", async () => {
    const open = await listen(
      createServer((_request, response) => response.end("open")),
      "127.0.0.2",
    );
    const closed = await listen(
      createServer((_request, response) => response.end(CANARY)),
      "127.0.0.1",
      open.port,
    );
    let calls = 0;
    const rebinding: Resolve = (name, signal) => {
      calls++;
      return resolveTo(calls === 1 ? "127.0.0.2" : "127.0.0.1")(name, signal);
    };
    const asking = createAsk({
      allow: [parseCidr("127.0.0.2")],
      mayUsePrivate: false,
      resolve: rebinding,
      trust: createTrust(),
    });
    const request = { method: "GET", url: `http://idp.test:${open.port}/` } as const;
    await expect(asking(request)).resolves.toMatchObject({ body: "open" });
    expect(calls).toBe(1);
    await expect(asking(request)).rejects.toThrow("it resolves to a loopback address");
    expect([open.met(), closed.met()]).toEqual([1, 0]);
  });

  test("when a name has addresses of both kinds", async () => {
    const open = await listen(
      createServer((_request, response) => response.end("open")),
      "127.0.0.2",
    );
    const closed = await listen(
      createServer((_request, response) => response.end(CANARY)),
      "127.0.0.1",
      open.port,
    );
    for (const addresses of [
      ["127.0.0.1", "127.0.0.2"],
      ["::1", "127.0.0.2", "127.0.0.1"],
    ]) {
      const options = { allow: [parseCidr("127.0.0.2")], resolve: resolveTo(...addresses) };
      expect((await ask(`http://idp.test:${open.port}/`, options)).body).toBe("open");
    }
    expect(closed.met()).toBe(0);
  });

  test.each([301, 302, 303, 307, 308])("incident 32: because a server redirects there, with %i", async (status) => {
    const secret = await serve((_request, response) => response.end(CANARY));
    for (const location of [`http://127.0.0.1:${secret.port}/`, "http://169.254.169.254/latest/", "/elsewhere"]) {
      const { port } = await serve((_request, response) => response.writeHead(status, { location }).end(CANARY));
      expect(await refusal(`http://127.0.0.1:${port}/keys`)).toBe(
        `127.0.0.1:${port}: the response is a redirect, which the server does not follow`,
      );
    }
    expect(secret.met()).toBe(0);
    await waitUntilClosed();
  });

  test("incident 32: such as one of the link or of a cloud's metadata, even where all is allowed", async () => {
    const options = { allow: [parseCidr("0.0.0.0/0"), parseCidr("::/0")], mayUsePrivate: true };
    for (const host of ["169.254.169.254", "[fe80::1]", "[fd00:ec2::254]", "[::ffff:a9fe:a9fe]", "0.0.0.0", "[::]"]) {
      expect(await refusal(`http://${host}/latest/meta-data/`, options)).toContain("which is never allowed");
    }
  });

  test("because the environment names a proxy", async () => {
    const proxy = await serve((_request, response) => response.end(CANARY));
    const { port } = await serve((_request, response) => response.end("direct"));
    const url = `http://127.0.0.1:${proxy.port}`;
    const restore = setGlobalProxyFromEnv({ HTTP_PROXY: url, http_proxy: url, HTTPS_PROXY: url });
    try {
      await expect(ask(`http://127.0.0.1:${port}/`)).resolves.toMatchObject({ body: "direct" });
    } finally {
      restore();
    }
    expect(proxy.met()).toBe(0);
  });
});
