import { execFile } from "node:child_process";
import { existsSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/engines.ts";
import { insertFact, listFacts, openForTest, root } from "../../../test/support/storage.ts";
import { StartError } from "../start-error.ts";

const run = promisify(execFile);

/** Opens the database in another process and prints what came of it. */
async function openElsewhere(path: string, dataDir: string): Promise<string> {
  const module = pathToFileURL(join(import.meta.dirname, "../open.ts")).href;
  const program = `
    const { openDatabase } = await import(${JSON.stringify(module)});
    const silent = () => undefined;
    const options = { url: ${JSON.stringify(`sqlite:${path}`)}, dataDir: ${JSON.stringify(dataDir)} };
    try {
      const db = await openDatabase({ ...options, onFatal: silent, onWarning: silent });
      await db.close();
      console.log("opened");
    } catch (error) {
      console.log(error.name + ": " + error.message);
    }`;
  // From a file: the threads inherit the flags that a program on the command line needs.
  const file = join(temporaryDirectory(), "open.mjs");
  writeFileSync(file, program);
  const { stdout } = await run(process.execPath, [file]);
  return stdout.trim();
}

test("a second process is refused while the first has the database open, and let in afterwards", async () => {
  const dataDir = temporaryDirectory();
  const path = join(dataDir, "tessera.db");
  const db = await openForTest(`sqlite:${path}`, { dataDir });
  expect(await openElsewhere(path, dataDir)).toMatch(/^StartError: another server uses .*tessera\.db \(/);
  await db.inTransaction(root, async (tx) => tx.write(insertFact, { name: "still", value: "works" }));
  expect(await listFacts(db)).toEqual({ still: "works" });
  await db.close();
  expect(await openElsewhere(path, dataDir)).toBe("opened");
});

test("a second opening in the same process is refused, and does not take the lock from the first", async () => {
  const dataDir = temporaryDirectory();
  const path = join(dataDir, "tessera.db");
  await openForTest(`sqlite:${path}`, { dataDir });
  await expect(openForTest(`sqlite:${path}`, { dataDir })).rejects.toThrow(StartError);
  expect(await openElsewhere(path, dataDir)).toMatch(/^StartError/);
});

test("a link in the place of the lock is refused, and nothing is made where it leads", async () => {
  const dataDir = temporaryDirectory();
  const elsewhere = join(temporaryDirectory(), "victim");
  symlinkSync(elsewhere, join(dataDir, "tessera.db.lock"));
  await expect(openForTest(`sqlite:${join(dataDir, "tessera.db")}`, { dataDir })).rejects.toThrow(StartError);
  expect(existsSync(elsewhere)).toBe(false);
});

test("a database that could not be opened leaves no lock behind", async () => {
  const dataDir = temporaryDirectory();
  const path = join(dataDir, "tessera.db");
  await expect(openForTest(`sqlite:${path}`, { dataDir, keyFile: join(dataDir, "none") })).rejects.toThrow(StartError);
  await openForTest(`sqlite:${path}`, { dataDir });
});

test("every file of the database is readable by its owner only", async () => {
  const dataDir = join(temporaryDirectory(), "data");
  const db = await openForTest(`sqlite:${join(dataDir, "tessera.db")}`, { dataDir });
  await db.inTransaction(root, async (tx) => tx.write(insertFact, { name: "a", value: "" }));
  const files = readdirSync(dataDir);
  expect(files).toEqual(expect.arrayContaining(["master-key", "tessera.db", "tessera.db-wal", "tessera.db.lock"]));
  for (const name of files) expect([name, statSync(join(dataDir, name)).mode & 0o777]).toEqual([name, 0o600]);
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
});

test("the runtime's SQLite is one that does not corrupt a log when it is reset", () => {
  const [major = 0, minor = 0, patch = 0] = (process.versions.sqlite ?? "").split(".").map(Number);
  expect(major * 1e6 + minor * 1e3 + patch).toBeGreaterThanOrEqual(3_051_003);
});

test("a long read that comes after the close is refused, and is no sign of a lost file", async () => {
  const dataDir = temporaryDirectory();
  const path = join(dataDir, "tessera.db");
  const fatal: Error[] = [];
  const db = await openForTest(`sqlite:${path}`, { dataDir, onFatal: (error) => void fatal.push(error) });
  await db.close();
  for (const end of ["", "-wal"]) rmSync(`${path}${end}`, { force: true });
  await expect(listFacts(db.long)).rejects.toThrow("The database is closed");
  expect(fatal).toEqual([]);
});
