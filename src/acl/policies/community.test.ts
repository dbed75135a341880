import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { useV1 } from "../../../test/support/v1.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { edition: "community" } });

  test("blocks of namespaces and partitions mean nothing in the community edition, whatever they hold", async () => {
    const rules = `namespace "x" { policy = "zz" }\npartition "x" { policy = 5 }\nacl = "read"`;
    const secret = await v1.tokenWith(rules);
    expect((await v1.get("/acl/policies", secret)).status).toBe(200);
    expect((await v1.put("/acl/policy", { Name: "refused" }, secret)).status).toBe(403);
  });
});
