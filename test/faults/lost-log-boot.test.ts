/** Tests of a start with damage behind the mark of a log, when the machine itself had stopped: incident 61. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { startServer } from "../support/server.ts";
import { call, cut, flipBit, harmed, harmIn, type Killed, killServer, recordedLosses } from "./lost-log.ts";

const env = { NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, "another-boot.ts")).href}` };
let behind: Killed;
beforeAll(async () => {
  for (;;) {
    behind = await killServer("later");
    let frames = 0;
    harmIn(behind.dataDir, behind.slot, (log) => (frames = log.frames));
    if (frames > behind.slot.frames + 8 && behind.slot.copied < behind.slot.frames) return;
  }
});

test("incident 61: commits behind a damaged frame may have been acknowledged, which is said and put on record", async () => {
  const dataDir = harmed(behind, ({ log, slot, frameAt }) => flipBit(log, frameAt(slot.frames + 1) + 500));
  const server = await startServer({ dataDir, env });
  const names = new Set(
    ((await call(server, "GET", "/v1/acl/policies")) as { Name: string }[]).map(({ Name }) => Name),
  );
  const lost = behind.made.filter(({ name }) => !names.has(name));
  expect(lost.length).toBeGreaterThan(0);
  expect(lost.filter(({ at }) => at < behind.slot.at)).toEqual([]);
  expect(server.stdout).toMatch(
    /"level":"warn".*the write-ahead log is corrupted in frame.*may have been acknowledged/,
  );
  await server.kill({ keepData: true });
  const { records, index } = await recordedLosses(dataDir);
  expect(records).toEqual([
    expect.objectContaining({
      Action: "note-lost-writes",
      Detail: expect.objectContaining({ reason: expect.stringContaining("may have been acknowledged") }),
    }),
  ]);
  // A client that was answered must not be told the same index again for something else.
  expect(index).toBeGreaterThan(2 ** 24);
});

test("a damaged frame that the mark says was durable is refused there too", async () => {
  const dataDir = harmed(behind, ({ log, slot, frameAt }) => flipBit(log, frameAt(slot.frames) + 500));
  await expect(startServer({ dataDir, env })).rejects.toThrow(/acknowledged writes are lost from commit/);
});

test("a torn end with nothing behind it starts without a word", async () => {
  const dataDir = harmed(behind, ({ log, slot, frameAt }) => cut(log, frameAt(slot.frames + 1) + 1000));
  const server = await startServer({ dataDir, env });
  expect(server.stdout).not.toContain("write-ahead log");
  await server.kill();
});
