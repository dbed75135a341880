/** Rights that name thousands of places: a list costs by its rows, and not by rows times the square of the ranges. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { forEachEngine } from "../support/engines.ts";
import { useV1 } from "../support/v1.ts";

const NAMESPACES = 150;
const RANGES = 4000;
/** One such list took over a minute; busy machines are slow. */
const MOST_MS = 10_000;

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
      const late = sleep(MOST_MS, "late", { ref: false });
      expect(await Promise.race([v1.get(list, SecretID), late])).toMatchObject({ status: 200 });
    }
  });
});
