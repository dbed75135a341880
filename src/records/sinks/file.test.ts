import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hurried, recordAll } from "../../../test/support/audit.ts";
import { placesOf, readLines } from "../../../test/support/audit-target.ts";
import { forEachEngine, temporaryDirectory } from "../../../test/support/engines.ts";
import { openForTest } from "../../../test/support/storage.ts";
import type { Database } from "../../storage/database.ts";
import { createFileSink } from "./file.ts";
import { followAudit } from "./follow.ts";

const CHAIN = "partition/default";

function feed(db: Database, path: string) {
  const states: (string | undefined)[] = [];
  const errors: unknown[] = [];
  const sink = createFileSink(path);
  const following = followAudit(db, sink, {
    onState: (state) => states.push(state),
    onError: (error) => errors.push(error),
    clock: hurried,
  });
  onTestFinished(async () => {
    await following.stop();
    expect(errors).toEqual([]);
  });
  return { sink, following, states };
}

const placesIn = (path: string) => placesOf(readLines(readText(path)), CHAIN);

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

forEachEngine((_engine, makeUrl) => {
  test("every record becomes a line of a file that only its owner reads, and a server that comes later goes on behind it", async () => {
    const db = await openForTest(await makeUrl());
    const path = join(temporaryDirectory(), "audit.jsonl");
    await recordAll(db, ["a", "b"]);
    const first = feed(db, path);
    await expect.poll(() => placesIn(path)).toEqual([1, 2]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await first.following.stop();
    await recordAll(db, ["c"]);
    feed(db, path);
    await expect.poll(() => placesIn(path), { timeout: 20_000 }).toEqual([1, 2, 3]);
  });

  test("a file that was given another name is left when it is opened again, one that is gone is made anew at once", async () => {
    const db = await openForTest(await makeUrl());
    const path = join(temporaryDirectory(), "audit.jsonl");
    const { sink } = feed(db, path);
    await recordAll(db, ["a"]);
    await expect.poll(() => placesIn(path)).toEqual([1]);
    renameSync(path, `${path}.1`);
    sink.reopen();
    await recordAll(db, ["b"]);
    await expect.poll(() => placesIn(path)).toEqual([2]);
    rmSync(path);
    await recordAll(db, ["c"]);
    await expect.poll(() => placesIn(path)).toEqual([3]);
    expect(placesIn(`${path}.1`)).toEqual([1]);
  });

  test("what cannot be written is written when it can: a folder without rights, a pipe that nobody reads", async () => {
    const db = await openForTest(await makeUrl());
    const folder = join(temporaryDirectory(), "folder");
    const path = join(folder, "audit.jsonl");
    await recordAll(db, ["a", "b"]);
    const { states, following } = feed(db, path);
    await expect.poll(() => states).toEqual([`cannot write ${path} (ENOENT)`]);
    mkdirSync(folder);
    execFileSync("mkfifo", [path]);
    const failures = following.progress().failures;
    await expect.poll(() => following.progress().failures, { timeout: 20_000 }).toBeGreaterThan(failures);
    rmSync(path);
    await expect.poll(() => placesIn(path), { timeout: 20_000 }).toEqual([1, 2]);
    expect(states.at(-1)).toBeUndefined();
  });
});

test("the beginning of a line that a crash has left is taken away, and what is not ours is left and ended", async () => {
  const path = join(temporaryDirectory(), "audit.jsonl");
  for (const [before, after] of [
    ["", ""],
    ["whole\n", "whole\n"],
    ['whole\n{"ty', "whole\n"],
    [`whole\n{"type":"record","name":"${"x".repeat(200_000)}`, "whole\n"],
    ['{"type":"rec', ""],
    ["whole\nof somebody else", "whole\nof somebody else\n"],
  ]) {
    writeFileSync(path, before ?? "");
    chmodSync(path, 0o600);
    const sink = createFileSink(path);
    await sink.deliver(['{"type":"head"}'], AbortSignal.timeout(10_000));
    await sink.close();
    expect(readFileSync(path, "utf8")).toBe(`${after}{"type":"head"}\n`);
  }
});
