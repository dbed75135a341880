/** Tests of a start, and of a command, when another program used the log since the server was killed: incident 61. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { tessera } from "../backup/command.ts";
import { temporaryDirectory } from "../support/engines.ts";
import { parseLogHeader } from "../../src/storage/sqlite/mark/log-frames.ts";
import { startServer } from "../support/server.ts";
import {
  call,
  flipBit,
  harmed,
  isCopied,
  type Killed,
  killServer,
  recordedLosses,
  slotOf,
  startAndAsk,
  until,
} from "./lost-log.ts";

let killed: Killed;
beforeAll(async () => {
  killed = await killServer("at");
});

const LOST = /^tessera: the write-ahead log .*: acknowledged writes are lost from commit \d+ .*--accept-lost-writes/;

/** Has another program, which knows nothing of the mark, copy the log and begin it anew, and end without closing it. */
function beginAnew(dataDir: string, checkpoint: string): void {
  const script = `
    const { DatabaseSync } = require("node:sqlite");
    const db = new DatabaseSync(${JSON.stringify(join(dataDir, "tessera.db"))});
    db.exec("pragma wal_checkpoint(${checkpoint})");
    db.exec("create table if not exists _litestream_seq (id integer primary key, seq integer)");
    process.kill(process.pid, "SIGKILL");
  `;
  expect(spawnSync(process.execPath, ["-e", script]).signal).toBe("SIGKILL");
}

describe.each(["passive", "restart", "truncate"])("a log that another program begins anew (%s)", (checkpoint) => {
  test("incident 61: it had copied what was right of a damaged one, which is refused", async () => {
    const dataDir = harmed(killed, ({ log, slot, frameAt }) => flipBit(log, frameAt(slot.frames - 3) + 500));
    beginAnew(dataDir, checkpoint);
    const { refused } = await startAndAsk(dataDir, killed);
    expect(refused).toMatch(LOST);
    expect(refused).toContain("was restarted by a program other than the server before all of it was checkpointed");
    expect((await startAndAsk(dataDir, killed)).refused).toBe(refused);
    const verified = await tessera("audit", "verify", "--data-dir", dataDir);
    expect([verified.status, verified.stderr.trim()]).toEqual([2, refused]);
  });

  test("it had copied all of it, and nothing is lost", async () => {
    const dataDir = harmed(killed, () => undefined);
    beginAnew(dataDir, checkpoint);
    expect((await tessera("audit", "verify", "--data-dir", dataDir)).status).toBe(0);
    expect(await startAndAsk(dataDir, killed)).toMatchObject({ refused: undefined, lost: [] });
    expect(await startAndAsk(dataDir, killed)).toMatchObject({ refused: undefined, lost: [] });
  });
});

test("incident 61: a log whose salts SQLite made up is believed where the database has come as far with it", async () => {
  const dataDir = join(temporaryDirectory(), "data");
  const server = await startServer({ dataDir });
  await call(server, "PUT", "/v1/acl/policy", { Name: "copied" });
  await until(() => isCopied(slotOf(dataDir)));
  await server.kill({ keepData: true });
  // As a command leaves it that is killed in the middle, where there was no log.
  const log = join(dataDir, "tessera.db-wal");
  for (const file of [log, join(dataDir, "tessera.db-shm")]) rmSync(file);
  beginAnew(dataDir, "passive");
  expect(parseLogHeader(readFileSync(log).subarray(0, 32))?.salts).not.toEqual(slotOf(dataDir).salts);
  const asked = { deleted: "", made: [{ name: "copied", at: 0 }] };
  expect((await tessera("audit", "verify", "--data-dir", dataDir)).status).toBe(0);
  expect(await startAndAsk(dataDir, { ...killed, ...asked })).toMatchObject({ refused: undefined, lost: [] });
});

test("incident 61: writes that another program has left behind can be gone on without, once, on record", async () => {
  const dataDir = harmed(killed, ({ log, slot, frameAt }) => flipBit(log, frameAt(slot.copied + 1) + 500));
  beginAnew(dataDir, "restart");
  const accepted = await startAndAsk(dataDir, killed, ["--accept-lost-writes"]);
  expect(accepted).toMatchObject({ refused: undefined, lost: expect.arrayContaining(["the deletion of the token"]) });
  const { records } = await recordedLosses(dataDir);
  expect(records.map(({ Action }) => Action)).toEqual(["accept-lost-writes"]);
});

describe("commands of a database whose mark and log are gone", () => {
  const COMMANDS: [string, (folder: string, file: string) => string[]][] = [
    ["backup", (folder) => ["backup", join(folder, "one.backup")]],
    ["audit verify", () => ["audit", "verify"]],
    ["move", (folder, file) => ["move", "--from", `sqlite:${file}`, "--to", `sqlite:${join(folder, "new.db")}`]],
    ["reset-bootstrap", () => ["reset-bootstrap"]],
  ];

  // In place: a copy lies in another file than its row says.
  let dataDir: string;
  beforeAll(async () => {
    ({ dataDir } = await killServer("at"));
    for (const name of ["tessera.db-wal", "tessera.db.mark"]) rmSync(join(dataDir, name));
  });

  test.each(COMMANDS)("incident 61: %s is refused as a start is", async (_name, command) => {
    const file = join(dataDir, "tessera.db");
    const before = readFileSync(file);
    const folder = temporaryDirectory();
    const { status, stderr } = await tessera(...command(folder, file), "--data-dir", dataDir);
    const line = /^tessera: the mark \S+ of the write-ahead log is missing/;
    expect([status, stderr]).toEqual([2, expect.stringMatching(line)]);
    expect(readFileSync(file).equals(before)).toBe(true);
    for (const name of ["one.backup", "new.db"]) expect(existsSync(join(folder, name))).toBe(false);
  });

  test("a copy in another place is read by them", async () => {
    const copy = join(temporaryDirectory(), "data");
    cpSync(dataDir, copy, { recursive: true });
    expect(await tessera("audit", "verify", "--data-dir", copy)).toMatchObject({ status: 0 });
  });
});
