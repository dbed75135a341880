import {
  copyFileSync,
  openSync,
  readFileSync,
  closeSync,
  readSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../../../../test/support/engines.ts";
import { FRAME_HEADER_BYTES, LOG_HEADER_BYTES, parseLogHeader, walkLog } from "./log-frames.ts";

const PAGE = 4096;
const FRAME = FRAME_HEADER_BYTES + PAGE;

interface MadeLog {
  path: string;
  log: string;
  db: DatabaseSync;
}

/** A database of SQLite's own, with one commit for each of these numbers of bytes, all of them in the log. */
function makeLog(sizes: readonly number[] = [10, 9000, 10, 20_000, 10]): MadeLog {
  const path = join(temporaryDirectory(), "plain.db");
  const db = new DatabaseSync(path);
  onTestFinished(() => db.close());
  db.exec("pragma journal_mode = wal");
  db.exec("pragma wal_autocheckpoint = 0");
  db.exec("create table t (text text)");
  for (const size of sizes) db.prepare("insert into t values (hex(randomblob(?)))").all(size);
  return { path, log: `${path}-wal`, db };
}

/** A copy of the log that something was done to. */
function changed(log: string, change: (bytes: Buffer) => Buffer | void): string {
  const copy = join(temporaryDirectory(), "log");
  const bytes = readFileSync(log);
  writeFileSync(copy, change(bytes) ?? bytes);
  return copy;
}

const frameAt = (number: number) => LOG_HEADER_BYTES + (number - 1) * FRAME;

function soughtOf(log: string, frames: number) {
  const header = parseLogHeader(readFileSync(log).subarray(0, LOG_HEADER_BYTES));
  if (header === undefined) throw new Error("no header");
  return { salts: header.salts, pageSize: header.pageSize, frames };
}

/** How much SQLite itself takes of a log: the number of rows beside it. */
function rowsBeside(path: string, log: string): number {
  const copy = join(temporaryDirectory(), "copy.db");
  copyFileSync(path, copy);
  copyFileSync(log, `${copy}-wal`);
  const db = new DatabaseSync(copy);
  try {
    return Number(db.prepare("select count(*) as count from t").get()?.["count"]);
  } catch {
    return -1;
  } finally {
    db.close();
  }
}

test("all frames and commits of a whole log are found, and the checksum that SQLite has at the last of them", () => {
  const { log } = makeLog();
  const frames = (statSync(log).size - LOG_HEADER_BYTES) / FRAME;
  const walk = walkLog(log, soughtOf(log, frames));
  expect(walk).toMatchObject({ state: "log", verified: frames, committed: frames, commits: 6, behind: 0 });
  const bytes = readFileSync(log);
  expect(walk.sums).toEqual([bytes.readUInt32BE(frameAt(frames) + 16), bytes.readUInt32BE(frameAt(frames) + 20)]);
});

test("wherever one bit is turned, the walk ends where SQLite does, and finds what is behind", () => {
  const { path, log } = makeLog();
  const whole = walkLog(log, soughtOf(log, 1));
  for (let number = 1; number <= whole.verified; number++) {
    const turned = changed(log, (bytes) => {
      const at = frameAt(number) + FRAME_HEADER_BYTES + 100;
      bytes[at] = (bytes[at] ?? 0) ^ 1;
    });
    const walk = walkLog(turned, soughtOf(log, 1));
    expect([number, walk.verified, walk.behind]).toEqual([number, number - 1, whole.verified - number]);
    expect(walk.commits + walk.lostCommits).toBe(whole.commits);
    // The first commit makes the table, of which rows are counted.
    expect([number, rowsBeside(path, turned)]).toEqual([number, walk.commits === 0 ? -1 : walk.commits - 1]);
  }
});

test("a bit in the header of a frame, in its number, its size and its salts, is found too", () => {
  const { log } = makeLog();
  for (const offset of [3, 7, 11, 15, 19, 23]) {
    const turned = changed(log, (bytes) => {
      const at = frameAt(2) + offset;
      bytes[at] = (bytes[at] ?? 0) ^ 1;
    });
    expect([offset, walkLog(turned).verified]).toEqual([offset, 1]);
  }
});

test("a cut log ends with its last whole frame, and its last whole commit", () => {
  const { path, log } = makeLog();
  for (const bytes of [0, 20, 32, 100, frameAt(2), frameAt(3) - 1, frameAt(5) + 30, frameAt(9)]) {
    const cut = changed(log, (all) => all.subarray(0, bytes));
    const walk = walkLog(cut);
    const frames = Math.max(0, Math.floor((bytes - LOG_HEADER_BYTES) / FRAME));
    expect([bytes, walk.verified, walk.behind]).toEqual([bytes, frames, 0]);
    expect([bytes, rowsBeside(path, cut)]).toEqual([bytes, walk.commits - 1]);
  }
});

test("a log that is missing, empty or without a header is told as such; behind a lost header frames are still seen", () => {
  const { log } = makeLog();
  const sought = soughtOf(log, 2);
  expect(walkLog(join(temporaryDirectory(), "none")).state).toBe("missing");
  expect(walkLog(changed(log, () => Buffer.alloc(0))).state).toBe("empty");
  const headless = changed(log, (bytes) => void bytes.writeUInt8(1, 30));
  expect(walkLog(headless)).toMatchObject({ state: "headless", verified: 0, lostCommits: 0 });
  expect(walkLog(headless, sought)).toMatchObject({ state: "headless", verified: 0, lostCommits: 6 });
});

test("frames of the run before, behind those of a log that was begun anew, are not of it", () => {
  const { log, db } = makeLog();
  db.exec("pragma wal_checkpoint(restart)");
  db.exec("insert into t values ('anew')");
  const walk = walkLog(log);
  expect(walk).toMatchObject({ verified: 1, committed: 1, commits: 1, behind: 0, lostCommits: 0 });
});

test("what a transaction that was rolled back has left behind is no commit", () => {
  const { log, db } = makeLog([10]);
  const before = walkLog(log).verified;
  db.exec("pragma cache_size = 2");
  db.exec("begin");
  for (let i = 0; i < 20; i++) db.exec("insert into t values (hex(randomblob(5000)))");
  db.exec("rollback");
  db.exec("insert into t values ('short')");
  const walk = walkLog(log);
  expect(statSync(log).size).toBeGreaterThan(frameAt(walk.verified + 2));
  expect(walk.committed).toBeGreaterThan(before);
  expect([walk.lostCommits, walk.commitsBehind]).toEqual([0, 0]);
});

describe("a log whose checksums are made over words in the other order", () => {
  // As a machine of the other byte order writes it: the same frames, with checksums made anew.
  function turned(bytes: Buffer): void {
    bytes.writeUInt32BE(0x377f0683, 0);
    let sums: [number, number] = [0, 0];
    const add = (from: number, to: number) => {
      let [a, b] = sums;
      for (let at = from; at < to; at += 8) {
        a = (a + bytes.readUInt32BE(at) + b) >>> 0;
        b = (b + bytes.readUInt32BE(at + 4) + a) >>> 0;
      }
      sums = [a, b];
    };
    const put = (at: number) => {
      bytes.writeUInt32BE(sums[0], at);
      bytes.writeUInt32BE(sums[1], at + 4);
    };
    add(0, 24);
    put(24);
    for (let at = LOG_HEADER_BYTES; at + FRAME <= bytes.length; at += FRAME) {
      add(at, at + 8);
      add(at + FRAME_HEADER_BYTES, at + FRAME);
      put(at + 16);
    }
  }

  test("is read as SQLite reads it", () => {
    const { path, log } = makeLog();
    const other = changed(log, turned);
    expect(walkLog(other)).toMatchObject({ state: "log", commits: 6, behind: 0 });
    expect(rowsBeside(path, other)).toBe(5);
    const damaged = changed(
      other,
      (bytes) => void bytes.writeUInt8((bytes[frameAt(4) + 50] ?? 0) ^ 4, frameAt(4) + 50),
    );
    expect(walkLog(damaged).verified).toBe(3);
  });
});

test("a log is read in pieces, however long it is", () => {
  const { log, db } = makeLog([10]);
  db.exec("pragma cache_size = 100");
  for (let i = 0; i < 13; i++) db.exec("insert into t values (hex(randomblob(500000)))");
  const size = statSync(log).size;
  expect(size).toBeGreaterThan(3 * 4 * 1024 * 1024);
  const frames = (size - LOG_HEADER_BYTES) / FRAME;
  expect(walkLog(log)).toMatchObject({ verified: frames, commits: 15 });
  const late = frames - 10;
  const hurt = changed(log, (bytes) => void bytes.writeUInt8((bytes[frameAt(late) + 50] ?? 0) ^ 4, frameAt(late) + 50));
  expect(walkLog(hurt)).toMatchObject({ verified: late - 1, behind: 10 });
  truncateSync(hurt, frameAt(late) + 17);
  expect(walkLog(hurt)).toMatchObject({ verified: late - 1, behind: 0 });
  const file = openSync(hurt, "r");
  expect(readSync(file, Buffer.alloc(8), 0, 8, 0)).toBe(8);
  closeSync(file);
});
