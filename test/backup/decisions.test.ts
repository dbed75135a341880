/**
 * Mappings of the decision point, recorded use, what a replay tells of it, and deleted objects outlive a move, another
 * master key and a restore, whichever engines they are on.
 */
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { readDecided, useDecided, useOf, writeDecided, type Decided } from "../support/decided.ts";
import { engines, temporaryDirectory, type Engine } from "../support/engines.ts";
import { letRotationAge, makeKeyFile, rotateKey } from "../support/rotate-key.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { query } from "../upgrades/state.ts";
import { emptyPlace, tessera, type Place } from "./command.ts";
import { move } from "./moving.ts";

/** Rows that are compared as they are stored: what was used on which days, and the mappings. */
const ROWS = [
  "select id, total, first_day, last_day, days_0, days_1, days_2, days_3, days_4 from use_rows order by id",
  "select id, name, description, subject_types, resource_types from decision_mappings order by id",
];

async function start({ database, dataDir }: Place, args: readonly string[] = []): Promise<RunningServer> {
  const server = await startServer({ database, dataDir, args });
  onTestFinished(() => server.kill());
  return server;
}

/** A place with all of it, whose server has ended and has written the use down. */
async function filled(engine: Engine, args: readonly string[] = []) {
  const place = await emptyPlace(engine);
  const server = await start(place, args);
  const decided = await writeDecided(server.url, server.token);
  await useDecided(server.url, decided, 3);
  expect(await server.stop()).toBe(0);
  const again = await start(place, args);
  const shown = await readDecided(again.url, decided);
  expect(shown).toMatchObject({
    mapping: { Name: "app", Description: "größer" },
    decisions: [{ decision: true }, { decision: false }],
    trash: [["role", "deleted", expect.anything()]],
    points: [3],
    rule: { own: 3, names: { "records/own": 3 } },
    replay: ["records/1", "records/own"].map((Segment) => {
      return { Change: "refused", ID: decided.user.accessor, Segment, Uses: 3, DaysUsed: 1 };
    }),
  });
  expect(await again.stop()).toBe(0);
  return { place, decided, shown };
}

/** The server shows the same, and what is used from here on is added. @param shown as `readDecided` told before */
async function expectSame(server: RunningServer, decided: Decided, shown: object): Promise<void> {
  expect(await readDecided(server.url, decided)).toEqual(shown);
  const before = await useOf(server.url, decided.management);
  await useDecided(server.url, decided, 2);
  const added = { own: before.own + 2, others: before.others + 2 };
  await expect
    .poll(() => useOf(server.url, decided.management), { timeout: 20_000, interval: 200 })
    .toMatchObject({ ...added, names: { "records/own": added.own } });
}

describe.each(engines)("what decisions leave on %s", (engine: Engine) => {
  test.each(engines)("is the same after a move to %s", async (into: Engine) => {
    const { place, decided, shown } = await filled(engine);
    const target = await emptyPlace(into, place);
    expect(await move(place, target).ended).toMatchObject({ status: 0, stderr: "" });
    const rows = "select id, total from use_rows order by id";
    expect(await query(target.database, rows)).toEqual(await query(place.database, rows));
    await expectSame(await start(target), decided, shown);
  });

  test("is the same after the master key was replaced and all was sealed anew", async () => {
    const [old, next] = [makeKeyFile(), makeKeyFile()];
    const { place, decided, shown } = await filled(engine, ["--key-file", old.file]);
    const run = (...args: string[]) => rotateKey(place.where, args);
    expect(await run("--key-file", old.file, "--new-key-file", next.file)).toMatchObject({ code: 0, stderr: "" });
    await letRotationAge(place.database);
    expect(await run("--key-file", next.file, "--finish")).toMatchObject({ code: 0, stderr: "" });
    const server = await start(place, ["--key-file", next.file]);
    expect(await run("--key-file", next.file, "--reseal")).toMatchObject({ code: 0, stderr: "" });
    await expect.poll(async () => (await run()).stdout, { timeout: 30_000 }).toContain(", 0 cannot be decrypted;");
    await expectSame(server, decided, shown);
  });

  test.each(engines)(
    "is the same where a backup is restored into %s, and where one of that is restored here",
    async (into: Engine) => {
      const { place, decided, shown } = await filled(engine);
      const there = await emptyPlace(into, place);
      const back = await emptyPlace(engine, place);
      for (const [from, to] of [
        [place, there],
        [there, back],
      ] as const) {
        const file = join(temporaryDirectory(), "decided");
        expect(await tessera("backup", file, ...from.where)).toMatchObject({ status: 0, stderr: "" });
        expect(await tessera("restore", file, ...to.where)).toMatchObject({ status: 0, stderr: "" });
      }
      for (const each of ROWS) {
        const rows = await query(place.database, each);
        expect(rows.length, each).toBeGreaterThan(0);
        expect(await query(there.database, each), each).toEqual(rows);
        expect(await query(back.database, each), each).toEqual(rows);
      }
      await expectSame(await start(there), decided, shown);
      await expectSame(await start(back), decided, shown);
    },
  );
});
