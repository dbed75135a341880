import { expect, test } from "vitest";
import { countsIn, finishDeletion, NO_ROWS, tablesWith } from "../../../test/support/deletion.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import {
  contentOf,
  loginIn,
  makeIn,
  makeMethodIn,
  makeNamespace,
  makePartition,
} from "../../../test/support/scopes.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";
import { SCOPED_TABLE_NAMES } from "./store.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  test("the deletion knows every table of the real schema whose rows lie in namespaces, and no other", async () => {
    expect(SCOPED_TABLE_NAMES.toSorted()).toEqual(await tablesWith(v1.db, "namespace"));
    const wanted = [
      "tokens",
      "token_revocations",
      "binding_rules",
      "auth_methods",
      "idempotency_keys",
      "decision_mappings",
      "roles",
      "policies",
      "declarations",
      "use_rows",
      "trash",
      "views",
      "deleted_links",
    ];
    expect(SCOPED_TABLE_NAMES).toEqual(wanted);
  });

  test("what lies in a partition lies in one of its namespaces, but for these and what is known of deleted methods", async () => {
    const others = ["deleted_methods", "namespaces"];
    expect(await tablesWith(v1.db, "partition")).toEqual([...others, ...SCOPED_TABLE_NAMES].toSorted());
  });

  test("a row of each of them is counted, and when the namespace is gone none is left", async () => {
    const scope = { partition: "default", namespace: "counted" };
    expect(await countsIn(v1.db, scope)).toEqual(NO_ROWS);
    await makeNamespace(v1, scope);
    await makeIn(v1, scope, "role", { Name: "r" });
    const gone = await makeIn(v1, scope, "role", { Name: "gone" });
    await v1.delete(`/acl/role/${gone.ID}?ns=counted`);
    const { SecretID } = await makeIn(v1, scope, "token", { ServiceIdentities: [{ ServiceName: "web" }] });
    const question = { Resource: "service", Access: "write", Segment: "web" };
    await v1.post("/internal/acl/authorize?ns=counted", [question], SecretID as string);
    await makeMethodIn(v1, scope);
    await makeIn(v1, scope, "binding-rule", {});
    const headers = { "x-service-token": MANAGEMENT, "idempotency-key": "once" };
    const url = "/v1/acl/binding-rule?ns=counted";
    await v1.send({ method: "PUT", url, headers, payload: JSON.stringify(contentOf("binding-rule")) });
    await loginIn(v1, scope);
    expect((await v1.post("/acl/tokens/revoke?ns=counted", { Description: "nothing" })).status).toBe(200);
    expect((await v1.put("/acl/declaration?ns=counted", { Name: "d" })).status).toBe(200);
    expect((await v1.put("/acl/view?ns=counted", { Name: "v", List: "roles", Shared: true })).status).toBe(200);
    await v1.flushUses();
    await v1.write((db) => db.insertInto("use_gaps").values({ place: "default/counted", day: 1 }));
    const objects = {
      use_rows: 1,
      // Only the namespace `default` has them.
      decision_mappings: 0,
      declarations: 1,
      token_revocations: 1,
      policies: 1,
      roles: 1,
      tokens: 2,
      auth_methods: 1,
      binding_rules: 2,
      idempotency_keys: 1,
      views: 1,
    };
    expect(await countsIn(v1.db, scope)).toEqual({ ...objects, deleted_links: 1, trash: 1, table_indexes: 7 });
    await v1.delete("/namespace/counted");
    await finishDeletion(v1.db);
    expect(await countsIn(v1.db, scope)).toEqual(NO_ROWS);
    expect(await v1.db.sql.selectFrom("deleted_methods").selectAll().execute()).toEqual([]);
    expect(await v1.db.sql.selectFrom("use_gaps").selectAll().execute()).toEqual([]);
  });

  test("what was deleted in the first namespace of a partition is forgotten with the partition", async () => {
    const scope = { partition: "gone", namespace: "default" };
    await makePartition(v1, scope.partition);
    for (const Name of ["one", "two"]) {
      const { ID } = await makeIn(v1, scope, "role", { Name });
      if (Name === "one") await v1.delete(`/acl/role/${ID}?partition=gone`);
    }
    expect(await countsIn(v1.db, scope)).toMatchObject({ roles: 1, deleted_links: 1 });
    await v1.delete("/partition/gone");
    await finishDeletion(v1.db);
    expect(await countsIn(v1.db, scope)).toMatchObject({ roles: 0, deleted_links: 0 });
    expect((await v1.get("/partition/gone")).status).toBe(404);
  });
});
