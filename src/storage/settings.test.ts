import { expect, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { inOneTurn } from "../../test/support/one-turn.ts";
import { openForTest, root } from "../../test/support/storage.ts";
import { checkSettings, type StoredSettings } from "./settings.ts";
import { StartError } from "./start-error.ts";

const SETTINGS: StoredSettings = { edition: "enterprise", datacenter: "east", "default-policy": "deny" };

forEachEngine((_engine, makeUrl) => {
  test("of servers that start at once on an empty database those that agree with the first go on, and the others are refused", async () => {
    const db = await openForTest(await makeUrl());
    const start = (given: Partial<StoredSettings>) => () =>
      checkSettings(db, { ...SETTINGS, ...given }).catch((error: unknown) => error);
    // Each has found no settings by the time when the first of them writes its own.
    const outcomes = await inOneTurn(db, root, [start({}), start({ datacenter: "west" }), start({})]);
    expect(outcomes).toEqual([undefined, expect.any(StartError), undefined]);
    expect(String(outcomes[1])).toContain(
      "--datacenter west does not match this database, which was created with east",
    );
  });
});
