import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/engines.ts";

const run = promisify(execFile);
const here = (name: string) => JSON.stringify(pathToFileURL(join(import.meta.dirname, name)).href);

/** A process of its own: the failing call is put into every thread of it. */
const program = (dataDir: string, sign: string) => `
  import { readFileSync, writeFileSync } from "node:fs";
  import { setTimeout as sleep } from "node:timers/promises";
  const { openDatabase } = await import(${here("../open.ts")});
  const dataDir = ${JSON.stringify(dataDir)};
  const path = dataDir + "/tessera.db";
  const fatal = [];
  const db = await openDatabase({
    url: "sqlite:" + path, dataDir, onFatal: (error) => fatal.push(error.code), onWarning: () => undefined,
  });
  const add = (name) =>
    db.inTransaction({ kind: "root" }, async (tx) => tx.write(tx.sql.insertInto("meta").values({ name, value: "", proof: "" })));
  const durable = () => new Promise((resolve) => db.whenDurable((error) => resolve(error?.code ?? "durable")));
  await add("marker-of-the-first");
  const first = await durable();
  // Right after a checkpoint, so that the next one is far away.
  while (!readFileSync(path).includes("marker-of-the-first")) await sleep(5);
  writeFileSync(${JSON.stringify(sign)}, "");
  await add("marker-of-the-second");
  const second = await durable();
  const third = await add("third").catch((error) => error.code);
  const read = (await db.sql.selectFrom("meta").select("name").execute()).length;
  // Several times as long as from one checkpoint to the next.
  await sleep(1000);
  await db.close();
  console.log(JSON.stringify({ first, second, third, read, fatal }));
  process.exit(0);
`;

test("after a failed sync nothing is written any more, and what is in the log stays out of the file, also at the end", async () => {
  const dataDir = temporaryDirectory();
  const sign = join(temporaryDirectory(), "sign");
  const file = join(temporaryDirectory(), "program.mjs");
  writeFileSync(file, program(dataDir, sign));
  const module = pathToFileURL(join(import.meta.dirname, "../../../test/faults/failing-wal-sync.ts")).href;
  const env = { ...process.env, NODE_OPTIONS: `--import=${module}`, LOG_SYNC_FAILS_WHEN: sign };
  const { stdout } = await run(process.execPath, [file], { env });
  expect(JSON.parse(stdout)).toEqual({
    first: "durable",
    second: "outcome_unknown",
    third: "unavailable",
    read: 2,
    fatal: ["outcome_unknown"],
  });
  const path = join(dataDir, "tessera.db");
  expect(existsSync(`${path}-wal`)).toBe(true);
  expect(readFileSync(`${path}-wal`).includes("marker-of-the-second")).toBe(true);
  expect(readFileSync(path).includes("marker-of-the-second")).toBe(false);
});
