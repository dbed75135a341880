import { copyFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/engines.ts";
import { findFact, insertFact, listFacts, openForTest, root } from "../../../test/support/storage.ts";
import type { Database } from "../database.ts";
import { untilDurable } from "../writes/durable.ts";
import { createCommitBoard } from "./commit-board.ts";
import { openConnection } from "./connection.ts";
import { openFollower } from "./open-follower.ts";

const write = (db: Database, name: string) =>
  db.inTransaction(root, async (tx) => tx.write(insertFact, { name, value: "" }));

async function open() {
  const path = join(temporaryDirectory(), "tessera.db");
  const warnings: string[] = [];
  const db = await openForTest(`sqlite:${path}`, { onWarning: (message) => warnings.push(message) });
  const follow = () => {
    const followed = db.follow?.(() => undefined);
    if (followed === undefined) throw new Error("the embedded database can be followed");
    return openFollower({ path, following: followed.following, longLimit: 4, onWarning: () => undefined });
  };
  return { path, db, follow, warnings };
}

test("a follower reads what is committed, and waits with its answer until that is on disk", async () => {
  const { db, follow } = await open();
  const follower = follow();
  onTestFinished(() => follower.close());
  for (let round = 0; round < 50; round++) {
    const name = `fact ${round}`;
    await write(db, name);
    // In one turn with the commit, whose sync has begun and cannot be over for those that wait for it.
    const order: string[] = [];
    db.whenDurable(() => order.push("writer"));
    follower.whenDurable(() => order.push("follower"));
    expect(order.includes("follower")).toBe(false);
    expect(await follower.run(findFact, { name })).toHaveLength(1);
    await untilDurable(follower);
    expect(order[0]).toBe("writer");
  }
  expect(Object.keys(await listFacts(follower.long))).toHaveLength(50);
  await expect(follower.inTransaction(root, () => Promise.resolve())).rejects.toThrow("only reads");
});

test("what a turn has begun to read is read anew in it when somebody has shown a later commit", async () => {
  const path = join(temporaryDirectory(), "tessera.db");
  await (await openForTest(`sqlite:${path}`)).close();
  const writer = openConnection(path, "write");
  const board = createCommitBoard(() => undefined);
  const { following } = board.follow(() => undefined);
  const follower = openFollower({ path, following, longLimit: 4, onWarning: () => undefined });
  onTestFinished(async () => {
    await follower.close();
    writer.close();
  });
  follower.catchUp();
  for (let round = 1; round <= 3; round++) {
    const name = `fact ${round}`;
    expect(await follower.run(findFact, { name })).toEqual([]);
    board.begin();
    writer.all("insert into meta (name, value, proof) values (?, '', '')", [name]);
    if (round === 2)
      board.note([{ table: "policies", namespace: "default", partition: "default", key: "k", index: 2 }]);
    expect(await follower.run(findFact, { name })).toEqual([]);
    board.settle(board.begun());
    follower.catchUp();
    expect(await follower.run(findFact, { name })).toHaveLength(1);
  }
});

test("a follower opens no other file than the one that is written, also not for long reads", async () => {
  const { path, db, follow, warnings } = await open();
  await write(db, "kept");
  await untilDurable(db);
  const follower = follow();
  onTestFinished(() => follower.close());
  const aside = `${path}.aside`;
  renameSync(path, aside);
  copyFileSync(aside, path);
  expect(() => follow()).toThrow(
    `cannot open the database ${path}: ${path} was replaced by another file while the server was running`,
  );
  await expect(listFacts(follower.long)).rejects.toThrow("The database file was moved or deleted");
  await expect.poll(() => warnings.join("\n")).toContain("was replaced by another file while the server was running");
  await expect(db.ping()).rejects.toThrow("The database file was moved or deleted");
});
