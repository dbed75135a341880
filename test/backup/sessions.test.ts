/** Tests of console sessions after a restore of a backup. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Engine, engines, temporaryDirectory } from "../support/engines.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import { emptyPlace, tessera, type Place } from "./command.ts";

vi.setConfig({ testTimeout: 120_000 });

const running: RunningServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(async (server) => server.kill({ keepData: true })));
});

const HERE = "https://console.example";
const OF_PAGE = { "x-tessera-console": "1", origin: HERE, "content-type": "application/json" };

async function start({ database, dataDir }: Place, ...args: string[]): Promise<RunningServer> {
  const server = await startServer({ database, dataDir, args: ["--public-url", HERE, ...args] });
  running.push(server);
  return server;
}

async function statusOf({ url }: RunningServer, cookie: string): Promise<number> {
  return (await fetch(`${url}/api/v2/account/details`, { headers: { ...OF_PAGE, cookie } })).status;
}

/** Signs in by the first token. @returns the cookie */
async function signIn({ url, token }: RunningServer): Promise<string> {
  const body = JSON.stringify({ SecretID: token });
  const begun = await fetch(`${url}/ui/session`, { method: "POST", headers: OF_PAGE, body });
  return (begun.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}

describe.each(engines)("on %s", (engine: Engine) => {
  test("a session comes back with the logins, when these are asked for, and not otherwise", async () => {
    const source = await emptyPlace(engine);
    const server = await start(source);
    const cookie = await signIn(server);
    expect(await statusOf(server, cookie)).toBe(200);
    const file = join(temporaryDirectory(), `backup-${randomUUID()}`);
    expect(await tessera("backup", file, ...source.where)).toMatchObject({ status: 0 });
    for (const [args, status] of [
      [[], 401],
      [["--with-logins"], 200],
    ] as const) {
      const target = await emptyPlace(engine, source);
      expect(await tessera("restore", file, ...args, ...target.where)).toMatchObject({ status: 0 });
      expect([args, await statusOf(await start(target), cookie)]).toEqual([args, status]);
    }
  });

  test("one that was signed out since stays so, as far as a file of audit records tells", async () => {
    const source = await emptyPlace(engine);
    const audit = join(temporaryDirectory(), "audit.jsonl");
    const server = await start(source, "--audit-file", audit);
    const [stays, ended] = [await signIn(server), await signIn(server)];
    const file = join(temporaryDirectory(), "backup");
    expect(await tessera("backup", file, ...source.where)).toMatchObject({ status: 0 });
    const signedOut = await fetch(`${server.url}/ui/session`, {
      method: "DELETE",
      headers: { ...OF_PAGE, cookie: ended },
    });
    expect([signedOut.status, await statusOf(server, ended)]).toEqual([200, 401]);
    await expect.poll(() => readFileSync(audit, "utf8")).toContain('"action":"end","kind":"session"');
    const target = await emptyPlace(engine, source);
    const restored = await tessera("restore", file, "--with-logins", "--audit-file", audit, ...target.where);
    expect(restored).toMatchObject({ status: 0, stdout: expect.stringContaining(", 1 console sessions") });
    const copy = await start(target);
    expect([await statusOf(copy, stays), await statusOf(copy, ended)]).toEqual([200, 401]);
  });
});
