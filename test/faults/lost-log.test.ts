/** A start finds that SQLite's log does not hold what was acknowledged: damage at or before its mark, and behind it. */
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parseLogHeader, walkLog } from "../../src/storage/sqlite/mark/log-frames.ts";
import { tessera } from "../backup/command.ts";
import { temporaryDirectory } from "../support/engines.ts";
import { startServer } from "../support/server.ts";
import {
  call,
  cut,
  flipBit,
  harmed,
  type Harmed,
  harmIn,
  isCopied,
  type Killed,
  killServer,
  remove,
  slotOf,
  startAndAsk,
  until,
} from "./lost-log.ts";

let killed: Killed;
beforeAll(async () => {
  killed = await killServer("at");
});

const LINE =
  /^tessera: the write-ahead log \S+tessera\.db-wal .+: acknowledged writes are lost from commit \d+ .*--accept-lost-writes \(see docs\/operations\/damage\.md\)$/;

test("incident 61: the mark is on the disk before a write that takes rights away is acknowledged", async () => {
  const { slot } = killed;
  expect(slot.kind).toBe("live");
  harmIn(killed.dataDir, slot, ({ frames }) => expect(slot.frames).toBe(frames));
  expect(
    await startAndAsk(
      harmed(killed, () => undefined),
      killed,
    ),
  ).toMatchObject({ refused: undefined, lost: [] });
});

describe("incident 61: a log that does not hold what the mark says is refused in one line", () => {
  const cases: [string, (log: Harmed) => void][] = [
    ["one bit in a page of the last frame", ({ log, slot, frameAt }) => flipBit(log, frameAt(slot.frames) + 500, 3)],
    [
      "one bit in a frame that is not copied yet",
      ({ log, slot, frameAt }) => flipBit(log, frameAt(slot.copied + 1) + 500),
    ],
    ["one bit in the first frame", ({ log, frameAt }) => flipBit(log, frameAt(1) + 100)],
    ["one bit in the salts of a frame", ({ log, slot, frameAt }) => flipBit(log, frameAt(slot.frames) + 10, 7)],
    ["one bit in the header of the log", ({ log }) => flipBit(log, 17)],
    ["a cut within the last frame", ({ log, slot, frameAt }) => cut(log, frameAt(slot.frames) + 2000)],
    ["a cut before the last frame", ({ log, slot, frameAt }) => cut(log, frameAt(slot.frames))],
    ["a cut behind the header", ({ log }) => cut(log, 32)],
    ["an empty log", ({ log }) => cut(log, 0)],
    ["a log that is gone", ({ log }) => remove(log)],
  ];
  test.each(cases)("%s", async (_name, harm) => {
    const dataDir = harmed(killed, harm);
    const { refused } = await startAndAsk(dataDir, killed);
    expect(refused).toMatch(LINE);
    // Nothing was changed by it: the next start says the same.
    expect((await startAndAsk(dataDir, killed)).refused).toBe(refused);
  });

  test("and so is a log of a run before, which SQLite would play over what is newer", async () => {
    const dataDir = join(temporaryDirectory(), "data");
    const server = await startServer({ dataDir });
    const log = join(dataDir, "tessera.db-wal");
    const old = join(temporaryDirectory(), "old");
    copyFileSync(log, old);
    const salts = () => parseLogHeader(readFileSync(log).subarray(0, 32))?.salts.join();
    const before = salts();
    for (let i = 0; salts() === before; i++) {
      await call(server, "PUT", "/v1/acl/policy", { Name: `anew-${i}` });
      await until(() => isCopied(slotOf(dataDir)));
    }
    await until(() => slotOf(dataDir).salts.join() === salts());
    await server.kill({ keepData: true });
    copyFileSync(old, log);
    expect((await startAndAsk(dataDir, killed)).refused).toMatch(/does not match the mark/);
  });

  test("commands that read the database say it too, and change nothing", async () => {
    const dataDir = harmed(killed, ({ log }) => remove(log));
    for (const command of [
      ["audit", "verify"],
      ["backup", join(temporaryDirectory(), "lost.backup")],
    ]) {
      const { status, stderr } = await tessera(...command, "--data-dir", dataDir);
      expect([command[0], status]).toEqual([command[0], 2]);
      expect(stderr.trim()).toMatch(LINE);
    }
  });
});

