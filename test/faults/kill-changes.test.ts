/**
 * Tests that a client that follows the changes of an organization misses none, while the server is killed again and
 * again.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeDatabaseUrl, temporaryDirectory, type Engine } from "../support/engines.ts";
import { useStreams } from "../support/event-stream.ts";
import { sized } from "../support/length.ts";
import { randomOfRun } from "../support/seeded.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { startTarget } from "../support/webhook-target.ts";

const random = randomOfRun();
const ROUNDS = sized(2, 20);
const PER_ROUND = 40;

async function post(server: RunningServer, path: string, data: unknown): Promise<void> {
  const answer = await fetch(`${server.url}/api/v2${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/vnd.api+json" },
    body: JSON.stringify({ data }),
  });
  expect(answer.status, await answer.text()).toBe(201);
}

/** Creates tags until the server is gone; notes those that it was told are there. */
async function createMany(server: RunningServer, name: string, made: string[]): Promise<void> {
  for (let number = 0; ; number++) {
    const tag = `${name}-${number}`;
    try {
      await post(server, "/organizations/acme/tags", [{ type: "tags", attributes: { name: tag } }]);
      made.push(tag);
    } catch (error) {
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}

const servers: RunningServer[] = [];
const open = useStreams(() => servers.at(-1)?.url ?? "", "/api/v2/organizations/acme/events");

test.each<Engine>(["sqlite", "postgres"])(
  "kill -9 among changes: a webhook is told each at least once, a stream that goes on each just once, in order (%s)",
  async (engine) => {
    const dataDir = temporaryDirectory();
    const database = engine === "sqlite" ? `sqlite:${join(dataDir, "tessera.db")}` : await makeDatabaseUrl(engine);
    const target = await startTarget();
    const start = async () => {
      const server = await startServer({ database, dataDir, args: ["--outbound-allow", "127.0.0.1"] });
      servers.push(server);
      return server;
    };
    const made: string[] = [];
    const told: string[] = [];
    let lastId = "";
    for (let round = 0; round < ROUNDS; round++) {
      const server = await start();
      if (round === 0) {
        const organization = { name: "acme", email: "a@example.com" };
        await post(server, "/organizations", { type: "organizations", attributes: organization });
        const webhook = { name: "all", url: target.url };
        await post(server, "/organizations/acme/tag-webhooks", { type: "tag-webhooks", attributes: webhook });
      }
      const stream = await open("", { token: server.token, ...(lastId === "" ? {} : { lastId }) });
      expect(stream.response.status).toBe(200);
      const before = made.length;
      const taken = target.asked.length;
      const clients = Array.from({ length: 4 }, async (_, client) => createMany(server, `t${round}-${client}`, made));
      while (made.length < before + PER_ROUND || target.asked.length === taken) await sleep(1);
      await sleep(random() * 50);
      await server.kill({ keepData: true });
      await Promise.all(clients);
      await expect.poll(() => stream.isOver).toBe(true);
      told.push(...stream.events.map(({ data = {} }) => (data["attributes"] as { name: string }).name));
      ({ lastId } = stream);
    }
    const server = await start();
    const rest = await open("", { token: server.token, lastId });
    const all = (): string[] => [
      ...told,
      ...rest.events.map(({ data = {} }) => (data["attributes"] as { name: string }).name),
    ];
    await expect.poll(() => new Set(made).difference(new Set(all())).size, { timeout: 60_000 }).toBe(0);
    await expect.poll(() => new Set(made).difference(new Set(target.names())).size, { timeout: 60_000 }).toBe(0);
    expect(new Set(all()).size).toBe(all().length);
    expect(target.names()).toEqual(all());
    await server.kill();
  },
);
