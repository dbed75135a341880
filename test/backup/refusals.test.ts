/** Tests that a restore rejects an unusable backup with one line, before it writes anything. */
import { randomBytes } from "node:crypto";
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { MAGIC, type Header, type Trailer } from "../../src/backup/format.ts";
import { makeFrame } from "../../src/backup/frames.ts";
import { verifyBackup } from "../../src/backup/read.ts";
import { engines, temporaryDirectory, type Engine } from "../support/engines.ts";
import { sized } from "../support/length.ts";
import { makeKeyFile } from "../support/rotate-key.ts";
import { startServer } from "../support/server.ts";
import { callerOf } from "../upgrades/caller.ts";
import { query } from "../upgrades/state.ts";
import { contentOf, framesOf } from "./frames.ts";
import { begin, emptyPlace, tessera, type Ended, type Place } from "./command.ts";

let source: Place;
let file: string;
let whole: Buffer;

beforeAll(async () => {
  source = await emptyPlace("sqlite");
  const server = await startServer(source);
  const call = callerOf(server.url);
  for (let number = 0; number < 20; number++) {
    await call("PUT", "/v1/acl/policy", { Name: `p-${number}`, Rules: 'acl = "read"' }, server.token);
  }
  file = join(temporaryDirectory(), "backup");
  expect(await tessera("backup", file, ...source.where)).toMatchObject({ status: 0 });
  expect(await server.stop()).toBe(0);
  whole = readFileSync(file);
});

function changedFile(content: Buffer): string {
  const path = join(temporaryDirectory(), "changed");
  writeFileSync(path, content);
  return path;
}

function expectRefused({ status, stdout, stderr }: Ended, text: string): void {
  expect([status, stdout, stderr]).toEqual([2, "", expect.stringContaining(text)]);
  expect(stderr).toMatch(/^tessera: [^\n]+\n$/);
}

async function expectEmpty({ engine, database }: Place): Promise<void> {
  if (engine === "sqlite") {
    const path = database.slice("sqlite:".length);
    expect([path, `${path}.restoring`].map((each) => existsSync(each))).toEqual([false, false]);
  } else
    expect(await query(database, "select 1 as found where to_regclass('schema_migrations') is not null")).toEqual([]);
}