describe("with --accept-lost-writes it goes on without them", () => {
  const cases: [string, (log: Harmed) => void][] = [
    ["gone", ({ log }) => remove(log)],
    ["damaged where it is not copied", ({ log, slot, frameAt }) => flipBit(log, frameAt(slot.copied + 1) + 500)],
    ["damaged where it was copied before", ({ log, frameAt }) => flipBit(log, frameAt(1) + 500)],
  ];
  test.each(cases)("once, on record, with higher indexes: %s", async (_name, harm) => {
    const dataDir = harmed(killed, harm);
    const accepted = await startAndAsk(dataDir, killed, ["--accept-lost-writes"]);
    expect(accepted.refused).toBe(undefined);
    expect("lost" in accepted && accepted.lost).toContain("the deletion of the token");
    expect("said" in accepted && accepted.said).toContain(
      "continuing without them because --accept-lost-writes is set",
    );
    // Not again: what is there now is what the mark says.
    const server = await startServer({ dataDir });
    const records = (await call(server, "GET", "/v1/audit?kind=database&ns=*")) as { Action: string; Detail: object }[];
    expect(records.map(({ Action }) => Action)).toEqual(["accept-lost-writes"]);
    const answer = await fetch(`${server.url}/v1/acl/policies`, { headers: { "x-consul-token": server.token } });
    expect(Number(answer.headers.get("x-consul-index"))).toBeGreaterThan(2 ** 24);
    expect(await server.stop()).toBe(0);
    expect((await tessera("audit", "verify", "--data-dir", dataDir)).status).toBe(0);
  });
});

describe("behind the mark", () => {
  // Written after the mark, as by a server whose thread had no time for it yet.
  let behind: Killed;
  beforeAll(async () => {
    for (;;) {
      behind = await killServer("later");
      let frames = 0;
      harmIn(behind.dataDir, behind.slot, (log) => (frames = log.frames));
      if (frames > behind.slot.frames && behind.slot.copied < behind.slot.frames) return;
    }
  });

  test("a torn end with nothing behind it is what it always was", async () => {
    const dataDir = harmed(behind, ({ log, slot, frameAt }) => cut(log, frameAt(slot.frames + 1) + 1000));
    const start = await startAndAsk(dataDir, behind);
    expect(start.refused).toBe(undefined);
    // Acknowledged after the mark was written, and nothing before.
    const lost = new Set("lost" in start ? start.lost : []);
    const early = behind.made.filter(({ name, at }) => lost.has(name) && at < behind.slot.at);
    expect(early).toEqual([]);
  });

  test("a damaged frame with commits behind it is refused", async () => {
    const dataDir = harmed(behind, ({ log, slot, frames, frameAt }) => {
      expect(frames).toBeGreaterThan(slot.frames + 1);
      flipBit(log, frameAt(slot.frames + 1) + 500);
    });
    expect((await startAndAsk(dataDir, behind)).refused).toMatch(LINE);
  });
});

describe("what was copied before is not lost", () => {
  let whole: Killed;
  beforeAll(async () => {
    for (;;) {
      const dataDir = join(temporaryDirectory(), "data");
      const server = await startServer({ dataDir });
      await call(server, "PUT", "/v1/acl/policy", { Name: "copied" });
      await until(() => isCopied(slotOf(dataDir)));
      await server.kill({ keepData: true });
      whole = { dataDir, deleted: "none", made: [{ name: "copied", at: 0 }], slot: slotOf(dataDir) };
      // A server writes by itself too: nothing of that may be behind the mark here.
      const walk = walkLog(join(dataDir, "tessera.db-wal"), whole.slot);
      if (isCopied(whole.slot) && walk.sums !== undefined && walk.verified === whole.slot.frames) return;
    }
  });

  test("a log that is gone says nothing, since nothing is missing", async () => {
    const dataDir = harmed(whole, ({ log }) => remove(log));
    expect(await startAndAsk(dataDir, whole)).toMatchObject({ refused: undefined, lost: [] });
  });

  test.each<[string, (log: Harmed) => void]>([
    ["damaged", ({ log, frameAt }) => flipBit(log, frameAt(2) + 500)],
    ["cut", ({ log, frameAt }) => cut(log, frameAt(2))],
    ["without its header", ({ log }) => flipBit(log, 17)],
  ])("a log that is %s is moved aside, so that older pages are not put over newer ones", async (_name, harm) => {
    const dataDir = harmed(whole, harm);
    const start = await startAndAsk(dataDir, whole);
    expect(start).toMatchObject({ refused: undefined, lost: [] });
    expect("said" in start && start.said).toContain("it was already checkpointed completely");
    expect(readdirSync(dataDir).some((name) => name.startsWith("tessera.db-wal.aside-"))).toBe(true);
  });
});

