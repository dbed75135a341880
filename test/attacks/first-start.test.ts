import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/engines.ts";
import { findFreePort } from "../support/postgres.ts";
import { startServer, type RunningServer } from "../support/server.ts";

/** Asks without a pause from before the server listens until it has started. @returns what was answered, each once */
async function askWhileStarting(
  start: (port: number) => Promise<RunningServer>,
  ask: (url: string) => Promise<string>,
): Promise<{ server: RunningServer; answers: Set<string> }> {
  const port = await findFreePort();
  const answers = new Set<string>();
  let started = false;
  const loops = Array.from({ length: 8 }, async () => {
    while (!started) {
      const answer = await ask(`http://127.0.0.1:${port}`).catch(() => undefined);
      if (answer !== undefined) answers.add(answer);
    }
  });
  const server = await start(port);
  // One more request after the start; requests sent just before it are answered too.
  answers.add(await ask(server.url));
  started = true;
  await Promise.all(loops);
  return { server, answers };
}

function startAt(port: number): Promise<RunningServer> {
  return startServer({ listen: `127.0.0.1:${port}` });
}

test("incident 38: whoever asks for the first token while the server starts gets none, and the operator's file holds it", async () => {
  for (let start = 0; start < 4; start++) {
    const { server, answers } = await askWhileStarting(startAt, async (url) => {
      const answer = await fetch(`${url}/v1/acl/bootstrap`, { method: "PUT" });
      return `${answer.status} ${(await answer.text()).replace(/\d+/, "N")}`;
    });
    const over = "403 Permission denied: ACL bootstrap no longer allowed (reset index: N)";
    const early = "503 The server is starting; retry in N s\n";
    expect([over, early]).toEqual(expect.arrayContaining([...answers]));
    expect(answers).toContain(over);
    const self = await fetch(`${server.url}/v1/acl/token/self`, { headers: { "x-service-token": server.token } });
    expect(await self.json()).toMatchObject({ Policies: [{ Name: "global-management" }] });
    await server.kill();
  }
});

test("incident 56: ready is said only when the first token is there and works", async () => {
  const dataDir = join(temporaryDirectory(), "data");
  const tokens: boolean[] = [];
  const { server, answers } = await askWhileStarting(
    (port) => startServer({ dataDir, listen: `127.0.0.1:${port}` }),
    async (url) => {
      const { status } = await fetch(`${url}/readyz`);
      if (status === 200) tokens.push(existsSync(join(dataDir, "management-token")));
      return String(status);
    },
  );
  expect(["200", "503"]).toEqual(expect.arrayContaining([...answers]));
  expect(tokens.length).toBeGreaterThan(0);
  expect(tokens).not.toContain(false);
  await server.stop();
});
