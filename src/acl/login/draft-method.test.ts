/** Tests logins with an auth method that is not written yet: `Method` of `POST /v1/acl/login/explain`. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { bearer, MAPPINGS } from "../../../test/support/login.ts";
import { secretIn, makeNamespace } from "../../../test/support/scopes.ts";
import { useV1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");
const METHOD = { Type: "jwt", Config: { JWTValidationPubKeys: [key.publicKey], ...MAPPINGS } };

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const explain = async (content: object, token?: string, query = "") =>
    v1.post(`/acl/login/explain${query}`, content, token);

  describe("a drafted auth method", () => {
    test("verifies a token and tests a drafted rule with it, and nothing is written", async () => {
      const token = bearer(key, { team: "web", groups: ["ops"] });
      const rule = { Selector: 'value.team == "web"', BindType: "role", BindName: "web-${value.team}" };
      const answer = await explain({ Method: METHOD, BearerToken: token, BindingRule: rule });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body).toMatchObject({
        Variables: { "value.team": "web" },
        Rules: [],
        BindingRule: { Verdict: "matched", BindType: "role", BindName: "web-web" },
      });
      expect(answer.body).not.toHaveProperty("Token");
      const other = await explain({ Method: METHOD, Identity: { value: { team: "db" } }, BindingRule: rule });
      expect(other.body.BindingRule).toMatchObject({ Verdict: "not matched" });
      expect((await v1.get("/acl/auth-methods")).body).toEqual([]);
    });

    test("refuses a token of another key in the words of a login", async () => {
      const stranger = createSigningKey("k2");
      const { body } = await explain({ Method: METHOD, BearerToken: bearer(stranger, { team: "web" }) });
      expect(body).toMatchObject({ Rules: [], Refusal: expect.stringContaining("signature") });
      expect(body).not.toHaveProperty("Identity");
    });

    test("requires acl:write, as its write does, and reaches no network that a write could not", async () => {
      const reader = await v1.tokenWith('acl = "read"');
      expect((await explain({ Method: METHOD, Identity: { value: {} } }, reader)).status).toBe(403);
      await makeNamespace(v1, { namespace: "team" });
      const tenant = await secretIn(v1, { namespace: "team" }, 'acl = "write"');
      let requests = 0;
      const inside = createServer((_request, response) => {
        requests += 1;
        response.end("{}");
      }).listen(0, "127.0.0.1");
      await once(inside, "listening");
      const url = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/keys`;
      const method = { Type: "jwt", Config: { JWKSURL: url, ...MAPPINGS } };
      const asked = await explain({ Method: method, BearerToken: bearer(key) }, tenant, "?ns=team");
      inside.close();
      expect([asked.body.Refusal, requests]).toEqual(["the keys of the identity provider could not be fetched", 0]);
    });

    test("rejects a configuration, or an input, that is not one", async () => {
      const identity = { value: {} };
      for (const content of [
        { Method: METHOD },
        { Method: METHOD, Identity: identity, BearerToken: "x" },
        { Method: METHOD, AuthMethod: "web", Identity: identity },
        { Method: {}, Identity: identity },
        { Method: { Type: "jwt", Config: { Nonsense: 1 } }, Identity: identity },
        { Method: METHOD, Identity: { value: "a" } },
      ])
        expect([(await explain(content)).status, content]).toEqual([400, content]);
    });
  });
});