describe("the mark itself", () => {
  const markOf = (dataDir: string) => join(dataDir, "tessera.db.mark");

  async function used(): Promise<Killed> {
    const dataDir = join(temporaryDirectory(), "data");
    const server = await startServer({ dataDir });
    await call(server, "PUT", "/v1/acl/policy", { Name: "kept" });
    await server.kill({ keepData: true });
    return { dataDir, deleted: "none", made: [{ name: "kept", at: 0 }], slot: slotOf(dataDir) };
  }

  test("gone, it is refused; put back, it is right", async () => {
    const { dataDir, ...rest } = await used();
    renameSync(markOf(dataDir), `${markOf(dataDir)}.away`);
    const start = await startAndAsk(dataDir, { dataDir, ...rest });
    expect(start.refused).toMatch(/^tessera: the mark \S+ of the write-ahead log is missing.*--accept-lost-writes/);
    renameSync(`${markOf(dataDir)}.away`, markOf(dataDir));
    expect(await startAndAsk(dataDir, { dataDir, ...rest })).toMatchObject({ refused: undefined, lost: [] });
  });

  test("damaged in both slots, it is refused; in the one that was written first, nothing is said", async () => {
    const { dataDir, ...rest } = await used();
    const sound = readFileSync(markOf(dataDir));
    const older = ((rest.slot.sequence + 1) % 2) * 4096;
    flipBit(markOf(dataDir), older + 50);
    const copy = { dataDir, ...rest };
    expect(
      await startAndAsk(
        harmed(copy, () => undefined),
        copy,
      ),
    ).toMatchObject({ refused: undefined, lost: [] });
    flipBit(markOf(dataDir), 4096 - older + 50);
    expect((await startAndAsk(dataDir, copy)).refused).toMatch(
      /^tessera: the mark \S+ of the write-ahead log is corrupted/,
    );
    writeFileSync(markOf(dataDir), sound);
    expect(await startAndAsk(dataDir, copy)).toMatchObject({ refused: undefined, lost: [] });
  });

  test("of another database, or made by somebody without the key, it is refused", async () => {
    const [one, other] = [await used(), await used()];
    const own = readFileSync(markOf(one.dataDir));
    // The log goes with it, so that only the key tells them apart.
    writeFileSync(markOf(one.dataDir), readFileSync(markOf(other.dataDir)));
    expect((await startAndAsk(one.dataDir, one)).refused).toMatch(
      /^tessera: the (mark|write-ahead log) .*--accept-lost-writes/,
    );
    writeFileSync(markOf(one.dataDir), own);
    expect(await startAndAsk(one.dataDir, one)).toMatchObject({ refused: undefined, lost: [] });
  });

  test("without its database it is no first start, unless that is asked for", async () => {
    const { dataDir, ...rest } = await used();
    for (const name of readdirSync(dataDir)) if (name !== "tessera.db.mark") rmSync(join(dataDir, name));
    expect((await startAndAsk(dataDir, { dataDir, ...rest })).refused).toMatch(/but the mark \S+ of its log exists/);
    const server = await startServer({ dataDir, args: ["--allow-empty-database"] });
    expect(await server.stop()).toBe(0);
    expect(existsSync(markOf(dataDir))).toBe(true);
  });
});