describe("a backup", () => {
  test("has the mode of a secret, and leaves nothing beside it", () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(file, ".."))).toEqual(["backup"]);
  });

  test("takes the place of an older one and of nothing else: no database, key, device, pipe or link", async () => {
    const folder = temporaryDirectory();
    const place = (name: string) => join(folder, name);
    const database = source.database.slice("sqlite:".length);
    writeFileSync(place("old"), whole.subarray(0, 100));
    writeFileSync(place("empty"), "");
    symlinkSync(place("old"), place("link"));
    spawnSync("mkfifo", [place("pipe")]);
    for (const name of ["old", "empty", "new"]) {
      expect(await tessera("backup", place(name), ...source.where)).toMatchObject({ status: 0, stderr: "" });
      expect((await verifyBackup(bytes(readFileSync(place(name))), "it")).header.engine).toBe("sqlite");
    }
    const before = [readFileSync(database), readFileSync(join(source.dataDir, "master-key"))];
    for (const path of [database, join(source.dataDir, "master-key")])
      expectRefused(await tessera("backup", path, ...source.where), "is not a backup; it is not overwritten");
    expect([readFileSync(database), readFileSync(join(source.dataDir, "master-key"))]).toEqual(before);
    for (const path of [place("link"), place("pipe"), "/dev/null", folder])
      expectRefused(await tessera("backup", path, ...source.where), "and is not overwritten; use a regular file");
    expect(lstatSync(place("pipe")).isFIFO()).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(["empty", "link", "new", "old", "pipe"]);
  });

  test("that differs in any byte from what was written is no backup", async () => {
    const step = sized(97, 1);
    for (let at = 0; at < whole.length; at += step) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
      await expect(verifyBackup(bytes(changed), "it"), String(at)).rejects.toThrow(
        /^it is (?:corrupted|truncated|not a backup)/,
      );
    }
  });

  test("that ends too early, at whichever byte, or has something behind its end, is no backup", async () => {
    for (let length = 0; length < whole.length; length += sized(61, 1)) {
      await expect(verifyBackup(bytes(whole.subarray(0, length)), "it")).rejects.toThrow(
        /^it is (?:truncated|not a backup)/,
      );
    }
    await expect(verifyBackup(bytes(Buffer.concat([whole, Buffer.from([0])])), "it")).rejects.toThrow(
      "it is truncated",
    );
    await expect(verifyBackup(bytes(Buffer.concat([whole, whole.subarray(MAGIC.length)])), "it")).rejects.toThrow(
      "corrupted",
    );
    expect(await verifyBackup(bytes(whole), "it")).toMatchObject({ header: { engine: "sqlite" } });
  });

  test("whose header or trailer is another one, by checksums that are right, is damaged or of another version", async () => {
    const frames = framesOf(whole);
    const [first, last] = [frames[0], frames.at(-1)].map(contentOf) as [Header, Trailer];
    const withHeader = (header: unknown) => [makeFrame("header", JSON.stringify(header)), ...frames.slice(1)];
    const table = (change: object) => ({
      ...first,
      tables: [{ ...first.tables[0], ...change }, ...first.tables.slice(1)],
    });
    const cases: [Buffer[], string | RegExp][] = [
      ...[
        null,
        7,
        [],
        {},
        { format: 1, program: "1" },
        { ...first, format: "1" },
        { ...first, takenAt: "yesterday" },
      ].map((header): [Buffer[], string] => [withHeader(header), "it is corrupted"]),
      [withHeader({ ...first, takenAt: "2026-99-99T00:00:00.000Z" }), "it is corrupted"],
      [withHeader({ ...first, migrations: "none" }), "it is corrupted"],
      [withHeader({ ...first, keyCheck: { id: "a", wrapped: "b" } }), "it is corrupted"],
      [withHeader(table({ columns: ["name", "name"] })), "it is corrupted"],
      [withHeader(table({ columns: undefined })), "it is corrupted"],
      [withHeader(table({ columns: ["name) select 1; --"] })), /^it has a column name\) select 1; -- of the table/],
      [withHeader(table({ name: "sqlite_master" })), "it has a table sqlite_master, which this version does not know"],
      [withHeader({ ...first, migrations: ["9999-later"] }), "it has the migration 9999-later, which this version"],
      ...[null, {}, { ...last, frames: "1" }, { ...last, tables: { tokens: 1 } }].map((trailer): [Buffer[], string] => [
        [...frames.slice(0, -1), makeFrame("trailer", JSON.stringify(trailer))],
        "it is corrupted",
      ]),
    ];
    for (const [changed, text] of cases)
      await expect(verifyBackup(bytes(Buffer.concat([MAGIC, ...changed])), "it")).rejects.toThrow(text);
    const target = await emptyPlace("sqlite", source);
    const before = readdirSync(target.dataDir);
    for (const header of [{}, { ...first, program: "\u001b[2J", migrations: ["\u202e\u001b[31m"] }]) {
      const path = changedFile(Buffer.concat([MAGIC, ...withHeader(header)]));
      for (const command of [["restore"], ["backup", "verify"]]) {
        const ended = await tessera(...command, path, ...target.where);
        expectRefused(ended, path);
        for (const one of ["\u001b", "\u202e"]) expect(ended.stderr).not.toContain(one);
      }
      expect(readdirSync(target.dataDir)).toEqual(before);
    }
  });

  test("of which frames were taken out, or put in another order, is no backup", async () => {
    const frames = framesOf(whole);
    expect(frames.length).toBeGreaterThan(6);
    for (let at = 1; at < frames.length - 2; at++) {
      const without = frames.toSpliced(at, 1);
      await expect(verifyBackup(bytes(Buffer.concat([MAGIC, ...without])), "it")).rejects.toThrow("it is corrupted");
      const twice = frames.toSpliced(at, 0, frames[at] ?? Buffer.alloc(0));
      await expect(verifyBackup(bytes(Buffer.concat([MAGIC, ...twice])), "it")).rejects.toThrow("it is corrupted");
    }
  });
});

async function* bytes(content: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += 1000) yield content.subarray(at, at + 1000);
}

