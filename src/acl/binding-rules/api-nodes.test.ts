/** Two servers, each a process of its own, on one PostgreSQL: a rule is written and repeated on whichever is asked. */
import { afterEach, expect, test } from "vitest";
import { makeDatabaseUrl } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import type { RunningServer } from "../../../test/support/server.ts";
import { ask, startTwo, stopAll } from "../../../test/support/two-nodes.ts";

afterEach(stopAll);

const key = createSigningKey("k1");

test("incident 22: one creation under a key, and one form of a method, whichever server is asked", async () => {
  const { first, second, token } = await startTwo(await makeDatabaseUrl("postgres"), ["--feed", "poll"]);
  const method = (claim: string) =>
    ask(first, token, "PUT", "/acl/auth-method", {
      Name: "jwt",
      Type: "jwt",
      Config: { JWTValidationPubKeys: [key.publicKey], ClaimMappings: { [claim]: claim } },
    });
  expect((await method("team")).status).toBe(200);

  const create = async (server: RunningServer, idempotencyKey: string) => {
    const answer = await fetch(`${server.url}/v1/acl/binding-rule`, {
      method: "PUT",
      headers: { "x-consul-token": token, "idempotency-key": idempotencyKey },
      body: JSON.stringify({ AuthMethod: "jwt", BindType: "service", BindName: "web" }),
    });
    return { status: answer.status, text: await answer.text() };
  };
  for (let round = 0; round < 10; round++) {
    const servers = Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? first : second));
    const answers = await Promise.all(servers.map((server) => create(server, `k${round}`)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  }
  const list = await ask(second, token, "GET", "/acl/binding-rules");
  expect((JSON.parse(list.text) as object[]).length).toBe(10);

  for (const [claim, other] of [
    ["org", "team"],
    ["team", "org"],
  ] as const) {
    expect((await method(claim)).status).toBe(200);
    const rule = (name: string) => ({ AuthMethod: "jwt", BindType: "service", BindName: `x-\${value.${name}}` });
    // At once, on the server that did not make the change.
    expect((await ask(second, token, "PUT", "/acl/binding-rule", rule(other))).text).toContain("unknown variable");
    const made = await ask(second, token, "PUT", "/acl/binding-rule", rule(claim));
    expect(made.status, made.text).toBe(200);
    const path = `/acl/binding-rule/${String(made.body["ID"])}`;
    const index = String(made.body["ModifyIndex"]);
    const both = await Promise.all(
      [first, second].map((server) => ask(server, token, "PATCH", `${path}?cas=${index}`, { Description: "d" })),
    );
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  }
});
