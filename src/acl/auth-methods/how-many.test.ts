import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { makeMethod } from "../../../test/support/login.ts";
import { jwtConfig } from "../../../test/support/method-configs.ts";
import { makeNamespace } from "../../../test/support/scopes.ts";
import { useV1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");
const Config = jwtConfig(key);

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { maxAuthMethods: 2 } });

  test("a namespace holds so many auth methods and no more, also when they are made at once", async () => {
    await makeNamespace(v1, { namespace: "team" });
    await makeMethod(v1, key, { Name: "one" });
    const made = await Promise.all(
      ["two", "three", "four"].map((Name) => v1.put("/acl/auth-method", { Name, Type: "jwt", Config })),
    );
    expect(made.filter(({ status }) => status === 403)).toHaveLength(2);
    expect(made.find(({ status }) => status === 403)?.text).toBe(
      "Limit reached: at most 2 auth methods per namespace (--max-auth-methods)",
    );
    // Another namespace has room of its own, and what is there can be changed and makes room when it goes.
    await makeMethod(v1, key, { Name: "three" }, "?ns=team");
    expect((await v1.put("/acl/auth-method/one", { Type: "jwt", Config, Description: "d" })).status).toBe(200);
    expect((await v1.delete("/acl/auth-method/one")).status).toBe(200);
    await makeMethod(v1, key, { Name: "five" });
  });
});
