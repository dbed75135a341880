/** A backup or a restore that is killed leaves nothing that looks whole, and can be run again. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engines, temporaryDirectory, type Engine } from "../support/engines.ts";
import { sized } from "../support/length.ts";
import { randomOfRun } from "../support/seeded.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { callerOf } from "../upgrades/caller.ts";
import { query } from "../upgrades/state.ts";
import { begin, emptyPlace, sumsOf, tessera, type Place } from "./command.ts";

const ROUNDS = sized(3, 20);
const TAGS = sized(5000, 40_000);
const random = randomOfRun();

describe.each(engines)("on %s", (engine: Engine) => {
  let source: Place;
  let server: RunningServer;
  const file = join(temporaryDirectory(), "backup");
  /** How long each takes when it is let, in milliseconds. */
  const took = { backup: 0, restore: 0 };

  beforeAll(async () => {
    source = await emptyPlace(engine);
    server = await startServer(source);
    const call = callerOf(server.url);
    const { token } = server;
    await call(
      "POST",
      "/api/v2/organizations",
      { data: { type: "organizations", attributes: { name: "acme", email: "a@example.com" } } },
      token,
    );
    for (let made = 0; made < TAGS; made += 1000) {
      const data = Array.from({ length: 1000 }, (_, number) => ({
        type: "tags",
        attributes: { name: `tag-${made + number}` },
      }));
      await call("POST", "/api/v2/organizations/acme/tags", { data }, token);
    }
    const began = performance.now();
    expect(await tessera("backup", file, ...source.where)).toMatchObject({ status: 0 });
    took.backup = performance.now() - began;
  });
  afterAll(async () => void (await server.stop()));

  test("a backup that is killed leaves the one before as it was, and what it began is removed by the next", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const before = readFileSync(file);
      const running = begin(["backup", file, ...source.where]);
      await sleep(random() * took.backup);
      running.kill();
      await running.ended;
      // It may have come to its end just before: then all of the new one is there.
      if (!readFileSync(file).equals(before)) expect((await sumsOf(file))["tags"]).toMatchObject({ rows: TAGS });
      expect(await tessera("backup", file, ...source.where)).toMatchObject({ status: 0 });
      expect((await sumsOf(file))["tags"]).toMatchObject({ rows: TAGS });
      expect(readdirSync(dirname(file))).toEqual(["backup"]);
    }
  });

  test("a restore that is killed is no database to a server, and is restored by the next", async () => {
    const began = performance.now();
    expect(await tessera("restore", file, ...(await emptyPlace(engine, source)).where)).toMatchObject({ status: 0 });
    took.restore = performance.now() - began;
    for (let round = 0; round < ROUNDS; round++) {
      const target = await emptyPlace(engine, source);
      const running = begin(["restore", file, ...target.where]);
      await untilBegun(target, running.ended);
      await sleep(random() * took.restore * 0.7);
      running.kill();
      const { status } = await running.ended;
      if (status === null && (await isBegun(target))) {
        const started = await tessera("serve", "--listen", "127.0.0.1:0", ...target.where);
        expect(started.status).toBe(2);
        expect(started.stderr).toMatch(
          /^tessera: a restore of this database, or a move to it, is running or was interrupted\. [^\n]*\n$/m,
        );
      }
      const again = await tessera("restore", file, ...target.where);
      if (status === null && again.status === 0) expect(again.stdout).toMatch(/^Restored \d/);
      else expect(again.stderr).toContain("is not empty");
      expect(await query(target.database, "select count(*) as count from tags")).toMatchObject([
        { count: expect.toSatisfy((count) => Number(count) === TAGS) },
      ]);
      const started = await startServer(target);
      expect(await started.stop()).toBe(0);
    }
  });
});

/** Whether there is something of a restore that has not come to its end. */
async function isBegun({ engine, database }: Place): Promise<boolean> {
  if (engine === "sqlite") return existsSync(`${database.slice("sqlite:".length)}.restoring`);
  const [made] = await query(database, "select to_regclass('meta') is not null as made");
  return made?.["made"] === true && (await query(database, "select 1 from meta where name = 'restoring'")).length === 1;
}

async function untilBegun(place: Place, ended: Promise<unknown>): Promise<void> {
  let isOver = false;
  void ended.then(() => (isOver = true));
  while (!isOver && !(await isBegun(place))) await sleep(5);
}
