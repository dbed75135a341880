/** The comparison of a move. Moves by the command, between engines and under load, are in test/backup. */
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../../test/support/engines.ts";
import { insertFact, listFacts, openForTest, root } from "../../test/support/storage.ts";
import { type Loading, migrationsOf } from "../storage/operator/loading.ts";
import { openSqliteLoading } from "../storage/sqlite/loading.ts";
import { openSqliteMoving } from "../storage/sqlite/moving.ts";
import { moveDatabase } from "./move.ts";
import { describeSnapshot } from "./write.ts";

/** Moves a database with the facts `a` and `b`. @param lose makes of the lines of `meta` what is stored at the target */
async function moveFacts(lose: (lines: string) => string) {
  const [dataDir, path, target] = [temporaryDirectory(), `${temporaryDirectory()}/from`, `${temporaryDirectory()}/to`];
  const db = await openForTest(`sqlite:${path}`, { dataDir });
  for (const name of ["a", "b"]) {
    await db.inTransaction(root, async (tx) => tx.write(insertFact, { name, value: `of ${name}` }));
  }
  await db.close();
  const moving = await openSqliteMoving(path, { cutover: false });
  const header = await describeSnapshot(moving);
  const whole = openSqliteLoading(target, migrationsOf(header.migrations), () => undefined, header);
  const loading: Loading = {
    ...whole,
    load: (table, columns, lines) => whole.load(table, columns, table === "meta" ? lose(lines) : lines),
  };
  const options = { to: `sqlite:${target}`, now: new Date(), onRows: () => undefined };
  const moved = await moveDatabase(moving, header, loading, options).catch((error: unknown) => error as Error);
  await moving.close();
  const open = (url: string) => openForTest(url, { dataDir });
  return { moved, path, target, source: () => open(`sqlite:${path}`), open };
}

test.each([
  ["a row less", (lines: string) => lines.replace(/^\["b".*\n/m, "")],
  ["a row more", (lines: string) => `${lines}["c","of c",""]\n`],
  ["another value in a row", (lines: string) => lines.replace("of b", "of c")],
])("%s at the target than was sent ends the move: the source goes on, and no server starts there", async (_, lose) => {
  const { moved, target, source } = await moveFacts(lose);
  expect(moved).toMatchObject({
    message: expect.stringMatching(/^table meta differs at the target: .*; nothing was moved$/),
  });
  expect(existsSync(target)).toBe(false);
  const db = await source();
  await db.inTransaction(root, async (tx) => tx.write(insertFact, { name: "after", value: "" }));
  expect(await listFacts(db)).toMatchObject({ a: "of a", b: "of b", after: "" });
});

test("all of it is given to servers at the target, and the source to none", async () => {
  const { moved, target, source, open } = await moveFacts((lines) => lines);
  expect(moved).toMatchObject({ rows: expect.any(Number) });
  expect(await listFacts(await open(`sqlite:${target}`))).toMatchObject({ a: "of a", b: "of b" });
  await expect(source()).rejects.toThrow("was moved to");
});

test("a server that still has the source open makes no write there: neither a transaction's counter nor its lease", async () => {
  const { path } = await moveFacts((lines) => lines);
  const db = new DatabaseSync(path);
  onTestFinished(() => db.close());
  db.exec("insert into leases (name, holder, fence, expires_at) values ('x', '', 1, 0)");
  for (const table of ["counters", "leases"])
    expect(() => db.exec(`update ${table} set name = name`), table).toThrow("the database was moved");
});
