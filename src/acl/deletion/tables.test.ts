import { expect, test } from "vitest";
import { countsIn, finishDeletion, tablesWith } from "../../../test/support/deletion.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { useV1 } from "../../../test/support/v1.ts";
import { SCOPED_TABLE_NAMES } from "./store.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  test("the deletion knows every table of the real schema whose rows lie in namespaces, and no other", async () => {
    expect(SCOPED_TABLE_NAMES.toSorted()).toEqual(await tablesWith(v1.db, "namespace"));
    expect(SCOPED_TABLE_NAMES).toEqual(["tokens", "roles", "policies"]);
  });

  test("what lies in a partition lies in one of its namespaces, but for these themselves", async () => {
    expect(await tablesWith(v1.db, "partition")).toEqual(["namespaces", ...SCOPED_TABLE_NAMES].toSorted());
  });

  test("a row of each of them is counted, and when the namespace is gone none is left", async () => {
    const scope = { partition: "default", namespace: "counted" };
    const nothing = Object.fromEntries([...SCOPED_TABLE_NAMES, "table_indexes"].map((table) => [table, 0]));
    expect(await countsIn(v1.db, scope)).toEqual(nothing);
    await v1.put("/namespace", { Name: "counted" });
    await v1.put("/acl/role?ns=counted", { Name: "r" });
    await v1.put("/acl/token?ns=counted", {});
    await v1.put("/acl/token?ns=counted", {});
    expect(await countsIn(v1.db, scope)).toEqual({ policies: 1, roles: 1, tokens: 2, table_indexes: 3 });
    await v1.delete("/namespace/counted");
    await finishDeletion(v1.db);
    expect(await countsIn(v1.db, scope)).toEqual(nothing);
  });
});
