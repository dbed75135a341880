/** Tests lookups of a token's holder by AccessorID, for work that outlives the request that started it. */
import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { NOBODY, useV1 } from "../../../test/support/v1.ts";
import { authorize } from "../../rights/authorize.ts";
import { createAccessorResolver } from "./resolve.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const options = { nodeName: "test", datacenter: "dc1", defaultPolicy: "deny", edition: "enterprise" } as const;

  test("it may do what the token may do at that time, and nobody has one that was deleted, was disabled or has expired", async () => {
    const resolve = createAccessorResolver(v1.db, options, v1.now);
    const policy = await v1.policy('organization "acme" { policy = "write" }');
    const { accessor } = await v1.token({ Policies: [{ ID: policy }], ExpirationTTL: "1h" });
    const mayWrite = async () => {
      const actor = await resolve(accessor);
      return actor && authorize(actor, "organization", "acme", "write");
    };
    expect(await mayWrite()).toBe(true);
    await v1.put(`/acl/policy/${policy}`, { Name: v1.unique("p"), Rules: 'organization "acme" { policy = "read" }' });
    await expect.poll(mayWrite).toBe(false);
    v1.setNow(Date.now() + 3_700_000);
    expect(await resolve(accessor)).toBeUndefined();
    v1.setNow(undefined);
    expect(await resolve(accessor)).toMatchObject({ accessorId: accessor });
    await v1.put(`/acl/token/${accessor}/disable`);
    await expect.poll(async () => resolve(accessor)).toBeUndefined();
    await v1.put(`/acl/token/${accessor}/enable`);
    await expect.poll(async () => resolve(accessor)).toMatchObject({ accessorId: accessor });
    await v1.delete(`/acl/token/${accessor}`);
    await expect.poll(async () => resolve(accessor)).toBeUndefined();
    expect(await resolve(NOBODY)).toBeUndefined();
  });

  test("a secret is no AccessorID, also when it was asked for as one before", async () => {
    const resolve = createAccessorResolver(v1.db, options, v1.now);
    const { accessor, secret } = await v1.token();
    expect(await resolve(secret)).toBeUndefined();
    expect(await resolve(accessor)).toMatchObject({ accessorId: accessor });
    expect((await v1.get("/acl/token/self", accessor)).status).toBe(403);
  });
});
