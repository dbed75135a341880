/** Tokens that were handed out before a server died are still there, and nothing of one that was not answered is half there. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeDatabaseUrl, temporaryDirectory, type Engine } from "../support/engines.ts";
import { sized } from "../support/length.ts";
import { randomOfRun } from "../support/seeded.ts";
import { startServer, type RunningServer } from "../support/server.ts";

const random = randomOfRun();
const ROUNDS = sized(2, 10);
const CLIENTS = 8;

interface Made {
  AccessorID: string;
  SecretID: string;
  ModifyIndex: number;
}

async function create(server: RunningServer, description: string): Promise<Made> {
  const answer = await fetch(`${server.url}/v1/acl/token`, {
    method: "PUT",
    headers: { "x-consul-token": server.token },
    body: JSON.stringify({ Description: description, Policies: [{ Name: "global-management" }] }),
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Made;
}

/** Creates tokens until the server is gone. */
async function createMany(server: RunningServer, name: string, made: Made[]): Promise<void> {
  for (let number = 0; ; number++) {
    try {
      made.push(await create(server, `${name}-${number}`));
    } catch (error) {
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}

test.each<Engine>(["sqlite", "postgres"])(
  "kill -9 while tokens are created loses none that was answered and gives no index twice (%s)",
  async (engine) => {
    const dataDir = temporaryDirectory();
    const database = engine === "sqlite" ? `sqlite:${join(dataDir, "tessera.db")}` : await makeDatabaseUrl(engine);
    const made: Made[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const server = await startServer({ database, dataDir });
      const before = made.length;
      const clients = Array.from({ length: CLIENTS }, async (_, client) =>
        createMany(server, `${round}-${client}`, made),
      );
      while (made.length < before + 40) await sleep(1);
      await sleep(random() * 20);
      await server.kill({ keepData: true });
      await Promise.all(clients);
    }
    const server = await startServer({ database, dataDir });
    for (const { AccessorID, SecretID, ModifyIndex } of made) {
      const self = await fetch(`${server.url}/v1/acl/token/self`, { headers: { "x-consul-token": SecretID } });
      expect(await self.json()).toMatchObject({ AccessorID, ModifyIndex, Policies: [{ Name: "global-management" }] });
    }
    expect(new Set(made.map((token) => token.ModifyIndex)).size).toBe(made.length);
    await server.kill();
  },
);
