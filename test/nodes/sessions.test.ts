/** Sessions of the console where several servers answer, and after a crash. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { makeDatabaseUrl, temporaryDirectory } from "../support/engines.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import { startTwo, stopAll } from "../support/two-nodes.ts";

vi.setConfig({ testTimeout: 60_000 });
const HERE = "https://console.example";
const PUBLIC = ["--public-url", HERE];
const POLL = { timeout: 30_000, interval: 10 };

const running: RunningServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(async (server) => server.kill()));
  await stopAll();
});

/** Headers that the page sends, with the cookie of a session. */
const ofPage = (cookie = "") => ({
  "x-tessera-console": "1",
  "sec-fetch-site": "same-origin",
  origin: HERE,
  "content-type": "application/json",
  ...(cookie !== "" && { cookie }),
});

/** Signs in with the token of a server. @returns the cookie, and the ID of the session */
async function signIn(server: RunningServer, SecretID = server.token) {
  const answer = await fetch(`${server.url}/ui/session`, {
    method: "POST",
    headers: ofPage(),
    body: JSON.stringify({ SecretID }),
  });
  const given = (await answer.json()) as { Session: { ID: string }; Token: { AccessorID: string } };
  expect(answer.status).toBe(200);
  const line = answer.headers.get("set-cookie") ?? "";
  expect(line).toMatch(/^__Host-tessera=[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
  return { cookie: line.split(";")[0] ?? "", id: given.Session.ID, accessor: given.Token.AccessorID };
}

async function ask(server: RunningServer, cookie: string, path: string, method = "GET", body?: object) {
  const answer = await fetch(server.url + path, {
    method,
    headers: ofPage(cookie),
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text() };
}

describe.each(["sqlite", "postgres"] as const)("on %s", (engine) => {
  test("a session outlives a crash of its server, and its cookie opens nothing at another", async () => {
    const dataDir = temporaryDirectory();
    const database = await makeDatabaseUrl(engine);
    const first = await startServer({ dataDir, database, args: PUBLIC });
    const { cookie } = await signIn(first);
    await first.kill();
    const second = await startServer({ dataDir, database, args: PUBLIC });
    running.push(second);
    expect((await ask(second, cookie, "/v1/acl/token/self")).status).toBe(200);
    const other = await startServer({ args: PUBLIC });
    running.push(other);
    expect(await ask(other, cookie, "/v1/acl/token/self")).toEqual({ status: 403, text: "ACL not found" });
    expect(JSON.parse((await ask(other, cookie, "/ui/session")).text)).toMatchObject({ SignedIn: false });
  });
});

test("a session that one server ends, or whose token it does, has ended on the other", async () => {
  const { first, second, token } = await startTwo(await makeDatabaseUrl("postgres"), PUBLIC);
  const admin = await signIn(first, token);
  expect((await ask(second, admin.cookie, "/v1/acl/token/self")).status).toBe(200);
  const made = JSON.parse((await ask(second, admin.cookie, "/v1/acl/token", "PUT", {})).text) as {
    AccessorID: string;
    SecretID: string;
  };
  const [one, two] = [await signIn(second, made.SecretID), await signIn(second, made.SecretID)];
  const self = async ({ cookie }: typeof one) => (await ask(second, cookie, "/v1/acl/token/self")).text;
  expect(await self(one)).toContain(made.AccessorID);
  expect((await ask(first, admin.cookie, `/v1/acl/session/${one.id}`, "DELETE")).text).toBe("true");
  await expect.poll(async () => self(one), POLL).toBe("ACL not found");
  expect(await self(two)).toContain(made.AccessorID);
  expect((await ask(first, admin.cookie, `/v1/acl/token/${made.AccessorID}`, "DELETE")).text).toBe("true");
  await expect.poll(async () => self(two), POLL).toBe("ACL not found");
  expect((await ask(second, admin.cookie, "/v1/acl/token/self")).status).toBe(200);
});
