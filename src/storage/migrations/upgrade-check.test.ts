import { expect, onTestFinished, test } from "vitest";
import { forEachEngine, temporaryDirectory } from "../../../test/support/engines.ts";
import { useV1 } from "../../../test/support/v1.ts";
import { MIGRATIONS } from "./migrate.ts";
import { openReader } from "../operator/read-only.ts";
import { checkSettings } from "../settings.ts";
import { checkUpgrade } from "./upgrade-check.ts";

const SETTINGS = { edition: "enterprise", datacenter: "dc1", "default-policy": "deny" };
const NAMES = MIGRATIONS.map(({ name }) => name);

forEachEngine((engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const readerOf = async (url: string) => {
    const opened = await openReader({ url, dataDir: temporaryDirectory(), onWarning: () => undefined });
    onTestFinished(() => opened.close());
    return opened.db;
  };

  test("a database of this version has nothing before it", async () => {
    const found = await checkUpgrade(await readerOf(v1.url), SETTINGS);
    expect(found).toEqual({ applied: NAMES.toSorted(), now: [], left: [], newer: [] });
  });

  test("of an older one it says what a start applies and what waits, and changes nothing", async () => {
    const missing = NAMES.filter((name) => name >= "0009");
    const db = await readerOf(v1.url);
    await v1.write((sql) => sql.deleteFrom("schema_migrations" as "meta").where("name", "in", missing));
    for (const _twice of [1, 2]) {
      const { applied, now, left } = await checkUpgrade(db, SETTINGS);
      expect(applied).toEqual(NAMES.filter((name) => name < "0009").toSorted());
      expect([...now, ...left]).toEqual(missing);
      expect(left).toEqual(["0016-proofs-only", "0017-no-triggers"]);
    }
  });

  test("options that the servers of the database do not agree with are refused as at a start", async () => {
    await checkSettings(v1.db, SETTINGS);
    const db = await readerOf(v1.url);
    await expect(checkUpgrade(db, { ...SETTINGS, datacenter: "dc2" })).rejects.toThrow(
      "--datacenter dc2 does not match this database, which was created with dc1. Set --datacenter dc1",
    );
  });

  test("what is no database of the product is told so, and stays as it is", async () => {
    const url = await makeUrl(true);
    const asked = async () => checkUpgrade(await readerOf(url), SETTINGS);
    await expect(asked()).rejects.toThrow(
      engine === "sqlite"
        ? /^database .* not found\. Check /
        : "the database is not a Tessera database. Check --database and --data-dir",
    );
  });
});
