import { expect, test } from "vitest";
import { writeChanges } from "../../../test/support/changes.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { makeOrganization, openForTest } from "../../../test/support/storage.ts";
import { createChangePages } from "./pages.ts";

forEachEngine((_engine, makeUrl) => {
  test("who is at the same place shares a page, and who is elsewhere is given what comes behind that", async () => {
    const db = await openForTest(await makeUrl());
    for (const id of ["mine", "other"]) {
      await makeOrganization(db, id);
      await writeChanges(db, id, [{ name: `${id}-a` }, { name: `${id}-b` }]);
    }
    const pages = createChangePages();
    const next = (after: number, id = "mine", state = "as it was") => pages.next(db, id, after, state);
    const [first] = (await next(0))?.changes ?? [];
    const asked = [next(0), next(first?.position ?? 0), next(0, "other"), next(0)];
    expect(asked[3]).toBe(asked[0]);
    const names = (await Promise.all(asked)).map((page) => page?.changes.map(({ name }) => name));
    expect(names.slice(0, 3)).toEqual([["mine-a", "mine-b"], ["mine-b"], ["other-a", "other-b"]]);
    await writeChanges(db, "mine", [{ name: "mine-c" }]);
    expect((await next(0, "mine", "as it is now"))?.changes).toHaveLength(3);
  });
});
