/**
 * Tests that no index shows a caller changes in places that it may not see, and that such changes wake no waiter; more
 * in `test/wall/indexes.test.ts`.
 */
import { expect, test } from "vitest";
import { forEachEngine } from "../support/engines.ts";
import { makeIn, makeNamespace } from "../support/scopes.ts";
import { NOBODY, useV1 } from "../support/v1.ts";
import { createWaits } from "../support/waits.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const { indexOf, wait, passing } = createWaits(v1);

  test("incident 41: a refused read has index 1, whatever was written where it was asked for", async () => {
    const victim = { namespace: "victim" };
    await makeNamespace(v1, victim);
    await makeIn(v1, victim, "role", { Name: "secret" });
    for (const list of ["policies", "roles", "tokens", "auth-methods", "binding-rules"]) {
      for (const token of ["", NOBODY]) {
        const { status, headers } = await v1.get(`/acl/${list}?ns=victim`, token);
        expect([list, status, headers["x-service-index"]]).toEqual([list, 403, "1"]);
      }
    }
    expect(await indexOf("/acl/roles?ns=victim")).toBeGreaterThan(1);
  });

  test("incident 41: an anonymous wait on all namespaces is not woken by writes in them", async () => {
    await makeNamespace(v1, { namespace: "quiet" });
    const held = await wait("/acl/roles?ns=*", { token: "" });
    await passing("/acl/roles?ns=*", () => makeIn(v1, { namespace: "quiet" }, "role", { Name: "unheard" }));
    expect(held.isOver()).toBe(false);
    const over = await wait("/acl/roles?ns=*", { token: "", since: 1, wait: "100ms" });
    expect((await over.answer).headers["x-service-index"]).toBe("1");
  });
});
