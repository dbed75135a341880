/** The change of a data key after its number of records. */
import { expect, test } from "vitest";
import { forEachEngine, temporaryDirectory } from "../../../test/support/engines.ts";
import type { Database } from "../database.ts";
import { openForTest } from "../../../test/support/storage.ts";

const keyOf = (sealed: string): string => sealed.slice(0, sealed.indexOf("."));

/** Seals secrets `from` to `to`, each for a place of its own. */
async function sealOneByOne({ keyring }: Database, from: number, to: number): Promise<string[]> {
  const sealed: string[] = [];
  for (let number = from; number < to; number++) sealed.push(await keyring.seal(`secret ${number}`, `p/${number}`));
  return sealed;
}

async function expectReadable({ keyring }: Database, sealed: readonly string[]): Promise<void> {
  const read = await Promise.all(sealed.map((text, number) => keyring.open(text, `p/${number}`)));
  expect(read).toEqual(sealed.map((_, number) => `secret ${number}`));
}

/** How many data keys the database holds. */
async function dataKeys(db: Database): Promise<number> {
  const rows = await db.sql.selectFrom("data_keys").select("id").where("purpose", "=", "data").execute();
  return rows.length;
}

forEachEngine((_engine, makeUrl) => {
  test("a data key seals as many records as it may and not one more, and what it sealed stays readable", async () => {
    const db = await openForTest(await makeUrl(), { recordsPerKey: 3 });
    const sealed = await sealOneByOne(db, 0, 7);
    const [first, second, third] = [0, 3, 6].map((number) => keyOf(sealed[number] ?? ""));
    expect(sealed.map(keyOf)).toEqual([first, first, first, second, second, second, third]);
    expect(new Set([first, second, third]).size).toBe(3);
    expect(await dataKeys(db)).toBe(3);
    await expectReadable(db, sealed);
  });

  test("a restart reads what was sealed under every data key, and begins another", async () => {
    const url = await makeUrl();
    const dataDir = temporaryDirectory();
    const before = await openForTest(url, { dataDir, recordsPerKey: 2 });
    const sealed = await sealOneByOne(before, 0, 5);
    await before.close();
    const after = await openForTest(url, { dataDir, recordsPerKey: 2 });
    await expectReadable(after, sealed);
    const more = [...sealed, ...(await sealOneByOne(after, 5, 8))];
    await expectReadable(after, more);
    expect(new Set(more.map(keyOf)).size).toBe(5);
    await after.close();
    // Also where nothing was ever changed.
    await expectReadable(await openForTest(url, { dataDir }), more);
  });

  test("however many are sealed at once, no data key seals more than it may", async () => {
    const db = await openForTest(await makeUrl(), { recordsPerKey: 4 });
    const numbers = Array.from({ length: 30 }, (_, number) => number);
    const sealed = await Promise.all(numbers.map((number) => db.keyring.seal(`secret ${number}`, `p/${number}`)));
    const uses = Map.groupBy(sealed, keyOf);
    expect([...uses.values()].map((each) => each.length)).toEqual([4, 4, 4, 4, 4, 4, 4, 2]);
    expect(await dataKeys(db)).toBe(8);
    await expectReadable(db, sealed);
  });
});
