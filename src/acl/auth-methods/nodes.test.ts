/** Two servers, each a process of its own, on one PostgreSQL: what one changes of an auth method counts on the other. */
import { afterEach, describe, expect, test } from "vitest";
import { makeDatabaseUrl } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { bearer } from "../../../test/support/login.ts";
import { jwtConfig } from "../../../test/support/method-configs.ts";
import { ask, startTwo, stopAll } from "../../../test/support/two-nodes.ts";

afterEach(stopAll);

const [key, other] = [createSigningKey("k1"), createSigningKey("k2")];
const POLL = { timeout: 60_000, interval: 10 };

describe.each([["notify"], ["poll"]])("with --feed %s", (feed) => {
  test("incident 22: a new key, a deletion and a new method of the name count on the other server", async () => {
    const { first, second, token: root } = await startTwo(await makeDatabaseUrl("postgres"), ["--feed", feed]);
    const change = async (method: string, path: string, body?: object) => {
      const answer = await ask(first, root, method, path, body);
      expect(answer.status, answer.text).toBe(200);
      return answer.body as { ID: string };
    };
    const logIn = async (server: typeof first, by: typeof key) => {
      const answer = await ask(server, "", "POST", "/acl/login", {
        AuthMethod: "shared",
        BearerToken: bearer(by, { team: "a" }),
      });
      return { status: answer.status, secret: String(answer.body["SecretID"]) };
    };
    const method = { Name: "shared", Type: "jwt", Config: jwtConfig(key, { ClaimMappings: { team: "team" } }) };
    const rule = { AuthMethod: "shared", BindType: "service", BindName: "web" };
    await change("PUT", "/namespace", { Name: "team" });
    const NamespaceRules = [{ Selector: "value.team == a", BindNamespace: "team" }];
    await change("PUT", "/acl/auth-method", { ...method, NamespaceRules });
    const { ID } = await change("PUT", "/acl/binding-rule", rule);

    await expect.poll(async () => (await logIn(second, key)).status, POLL).toBe(200);
    const tokens = [(await logIn(first, key)).secret, (await logIn(second, key)).secret];
    const self = (server: typeof first, secret: string) => ask(server, secret, "GET", "/acl/token/self");
    for (const secret of tokens) {
      for (const server of [first, second])
        expect((await self(server, secret)).body).toMatchObject({ Namespace: "team" });
    }

    // Another key: the one before proves nobody any more, on both.
    await change("PATCH", "/acl/auth-method/shared", { Config: { JWTValidationPubKeys: [other.publicKey] } });
    for (const server of [first, second]) {
      await expect.poll(async () => (await logIn(server, other)).status, POLL).toBe(200);
      expect((await logIn(server, key)).status).toBe(403);
    }
    // The tokens of before stay.
    for (const secret of tokens) expect((await self(second, secret)).status).toBe(200);

    await change("DELETE", "/acl/auth-method/shared");
    for (const secret of tokens) {
      expect((await self(first, secret)).text).toBe("ACL not found");
      await expect.poll(async () => (await self(second, secret)).text, POLL).toBe("ACL not found");
    }
    expect((await logIn(second, other)).status).toBe(403);
    expect((await ask(second, root, "GET", `/acl/binding-rule/${ID}`)).status).toBe(404);

    // A new one of the name; the rows of the old one leave meanwhile.
    await change("PUT", "/acl/auth-method", method);
    await change("PUT", "/acl/binding-rule", rule);
    await expect.poll(async () => (await logIn(second, key)).status, POLL).toBe(200);
    const { secret } = await logIn(second, key);
    const left = async () => (await ask(second, root, "GET", "/acl/tokens?ns=team")).text;
    await expect.poll(left, { timeout: 60_000, interval: 20 }).toBe("[]");
    for (const server of [first, second]) {
      expect((await self(server, secret)).body).toMatchObject({ Namespace: "default", AuthMethod: "shared" });
      for (const gone of tokens) expect((await self(server, gone)).text).toBe("ACL not found");
    }
  });
});
