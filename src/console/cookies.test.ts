/** The console's cookies by how the server is reached: their names, and where nobody can sign in. */
import { afterEach, describe, expect, test } from "vitest";
import { OF_PAGE } from "../../test/support/console.ts";
import { openShell, SHELL_TOKEN, type TestShell } from "../../test/support/shell.ts";

let shell: TestShell | undefined;
afterEach(async () => {
  await shell?.close();
  shell = undefined;
});

/** Signs in at a server with these options, as a page that was reached under this host. */
async function signIn(args: readonly string[], host: string, headers: Record<string, string> = {}) {
  await shell?.close();
  shell = await openShell({ args });
  const origin = args.includes("--public-url") ? new URL(args.at(-1) ?? "").origin : `http://${host}`;
  const sent = { ...OF_PAGE, origin, host, "content-type": "application/json", ...headers };
  const payload = JSON.stringify({ SecretID: SHELL_TOKEN });
  const answer = await shell.app.inject({ method: "POST", url: "/ui/session", headers: sent, payload });
  const told = (await shell.app.inject({ url: "/ui/session", headers: sent })).json<{ Insecure: boolean }>();
  return {
    status: answer.statusCode,
    text: answer.body,
    cookie: answer.headers["set-cookie"],
    insecure: told.Insecure,
  };
}

const EXPOSED = ["--listen", "0.0.0.0:0", "--allow-insecure"];

describe("on loopback without TLS", () => {
  test.each([
    ["localhost:8500", "tessera-console-8500"],
    ["127.0.0.1:8600", "tessera-console-8600"],
    ["[::1]:8500", "tessera-console-8500"],
  ])("%s has a cookie %s of its port", async (host, name) => {
    const { status, cookie } = await signIn([], host);
    expect([status, cookie]).toEqual([
      200,
      expect.stringMatching(`^${name}=[A-Za-z0-9_-]+; Path=/; HttpOnly; SameSite=Strict$`),
    ]);
  });
});

test.each([
  ["https://console.example", "__Host-tessera"],
  ["https://console.example:8443", "__Host-tessera-8443"],
  ["https://example.com/tools/tessera", "__Host-tessera-tools-tessera"],
])("behind %s the cookie is %s", async (publicUrl, name) => {
  const { status, cookie, insecure } = await signIn(["--public-url", publicUrl], new URL(publicUrl).host);
  expect([status, insecure, cookie]).toEqual([
    200,
    false,
    expect.stringMatching(`^${name}=[A-Za-z0-9_-]+; Path=/; HttpOnly; SameSite=Strict; Secure$`),
  ]);
});

test("over plain HTTP elsewhere nobody can sign in, and is told why", async () => {
  const { status, text, cookie, insecure } = await signIn(EXPOSED, "tessera.example:8500");
  expect([status, cookie, insecure]).toEqual([403, undefined, true]);
  expect(text).toContain("Sign-in denied: the connection uses neither TLS nor loopback");
});

test("a proxy that is trusted may say that it speaks TLS, and nobody else", async () => {
  const forwarded = {
    "x-forwarded-proto": "https",
    origin: "https://tessera.example",
    "x-forwarded-host": "tessera.example",
  };
  const host = "tessera.example";
  expect((await signIn(EXPOSED, host, { ...forwarded, origin: "http://tessera.example" })).status).toBe(403);
  const trusted = await signIn([...EXPOSED, "--trusted-proxies", "127.0.0.1"], host, forwarded);
  expect([trusted.status, trusted.cookie]).toEqual([200, expect.stringMatching(/^__Host-tessera=.*; Secure$/)]);
});

describe("with a public URL of https", () => {
  const PUBLIC = ["--public-url", "https://console.example:8443"];
  const refused = [403, undefined, expect.stringContaining("Sign-in denied: the connection uses neither TLS")];

  test.each([
    ["the server's own port under its address", "10.0.0.5:8500"],
    ["another name", "tessera.internal"],
    ["a name that only begins as the public one", "console.example.evil:8443"],
  ])("nobody signs in over %s, and is told why", async (_what, host) => {
    const { status, text, cookie, insecure } = await signIn([...EXPOSED, ...PUBLIC], host, {
      origin: `http://${host}`,
    });
    expect([status, cookie, text, insecure]).toEqual([...refused, true]);
  });

  test("nobody signs in over the public name itself without TLS, and with another port is told why", async () => {
    const args = [...EXPOSED, ...PUBLIC];
    const [own, other] = ["console.example:8443", "console.example:8500"];
    const atOwn = await signIn(args, own, { origin: `http://${own}` });
    const atOther = await signIn(args, other, { origin: `http://${other}` });
    expect([atOwn.status, atOwn.cookie, atOther.status, atOther.cookie]).toEqual([403, undefined, 403, undefined]);
    expect(atOther.insecure).toBe(true);
  });

  test.each([
    ["as it is", "console.example:8443"],
    ["without its port", "console.example"],
    ["in capitals", "CONSOLE.example:8443"],
    ["as a loopback address", "127.0.0.1:8500"],
  ])("a proxy that says nothing else passes the host %s", async (_how, host) => {
    const { status, insecure, cookie } = await signIn([...EXPOSED, ...PUBLIC], host);
    expect([status, insecure, cookie]).toEqual([
      200,
      false,
      expect.stringMatching(/^__Host-tessera-8443=[A-Za-z0-9_-]+; Path=\/; HttpOnly; SameSite=Strict; Secure$/),
    ]);
  });

  test("a proxy that is trusted may say that a request came without TLS, and nobody else", async () => {
    const plain = { "x-forwarded-proto": "https, http" };
    const trusting = [...EXPOSED, "--trusted-proxies", "127.0.0.1", ...PUBLIC];
    const { status, text, cookie } = await signIn(trusting, "console.example:8443", plain);
    expect([status, cookie, text]).toEqual(refused);
    expect((await signIn([...EXPOSED, ...PUBLIC], "console.example:8443", plain)).status).toBe(200);
  });
});
