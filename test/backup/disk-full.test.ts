/** A disk that is full fails a backup or a restore in one line, and leaves nothing behind. */
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { mount, unmount, whyNoMount } from "../faults/small-disk.ts";
import { temporaryDirectory } from "../support/engines.ts";
import { startServer } from "../support/server.ts";
import { callerOf } from "../upgrades/caller.ts";
import { emptyPlace, tessera, type Place } from "./command.ts";

const reason = whyNoMount();

function smallDisk(megabytes: number): string {
  const folder = join(temporaryDirectory(), "small");
  mkdirSync(folder);
  expect(mount(folder, megabytes)).toBeUndefined();
  onTestFinished(() => void unmount(folder));
  return folder;
}

describe.skipIf(reason !== undefined)(`a full disk${reason === undefined ? "" : ` (skipped: ${reason})`}`, () => {
  let source: Place;
  const file = join(temporaryDirectory(), "backup");

  beforeAll(async () => {
    source = await emptyPlace("postgres");
    const server = await startServer(source);
    for (let number = 0; number < 40; number++) {
      const Rules = Array.from({ length: 1500 }, () => `key "${crypto.randomUUID()}" { policy = "read" }`).join("\n");
      await callerOf(server.url)("PUT", "/v1/acl/policy", { Name: `p-${number}`, Rules }, server.token);
    }
    expect(await server.stop()).toBe(0);
    expect(await tessera("backup", file, ...source.where)).toMatchObject({ status: 0 });
  });

  test("ends a backup, which leaves no file and can be run again", async () => {
    const folder = smallDisk(1);
    const full = await tessera("backup", join(folder, "backup"), ...source.where);
    expect(full).toMatchObject({ status: 2, stderr: expect.stringMatching(/^tessera: [^\n]*ENOSPC[^\n]*\n$/) });
    expect(readdirSync(folder)).toEqual([]);
    expect(await tessera("backup", file, ...source.where)).toMatchObject({ status: 0 });
  });

  test("of which the copy of an embedded database would not fit is found before it is made", async () => {
    const folder = smallDisk(8);
    const embedded = await emptyPlace("sqlite", source);
    expect(await tessera("restore", file, ...embedded.where)).toMatchObject({ status: 0 });
    const none = await tessera("backup", join(folder, "backup"), ...embedded.where);
    expect(none).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("has no room for a copy of the database"),
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("ends a restore, which leaves no database and can be run again", async () => {
    const folder = smallDisk(3);
    const target = await emptyPlace("sqlite", source);
    const database = `sqlite:${join(folder, "db", "tessera.db")}`;
    const args = ["--database", database, "--data-dir", target.dataDir];
    const full = await tessera("restore", file, ...args);
    expect(full).toMatchObject({ status: 2, stderr: expect.stringMatching(/^tessera: [^\n]*full[^\n]*\n$/) });
    expect(readdirSync(join(folder, "db"))).toEqual(["tessera.db.lock"]);
    expect(await tessera("restore", file, ...target.where)).toMatchObject({ status: 0 });
  });
});
