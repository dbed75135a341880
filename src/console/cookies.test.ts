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
  expect(text).toContain("Signing in is refused: this connection is neither TLS nor of this machine alone");
});

test("a proxy that is trusted may say that it speaks TLS, and nobody else", async () => {
  const forwarded = {
    "x-forwarded-proto": "https",
    origin: "https://tessera.example",
    "x-forwarded-host": "tessera.example",
  };
  const host = "tessera.example";
  expect((await signIn(EXPOSED, host, { ...forwarded, origin: "http://tessera.example" })).status).toBe(403);
  await shell?.close();
  const trusted = await signIn([...EXPOSED, "--trusted-proxies", "127.0.0.1"], host, forwarded);
  expect([trusted.status, trusted.cookie]).toEqual([200, expect.stringMatching(/^__Host-tessera=.*; Secure$/)]);
});
