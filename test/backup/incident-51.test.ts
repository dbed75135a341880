/**
 * Incident 51: `cp` of the database file of a running server lacks acknowledged writes, or is corrupt. `tessera backup` is the
 * way: whatever was acknowledged before it began is in it, and what it holds is of one moment.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { engines, temporaryDirectory, type Engine } from "../support/engines.ts";
import { sized } from "../support/length.ts";
import { startServer } from "../support/server.ts";
import { callerOf } from "../upgrades/caller.ts";
import { emptyPlace, tessera } from "./command.ts";

const [WRITERS, BACKUPS] = [8, sized(2, 12)];
const description = (writer: number, round: number) => `w${writer} r${round}`;

describe.each(engines)("on %s, under load", (engine: Engine) => {
  test("incident 51: a backup holds every write that was acknowledged before it began, and each writer's writes up to one of them", async () => {
    const source = await emptyPlace(engine);
    const server = await startServer(source);
    onTestFinished(async () => void (await server.stop()));
    const { url, token } = server;
    const call = callerOf(url);
    const acknowledged = Array.from({ length: WRITERS }, () => 0);
    let isOver = false;
    // Each write comes after the one before was answered: a moment that holds one holds all before.
    const writers = acknowledged.map(async (_, writer) => {
      for (let round = 1; !isOver; round++) {
        await call("PUT", "/v1/acl/token", { Description: description(writer, round) }, token);
        acknowledged[writer] = round;
      }
    });
    for (let number = 0; number < BACKUPS; number++) {
      const least = Math.min(...acknowledged) + 50;
      while (Math.min(...acknowledged) < least) await sleep(10);
      const before = [...acknowledged];
      const file = join(temporaryDirectory(), "backup");
      expect(await tessera("backup", file, ...source.where)).toMatchObject({ status: 0, stderr: "" });
      const after = acknowledged.map((round) => round + 1);
      const target = await emptyPlace(engine === "sqlite" ? "postgres" : "sqlite", source);
      expect(await tessera("restore", file, ...target.where)).toMatchObject({ status: 0 });
      const copy = await startServer(target);
      onTestFinished(async () => void (await copy.stop()));
      const tokens = (await callerOf(copy.url)("GET", "/v1/acl/tokens", undefined, token)) as { Description: string }[];
      const found = new Set(tokens.map((each) => each.Description));
      for (const [writer, acknowledgedBefore] of before.entries()) {
        let last = 0;
        while (found.delete(description(writer, last + 1))) last += 1;
        expect(last).toBeGreaterThanOrEqual(acknowledgedBefore);
        expect(last).toBeLessThanOrEqual(after[writer] ?? 0);
      }
      expect([...found].filter((each) => /^w\d+ r\d+$/.test(each))).toEqual([]);
    }
    isOver = true;
    await Promise.all(writers);
  });
});
