/** A server that is told to makes backups by itself, and says how old the last one is. */
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { MAGIC } from "../../src/backup/format.ts";
import { engines, temporaryDirectory, type Engine } from "../support/engines.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { callerOf } from "../upgrades/caller.ts";
import { emptyPlace, sumsOf, tessera, type Place } from "./command.ts";

/** @param env more environment variables */
async function serve(place: Place, folder: string, every = "1m", env = {}): Promise<RunningServer> {
  const args = ["--backup-every", every, "--backup-dir", folder, "--backup-keep", "2", "--metrics-open"];
  const server = await startServer({ ...place, args, env });
  onTestFinished(async () => void (await server.stop()));
  return server;
}

async function metric(server: RunningServer, name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries++) {
    if (tries > 600) throw new Error("it does not come");
    await sleep(100);
  }
}

describe.each(engines)("a server on %s", (engine: Engine) => {
  test("makes a backup when the last one is old, keeps the newest ones, and removes halves", async () => {
    const folder = temporaryDirectory();
    const old = ["tessera-20240101T000000Z.backup", "tessera-20250101T000000Z.backup"];
    const half = ["part-1", "copy-1", "new", "new.part-1"].map((end) => `tessera-20250201T000000Z.backup.${end}`);
    for (const name of old) writeFileSync(join(folder, name), MAGIC);
    // None of these is a backup, though one is dated later than any.
    const none = ["tessera-20240102T000000Z.backup", "tessera-20990101T000000Z.backup"];
    writeFileSync(join(folder, none[0] ?? ""), "");
    writeFileSync(join(folder, none[1] ?? ""), "something else");
    for (const name of [...half, "mine"]) writeFileSync(join(folder, name), "");
    const source = await emptyPlace(engine);
    const server = await serve(source, folder);
    expect(await metric(server, "tessera_backup_age_seconds")).not.toBeNaN();
    await until(async () => (await metric(server, "tessera_backups_made")) === 1);
    const names = readdirSync(folder).sort();
    expect(names.filter((name) => !none.includes(name))).toEqual([
      ".tessera-removals",
      "mine",
      old[1],
      expect.stringMatching(/^tessera-20\d{6}T\d{6}Z\.backup$/),
    ]);
    expect(names).toEqual(expect.arrayContaining(none));
    const made = join(
      folder,
      names.find((name) => ![...none, ...old, "mine"].includes(name) && name.startsWith("t")) ?? "",
    );
    expect((await sumsOf(made))["tokens"]?.rows).toBeGreaterThan(0);
    expect(await metric(server, "tessera_backup_age_seconds")).toBeLessThan(3600);
    expect(await metric(server, "tessera_backups_failed")).toBe(0);
    const target = await emptyPlace(engine, source);
    expect(await tessera("restore", made, ...target.where)).toMatchObject({ status: 0, stderr: "" });
  });

  test("logs and counts a backup that fails, and tries it again", async () => {
    const folder = join(temporaryDirectory(), "backups");
    writeFileSync(folder, "in the way");
    const server = await serve(await emptyPlace(engine), folder);
    await until(async () => (await metric(server, "tessera_backups_failed")) > 0);
    await until(async () => server.stdout.includes("backup failed; retrying"));
    await callerOf(server.url)("PUT", "/v1/acl/policy", { Name: "goes-on", Rules: 'acl = "read"' }, server.token);
    rmSync(folder);
    mkdirSync(folder);
    await until(async () => (await metric(server, "tessera_backups_made")) === 1);
    expect(readdirSync(folder)).toHaveLength(1);
  });
});

test("incident 62: a backup that is dated in the future counts for nothing, stays, and is told once", async () => {
  const folder = temporaryDirectory();
  const source = await emptyPlace("sqlite");
  const first = await serve(source, folder, "6h");
  await until(async () => (await metric(first, "tessera_backups_made")) === 1);
  await first.stop();
  const [made = ""] = readdirSync(folder);
  const old = ["tessera-20240101T000000Z.backup", "tessera-20240102T000000Z.backup", "tessera-20240103T000000Z.backup"];
  const future = "tessera-21000101T000000Z.backup";
  for (const name of [...old, future]) copyFileSync(join(folder, made), join(folder, name));
  rmSync(join(folder, made));
  const server = await serve(source, folder, "6h");
  await until(async () => (await metric(server, "tessera_backups_made")) === 1);
  await until(async () => (await metric(server, "tessera_backups_in_future")) === 1);
  // Two more looks at the folder.
  await sleep(11_000);
  const names = readdirSync(folder).sort();
  // One old one has gone, for the time that passed before the start; two more than are kept are still there.
  expect(names).toEqual([
    ".tessera-removals",
    ...old.slice(1),
    expect.stringMatching(/^tessera-20[2-9]\d{5}T\d{6}Z\.backup$/),
    future,
  ]);
  expect(await metric(server, "tessera_backups_made")).toBe(1);
  expect(await metric(server, "tessera_backup_age_seconds")).toBeLessThan(3600);
  expect(server.stdout.split("with a time in the future")).toHaveLength(2);
});

test("incident 62: a server that is started anew with a clock that has jumped makes a backup, and removes none for it", async () => {
  const folder = temporaryDirectory();
  const source = await emptyPlace("sqlite");
  const old = ["tessera-20240101T000000Z.backup", "tessera-20240102T000000Z.backup", "tessera-20240103T000000Z.backup"];
  for (const name of old) writeFileSync(join(folder, name), MAGIC);
  const isMade = (server: RunningServer) => until(async () => server.stdout.includes("backup created"));
  const first = await serve(source, folder, "1h");
  await isMade(first);
  expect(await first.stop()).toBe(0);
  const left = readdirSync(folder);
  expect(left).toEqual(expect.arrayContaining(old.slice(1)));
  expect(left).not.toContain(old[0]);
  const preload = pathToFileURL(join(import.meta.dirname, "../support/shifted-clock.ts")).href;
  const ahead = { NODE_OPTIONS: `--import=${preload}`, CLOCK_SHIFT_MS: String(2 * 3_600_000) };
  await isMade(await serve(source, folder, "1h", ahead));
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(left));
  expect(readdirSync(folder)).toHaveLength(left.length + 1);
});

test("of several servers on one database that share a folder one makes the backup", async () => {
  const folder = temporaryDirectory();
  const source = await emptyPlace("postgres");
  const one = await serve(source, folder);
  const other = await serve(source, folder);
  const made = async () => (await metric(one, "tessera_backups_made")) + (await metric(other, "tessera_backups_made"));
  await until(async () => (await made()) > 0);
  // As often as each looks whether it is time.
  await sleep(6000);
  expect(await made()).toBe(1);
  expect(readdirSync(folder)).toHaveLength(1);
});
