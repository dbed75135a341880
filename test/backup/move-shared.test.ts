/** A database that is moved from under a server of one process or of several: none of them goes on with it. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { Engine } from "../support/engines.ts";
import { startServer } from "../support/server.ts";
import { ask, callerOf } from "../upgrades/caller.ts";
import { emptyPlace, tessera } from "./command.ts";
import { move, write } from "./moving.ts";

const CLIENTS = 16;

test.each<{ engine: Engine; into: Engine; args: string[] }>([
  { engine: "sqlite", into: "postgres", args: [] },
  { engine: "postgres", into: "sqlite", args: ["--processes", "2"] },
])(
  "under a server on $engine with $args every acknowledged write is at the target, and none is taken any more",
  async ({ engine, into, args }) => {
    const source = await emptyPlace(engine);
    const server = await startServer({ ...source, args });
    onTestFinished(async () => void (await server.stop()));
    const { url, token } = server;
    // Each on a connection of its own, which the server deals out among all of them.
    const load = write(url, token, CLIENTS);
    await expect.poll(() => load.acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(200);
    const target = await emptyPlace(into, source);
    expect(await move(source, target, ["--cutover"]).ended).toMatchObject({ status: 0 });
    const before = load.acknowledged.length;
    const refused = load.refusals.length;
    await expect.poll(() => load.refusals.length, { timeout: 60_000 }).toBeGreaterThan(refused + 4 * CLIENTS);
    await load.stop();
    expect(load.acknowledged.length).toBe(before);
    expect([...new Set(load.refusals.map(({ status }) => status))]).toEqual([503]);
    // Reads go on, of whichever process.
    for (let tries = 0; tries < 20; tries++) {
      expect((await ask(url, "GET", "/v1/acl/token/self", undefined, token)).status).toBe(200);
      await sleep(5);
    }
    const copy = await startServer({ ...target, args: [] });
    onTestFinished(async () => void (await copy.stop()));
    const listed = (await callerOf(copy.url)("GET", "/v1/acl/tokens", undefined, token)) as { AccessorID: string }[];
    const there = new Set(listed.map((each) => each.AccessorID));
    expect(load.acknowledged.filter((id) => !there.has(id))).toEqual([]);
    const again = await tessera("serve", "--listen", "127.0.0.1:0", ...args, ...source.where);
    expect(again).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^tessera: [^\n]*(?:was moved to|another server uses )/),
    });
  },
);
