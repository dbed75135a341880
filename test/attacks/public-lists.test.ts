import { getHeapStatistics } from "node:v8";
import { expect, test } from "vitest";
import { forEachEngine } from "../support/engines.ts";
import { createSigningKey } from "../support/key-server.ts";
import { makeMethod } from "../support/login.ts";
import { useV1 } from "../support/v1.ts";

/** As long as one may be. */
const CONFIG_BYTES = 350_000;
const METHODS = 100;
/** A quarter of one such list with its configurations. */
const ALLOWED_BYTES = (METHODS * CONFIG_BYTES) / 4;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  test("incident 40: lists of auth methods read no configuration", async () => {
    await makeMethod(v1, createSigningKey("k1"), { Name: "first" });
    const first = await v1.db.sql.selectFrom("auth_methods").selectAll().executeTakeFirstOrThrow();
    for (let number = 1; number <= METHODS; number++) {
      const name = `of-a-tenant-${number}`;
      const copy = { ...first, id: `id-${number}`, name, name_key: name, type: "oidc" };
      await v1.insert("auth_methods", [{ ...copy, config_sealed: String(number).padEnd(CONFIG_BYTES, "x") }]);
    }
    for (const [path, token] of [
      ["/internal/ui/oidc-auth-methods", ""],
      ["/acl/auth-methods", undefined],
    ] as const) {
      const before = allocatedBytes();
      const { status, body } = await v1.get(path, token);
      expect(allocatedBytes() - before).toBeLessThan(ALLOWED_BYTES);
      expect(status).toBe(200);
      expect((body as object[]).length).toBeGreaterThanOrEqual(METHODS);
    }
  });
});

/** Since the process began, also what has been thrown away. */
function allocatedBytes(): number {
  return (getHeapStatistics() as { total_allocated_bytes?: number }).total_allocated_bytes ?? NaN;
}
