/** Rights that name thousands of places: a list costs by its rows, and not by rows times the square of the ranges. */
import { expect, test } from "vitest";
import { forEachEngine } from "../support/engines.ts";
import { useV1 } from "../support/v1.ts";

const NAMESPACES = 150;
const RANGES = 4000;
/** Limit of processor time for each list: one list took over a minute. */
const MOST_SECONDS = 10;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  test("a tenant whose rights name thousands of places is answered, and holds up nobody", async () => {
    for (let count = 0; count < NAMESPACES; count++) await v1.put("/namespace", { Name: `zz-${count}` });
    const blocks = Array.from(
      { length: RANGES },
      (_, i) => `namespace_prefix "${String(i).padStart(5, "0")}" { acl = "read" }`,
    );
    const rules = [...blocks, 'namespace "zz-7" { acl = "read" }'].join("\n");
    const policy = await v1.policy(rules, v1.unique("wide"));
    const { SecretID } = (await v1.put("/acl/token", { Policies: [{ ID: policy }] })).body as { SecretID: string };
    for (const list of ["/namespaces", "/acl/roles?ns=*", "/acl/tokens?ns=*"]) {
      const before = process.cpuUsage();
      expect(await v1.get(list, SecretID)).toMatchObject({ status: 200 });
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1e6, list).toBeLessThan(MOST_SECONDS);
    }
  });
});