describe.each(engines)("while the master key of %s is being replaced, a backup", (engine: Engine) => {
  test("is restored by either of the two keys, given by a file or a command, and by no other one", async () => {
    const origin = await emptyPlace(engine);
    const server = await startServer(origin);
    expect(await server.stop()).toBe(0);
    const next = makeKeyFile();
    expect(await tessera("rotate-key", "--new-key-file", next.file, ...origin.where)).toMatchObject({ status: 0 });
    const path = join(temporaryDirectory(), "rotating");
    expect(await tessera("backup", path, ...origin.where)).toMatchObject({ status: 0 });
    const old = join(origin.dataDir, "master-key");
    const cases = [
      ["--key-file", old],
      ["--key-file", next.file],
      ["--key-command", `cat ${next.file}`],
    ];
    for (const key of cases) {
      expect(await tessera("backup", "verify", path, ...key)).toMatchObject({ status: 0, stderr: "" });
      const target = await emptyPlace(engine);
      expect(await tessera("restore", path, ...target.where, ...key)).toMatchObject({ status: 0, stderr: "" });
      const restored = await startServer({ ...target, args: key });
      expect(await restored.stop()).toBe(0);
    }
    const other = makeKeyFile();
    expectRefused(
      await tessera("backup", "verify", path, "--key-file", other.file),
      "wrong master key for this database: ",
    );
  });
});

describe.each(engines)("a restore into %s", (engine: Engine) => {
  test("of a file that is damaged, cut, of a newer format or no backup writes nothing", async () => {
    const target = await emptyPlace(engine, source);
    const changed = Buffer.from(whole);
    changed[whole.length - 200] = (changed[whole.length - 200] ?? 0) ^ 1;
    const header = { format: 2, program: "9.0.0", other: 1 };
    const none = join(temporaryDirectory(), "none");
    const cases: [string, string][] = [
      [changedFile(changed), "is corrupted: checksum mismatch"],
      [changedFile(whole.subarray(0, -1)), "is truncated"],
      [
        changedFile(Buffer.concat([MAGIC, makeFrame("header", JSON.stringify(header))])),
        "format 2, written by version 9.0.0",
      ],
      [changedFile(randomBytes(5000)), "is not a backup of Tessera"],
      [none, `cannot read ${none} (ENOENT). Check the path and its permissions`],
    ];
    for (const [path, text] of cases) {
      expectRefused(await tessera("restore", path, ...target.where), text);
      await expectEmpty(target);
    }
    // From a pipe what is wrong is found only at the end: what was loaded until then is gone.
    const pipe = await begin(["restore", "-", ...target.where], ["sh", "-c", `cat '${cases[0]?.[0]}' | "$@"`, "sh"])
      .ended;
    expectRefused(pipe, "standard input is corrupted: checksum mismatch");
    // On PostgreSQL the empty tables stay, which the next restore goes on with.
    if (engine === "sqlite") await expectEmpty(target);
    const after = await tessera("restore", file, ...target.where);
    expect(after).toMatchObject({ status: 0, stderr: "" });
  });

  test("without the master key, or with another one, writes nothing", async () => {
    const without = await emptyPlace(engine);
    expectRefused(
      await tessera("restore", file, ...without.where),
      "not found, but the database contains encrypted secrets. Set --key-file",
    );
    await expectEmpty(without);
    const other = join(temporaryDirectory(), "key");
    writeFileSync(other, randomBytes(32).toString("base64"), { mode: 0o600 });
    expectRefused(
      await tessera("restore", file, ...without.where, "--key-file", other),
      "wrong master key for the database of this backup",
    );
    await expectEmpty(without);
    expectRefused(
      await tessera("backup", "verify", file, "--key-file", other),
      "wrong master key for the database of this backup",
    );
  });

  test("over a database that is there, served or not, is refused and changes nothing", async () => {
    const target = await emptyPlace(engine, source);
    expect(await tessera("restore", file, ...target.where)).toMatchObject({ status: 0 });
    const before = await query(target.database, "select id, name, rules from policies order by id");
    expectRefused(await tessera("restore", file, ...target.where), "is not empty");
    const server = await startServer(target);
    const { status, stderr } = await tessera("restore", file, ...target.where);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/is not empty|another server uses/)]);
    expect(await server.stop()).toBe(0);
    expect(await query(target.database, "select id, name, rules from policies order by id")).toEqual(before);
  });
});

test("a backup of what is no database makes no file", async () => {
  const path = join(temporaryDirectory(), "backup");
  for (const engine of engines) {
    const { status, stderr } = await tessera("backup", path, ...(await emptyPlace(engine, source)).where);
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/^tessera: (?:database [^\n]* not found|the database is empty)[^\n]*\n$/),
    ]);
  }
  const { status, stderr } = await tessera("backup", join(path, "none"), ...source.where);
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining(`cannot read ${path} (ENOENT). Check the path and its permissions`),
  ]);
  expect(existsSync(path)).toBe(false);
});
