import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/engines.ts";
import { sized } from "../../../test/support/length.ts";
import { randomOfRun } from "../../../test/support/seeded.ts";
import { listFacts, openForTest } from "../../../test/support/storage.ts";

const random = randomOfRun();
const ROUNDS = sized(2, 20);
const here = (name: string) => JSON.stringify(pathToFileURL(join(import.meta.dirname, name)).href);

/** Says what is durable, a line each: batches of writes of two facts, of which every fifth is refused behind its first. */
const program = (dataDir: string, round: number) => `
  import { writeSync } from "node:fs";
  const { openDatabase } = await import(${here("../open.ts")});
  const silent = () => undefined;
  const dataDir = ${JSON.stringify(dataDir)};
  const db = await openDatabase({ url: "sqlite:" + dataDir + "/tessera.db", dataDir, onFatal: silent, onWarning: silent });
  const write = async (name, isRefused) => {
    const add = (tx, half) => tx.write(tx.sql.insertInto("meta").values({ name: name + half, value: "", proof: "" }));
    await db.inTransaction({ kind: "root" }, async (tx) => {
      add(tx, " first");
      if (isRefused) add(tx, " first");
      add(tx, " second");
    });
    await new Promise((resolve, reject) => db.whenDurable((error) => (error === undefined ? resolve() : reject(error))));
    writeSync(1, name + "\\n");
  };
  const client = async (id) => {
    for (let i = 0; ; i++) await write("${round}/" + id + "/" + i, i % 5 === 4).catch(silent);
  };
  await Promise.all(Array.from({ length: 24 }, (_, id) => client(id)));
`;

test("kill -9 within batches: what was told is there, each write is whole or not there, and of a refused one nothing is", async () => {
  const dataDir = temporaryDirectory();
  const told: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const file = join(temporaryDirectory(), "program.mjs");
    writeFileSync(file, program(dataDir, round));
    const child = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    const closed = new Promise((resolve) => child.once("close", resolve));
    await expect.poll(() => output.length, { timeout: 30_000 }).toBeGreaterThan(2000);
    await sleep(random() * 30);
    child.kill("SIGKILL");
    await closed;
    // The last line may have been cut.
    told.push(...output.split("\n").slice(0, -1));
  }
  const db = await openForTest(`sqlite:${join(dataDir, "tessera.db")}`, { dataDir });
  const facts = new Set(Object.keys(await listFacts(db)));
  expect(told.length).toBeGreaterThan(100);
  expect(told.filter((name) => !facts.has(`${name} first`) || !facts.has(`${name} second`))).toEqual([]);
  const names = [...facts].filter((name) => / (first|second)$/.test(name));
  const other = (name: string) =>
    name.endsWith("first") ? name.replace("first", "second") : name.replace("second", "first");
  expect(names.filter((name) => !facts.has(other(name)))).toEqual([]);
  expect(names.filter((name) => /\/\d*[49] /.test(name))).toEqual([]);
});
