/** Messages between servers, as whoever may connect to the database can forge, repeat, reorder, alter and lose them. */
import { setTimeout as sleep } from "node:timers/promises";
import { join } from "node:path";
import type pg from "pg";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { feedChannel } from "../../src/storage/postgres/feed.ts";
import { startTcpProxy, type TcpProxy } from "../faults/tcp-proxy.ts";
import { makeDatabaseUrl } from "../support/engines.ts";
import { withClient } from "../support/postgres-schema.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { ask } from "../support/two-nodes.ts";

const running: RunningServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(async (server) => server.kill()));
});

/** Two servers on one database; what the second one hears passes through the proxy. */
async function startBehindProxy(): Promise<{
  first: RunningServer;
  second: RunningServer;
  proxy: TcpProxy;
  url: string;
}> {
  const url = await makeDatabaseUrl("postgres");
  const proxy = await startTcpProxy(url);
  onTestFinished(async () => proxy.close());
  const first = await startServer({ database: url });
  running.push(first);
  const second = await startServer({
    database: proxy.url,
    args: ["--key-file", join(first.dataDir, "master-key")],
  });
  running.push(second);
  return { first, second, proxy, url };
}

/** Hears what the servers tell each other, and says the like. */
async function attackerOn(client: pg.Client) {
  const { rows } = await client.query<{ name: string }>("select current_schema() as name");
  const channel = feedChannel(rows[0]?.name ?? "");
  const heard: string[] = [];
  client.on("notification", ({ payload }) => heard.push(payload ?? ""));
  await client.query(`listen ${channel}`);
  const say = async (payload: string) => {
    await client.query("select pg_notify($1, $2)", [channel, payload]);
  };
  const counter = async () => {
    const read = await client.query<{ value: number }>("select value from counters where name = 'partition/default'");
    return Number(read.rows[0]?.value);
  };
  return { heard, say, counter };
}

/**
 * Messages as a server would send them about a write that changed nothing of importance, in each form that messages
 * have had.
 */
function forgeries(index: number): string[] {
  const commit = { partition: "default", index, changes: [["roles", "default", "x"]] };
  const text = JSON.stringify({ node: "x", sent: Date.now(), commits: [commit] });
  return [text, `{"mac":"${"A".repeat(43)}",${text.slice(1)}`];
}

/** A token whose right to read policies the first server gives and takes. */
async function changingToken(first: RunningServer) {
  await ask(first, first.token, "PUT", "/acl/policy", { Name: "reader", Rules: 'acl = "read"' });
  const { body } = await ask(first, first.token, "PUT", "/acl/token", {});
  const set = async (Policies: object[]) => {
    const path = `/acl/token/${String(body["AccessorID"])}`;
    expect((await ask(first, first.token, "PATCH", path, { Policies })).status).toBe(200);
  };
  return {
    secret: String(body["SecretID"]),
    give: async () => set([{ Name: "reader" }]),
    take: async () => set([]),
  };
}

it("incident 46: no sequence of forged, repeated, reordered, altered and lost messages leaves a stale allow beyond 1 s", async () => {
  const { first, second, proxy, url } = await startBehindProxy();
  const token = await changingToken(first);
  const list = async () => (await ask(second, token.secret, "GET", "/acl/policies")).status;
  // When the last that got another answer was sent: how long answers take is the machine's business.
  const delayUntil = async (wanted: number) => {
    const started = performance.now();
    for (let last = 0; ; await sleep(5)) {
      const sent = performance.now() - started;
      if ((await list()) === wanted) return last;
      if (sent > 3000) return Infinity;
      last = sent;
    }
  };
  await withClient(url, async (client) => {
    const { heard, say, counter } = await attackerOn(client);
    let isOver = false;
    let last: Promise<unknown> | undefined;
    const repeatedly = (act: () => Promise<unknown>): void => {
      last = (async () => {
        while (!isOver) await Promise.all([act(), sleep(5)]);
      })();
    };
    const attacks: Record<string, () => Promise<void>> = {
      // Again and again: a poll in between finds that there is no such write yet.
      "forged before the write": async () => {
        const next = (await counter()) + 1;
        repeatedly(async () => Promise.all(forgeries(next).map(say)));
      },
      "forged far ahead": async () => {
        const next = (await counter()) + 1;
        for (const index of [next + 1, next, next + 3, next + 2]) for (const text of forgeries(index)) await say(text);
      },
      repeated: async () => {
        for (const text of heard.slice()) await say(text);
      },
      reordered: async () => {
        for (const text of heard.toReversed()) await say(text);
      },
      "forged with the seal of another": async () => {
        const mac = heard.at(-1)?.slice(0, 53) ?? "";
        for (const text of forgeries((await counter()) + 1)) await say(mac + text.slice(text.indexOf('"node"')));
      },
      "altered on their way": async () => {
        proxy.judge = (direction, data) => {
          const at = direction === "down" ? data.indexOf('"tokens"') : -1;
          if (at !== -1) data.write('"roles_"', at);
          return "pass";
        };
      },
      lost: async () => {
        proxy.judge = (direction, data) => (direction === "down" && data.includes("tessera_feed_") ? "lose" : "pass");
      },
    };
    // Twice each: whether an attack meets a poll half-way is a matter of luck.
    for (const [name, attack] of Array.from({ length: 2 }, () => Object.entries(attacks)).flat()) {
      isOver = false;
      await token.give();
      expect([name, (await delayUntil(200)) < 1000]).toEqual([name, true]);
      await attack();
      await sleep(100);
      // Twice: the second time from the cache.
      expect([name, await list(), await list()]).toEqual([name, 200, 200]);
      await token.take();
      const delay = await delayUntil(403);
      isOver = true;
      await last;
      expect([name, delay < 1000]).toEqual([name, true]);
      proxy.judge = () => "pass";
    }
  });
});
