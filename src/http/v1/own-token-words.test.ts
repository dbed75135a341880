import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { NOBODY, useV1 } from "../../../test/support/v1.ts";

forEachEngine((_engine, makeUrl) => {
  const plain = useV1(makeUrl);
  const v1 = useV1(makeUrl, { config: { ownTokenWords: true } });
  const OWN = "the token of this request is unknown or has expired";

  test("an unknown token is told of in words that no client takes for a missing object; without the option in Consul's", async () => {
    for (const path of [
      "/acl/token/self",
      "/acl/policies",
      `/acl/policy/${NOBODY}`,
      `/acl/token/${NOBODY}`,
      "/namespaces",
    ]) {
      expect(await plain.get(path, NOBODY)).toMatchObject({ status: 403, text: "ACL not found" });
      expect(await v1.get(path, NOBODY)).toMatchObject({ status: 403, text: OWN });
    }
    const writes = [
      await v1.put("/acl/policy", { Name: "a" }, NOBODY),
      await v1.post("/acl/policy/check", { Name: "a" }, NOBODY),
      await v1.delete(`/acl/policy/${NOBODY}`, NOBODY),
    ];
    expect(writes.map(({ text }) => text)).toEqual([OWN, OWN, OWN]);
  });

  test("what is missing is missing in Consul's words, and a token that ends is told of as unknown", async () => {
    for (const path of [`/acl/policy/${NOBODY}`, `/acl/token/${NOBODY}`, `/acl/role/${NOBODY}`])
      expect((await v1.get(path)).text).toMatch(/ACL not found$/);
    const { accessor, secret } = await v1.token();
    expect((await v1.get("/acl/token/self", secret)).status).toBe(200);
    await v1.delete(`/acl/token/${accessor}`);
    expect(await v1.get("/acl/token/self", secret)).toMatchObject({ status: 403, text: OWN });
  });
});
