import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, test } from "vitest";
import { temporaryDirectory } from "../support/engines.ts";
import { startServer } from "../support/server.ts";
import { refusedStart } from "./refused-start.ts";

const PAGE = 4096;
let sound = "";

// A data directory that a server has used and left in order.
beforeAll(async () => {
  sound = join(temporaryDirectory(), "sound");
  const server = await startServer({ dataDir: sound });
  expect(await server.stop()).toBe(0);
  const db = new DatabaseSync(join(sound, "tessera.db"));
  db.exec("pragma wal_checkpoint(truncate)");
  db.close();
});

/** A copy of the data directory with some harm done to it. */
function harmed(harm: (dataDir: string, database: string) => void): string {
  const dataDir = join(temporaryDirectory(), "data");
  cpSync(sound, dataDir, { recursive: true });
  harm(dataDir, join(dataDir, "tessera.db"));
  return dataDir;
}

/** Overwrites a part of a file. */
function overwrite(file: string, at: number, change: (bytes: Buffer) => void, length: number): void {
  const bytes = readFileSync(file);
  change(bytes.subarray(at, at + length));
  writeFileSync(file, bytes);
}

describe("incident 52: a start says in one line what is wrong and where", () => {
  // Pages that are read when the database is opened, when the first tokens are looked for, and later.
  test.each([1, 11, 36, 61])("five zeroed pages, from page %i on", async (page) => {
    const dataDir = harmed((_, file) => overwrite(file, page * PAGE, (bytes) => bytes.fill(0), 5 * PAGE));
    const { code, lines } = await refusedStart({ dataDir });
    expect(code).toBe(2);
    expect(lines).toEqual([
      expect.stringMatching(/^tessera: the database \S+tessera\.db is corrupted \(.+\)\. Restore a backup/),
    ]);
  });

  const plain = /^tessera: (.*)$/;
  const cases: [string, (dataDir: string, file: string) => void, RegExp][] = [
    [
      "a malformed file",
      (_, file) => writeFileSync(file, "no database".repeat(1000)),
      /tessera\.db is corrupted \(file is/,
    ],
    ["a cut file", (_, file) => truncateSync(file, 20 * PAGE), /tessera\.db is corrupted/],
    ["a file cut within a page", (_, file) => truncateSync(file, 20 * PAGE + 100), /tessera\.db is corrupted/],
    [
      "a log without its database",
      (_, file) => renameSync(file, `${file}-wal`),
      /tessera\.db is missing, but .*-wal exists/,
    ],
    [
      "a directory in the place of the database",
      (_, file) => {
        rmSync(file);
        mkdirSync(file);
      },
      /tessera\.db is a directory/,
    ],
    ["a log that is a directory", (_, file) => mkdirSync(`${file}-wal`), /tessera\.db-wal is a directory/],
    [
      "a lock that is none",
      (_, file) => writeFileSync(`${file}.lock`, Buffer.alloc(8192, 7)),
      /cannot lock [^\n]*\.lock /,
    ],
    ["no master key", (dataDir) => rmSync(join(dataDir, "master-key")), /master key \S+ not found/],
    [
      "a master key of the wrong size",
      (dataDir) => writeFileSync(join(dataDir, "master-key"), "c2hvcnQ=\n"),
      /master-key does not contain a master key: expected 32 bytes/,
    ],
    [
      "a directory in the place of the master key",
      (dataDir) => {
        rmSync(join(dataDir, "master-key"));
        mkdirSync(join(dataDir, "master-key"));
      },
      /master-key is a directory/,
    ],
  ];
  test.each(cases)("%s", async (_name, harm, expected) => {
    const { code, lines } = await refusedStart({ dataDir: harmed(harm) });
    expect(code).toBe(2);
    expect(lines).toEqual([expect.stringMatching(plain)]);
    expect(lines[0]).toMatch(expected);
  });

  test("a management-token that is a directory", async () => {
    const dataDir = join(temporaryDirectory(), "data");
    mkdirSync(join(dataDir, "management-token"), { recursive: true });
    const { code, lines } = await refusedStart({ dataDir });
    expect(code).toBe(2);
    expect(lines).toEqual([expect.stringMatching(/^tessera: \S+management-token is a directory/)]);
    // The token made by the failed start is not lost: once the directory is removed, the token's file gets its name.
    rmSync(join(dataDir, "management-token"), { recursive: true });
    const server = await startServer({ dataDir });
    expect(server.token).not.toBe("");
    await server.stop();
  });
});

test("incident 53: a file that fails its check is not served, wherever the damage lies", async () => {
  const pages = Math.floor(readFileSync(join(sound, "tessera.db")).length / PAGE);
  // The head of a page says what it holds: eight flipped bits there are damage that a check must see.
  for (let page = 5; page < pages; page += Math.ceil(pages / 4)) {
    const dataDir = harmed((_, file) =>
      overwrite(file, page * PAGE, (bytes) => (bytes[0] = (bytes[0] ?? 0) ^ 0xff), 1),
    );
    const { code, lines } = await refusedStart({ dataDir });
    expect([page, code]).toEqual([page, 2]);
    expect(lines).toEqual([expect.stringMatching(/^tessera: the database \S+ is corrupted/)]);
  }
});

describe("incident 54: a database that is gone is no first start", () => {
  const gone: [string, (file: string) => void][] = [
    ["missing", (file) => rmSync(file)],
    ["empty", (file) => truncateSync(file, 0)],
  ];
  test.each(gone)(
    "%s: refused beside a master key that was used, and begun anew only when asked for",
    async (_name, lose) => {
      const dataDir = harmed((_dataDir, file) => lose(file));
      const { code, lines } = await refusedStart({ dataDir });
      expect(code).toBe(2);
      expect(lines).toEqual([
        expect.stringMatching(
          /^tessera: the database is missing or empty, but the master key \S+ belongs to an earlier database.*--allow-empty-database/,
        ),
      ]);
      const server = await startServer({ dataDir, args: ["--allow-empty-database"] });
      // Said just after the address was written.
      await expect.poll(() => server.stderr).toContain("The first management token is in");
      await expect.poll(() => server.stdout).toContain("because --allow-empty-database is set");
      expect(await server.stop()).toBe(0);
      // Not empty any more.
      expect(await (await startServer({ dataDir })).stop()).toBe(0);
    },
  );

  test("the key may lie elsewhere, and the whole data directory be lost", async () => {
    const keyFile = join(temporaryDirectory(), "key");
    writeFileSync(keyFile, `${Buffer.alloc(32, 7).toString("base64")}\n`, { mode: 0o600 });
    const args = ["--key-file", keyFile];
    const dataDir = join(temporaryDirectory(), "data");
    await (await startServer({ dataDir, args })).stop();
    rmSync(dataDir, { recursive: true });
    const { code, lines } = await refusedStart({ dataDir, args });
    expect([code, lines.length]).toEqual([2, 1]);
    expect(lines[0]).toContain(keyFile);
  });
});
