/** Logins that give nothing: in which words, and in which order that is found out. */
import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { bearer, login, makeMethod, makeRule } from "../../../test/support/login.ts";
import { makeNamespace, makePartition } from "../../../test/support/scopes.ts";
import { NOBODY, useV1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");
const DECODE = "Failed to decode request body: ";

/** Bodies that cannot be read, with what follows the prefix. */
const BODIES: readonly [what: string, body: string, text: string][] = [
  ["an empty body", "", "EOF"],
  ["a body that is cut off", '{"AuthMethod": "m', "unexpected EOF"],
  ["a body that is no JSON", "x", "invalid character 'x' looking for beginning of value"],
  ["a member that there is not", '{"Bearer": "x"}', 'json: unknown field "Bearer"'],
  ["a name in snake case", '{"auth_method": "x"}', 'json: unknown field "auth_method"'],
  ["a number for a token", '{"BearerToken": 1}', "json: cannot unmarshal number into Go struct field"],
  ["a list of metadata", '{"Meta": ["a"]}', "json: cannot unmarshal array into Go struct field"],
  ["metadata that is no text", '{"Meta": {"a": 1}}', "json: cannot unmarshal number into Go struct field"],
  ["metadata in a structure", '{"Meta": {"a": {}}}', "json: cannot unmarshal object into Go struct field"],
  ["a list", "[]", "json: cannot unmarshal array into Go value"],
];

/** Computed names that are invalid, by the type that binds them; undefined fills in nothing. */
const BAD_NAMES: readonly [type: string, team: string][] = [
  ["service", "a.b"],
  ["service", ""],
  ["service", "-a"],
  ["service", "caf\u{e9}"],
  ["node", "a b"],
  ["node", "_a"],
  ["role", "a/b"],
  ["role", "a\n"],
  ["policy", "a/b"],
  ["policy", "t\u{430}ken"],
];

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeAll(async () => {
    await makeMethod(v1, key, { Name: "Open" });
    await makeRule(v1, { AuthMethod: "Open", BindName: "web" });
  });

  describe("a body", () => {
    test.each(BODIES)("is refused: %s", async (_what, body, text) => {
      const answer = await v1.post("/acl/login", body, "");
      expect(answer.status).toBe(400);
      expect(answer.text.startsWith(DECODE + text), answer.text).toBe(true);
      expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
    });

    test("may spell its members in any case, and null is nothing", async () => {
      const token = bearer(key, { team: "a" });
      const body = `{"authmethod": "x", "AUTHMETHOD": "open", "bearerToken": "${token}", "META": null}`;
      const answer = await v1.post("/acl/login", body, "");
      expect(answer).toMatchObject({ status: 200, body: { Description: "token created via login" } });
    });

    test("may be followed by anything", async () => {
      const answer = await v1.post("/acl/login", `{"AuthMethod": "open", "BearerToken": "${bearer(key)}"} x`, "");
      expect(answer.status).toBe(200);
    });

    test("holds a bearer token of 32 KiB and no longer one, by its bytes", async () => {
      const text = `BearerToken is longer than ${32 * 1024} bytes`;
      for (const long of ["x".repeat(32 * 1024 + 1), "\u{e9}".repeat(16 * 1024 + 1)]) {
        expect(await login(v1, "open", long)).toMatchObject({ status: 400, text });
      }
      const fits = await login(v1, "open", "x".repeat(32 * 1024));
      expect(fits.status).toBe(403);
    });

    test("without a method, or with none's name", async () => {
      for (const name of ["", "nobody", `op\u{435}n`, "open ", "__proto__", "constructor"]) {
        const answer = await login(v1, name, bearer(key));
        const text = `ACL not found: auth method ${JSON.stringify(name)} not found`;
        expect(answer).toMatchObject({ status: 403, text });
      }
    });

    test("only POST is answered", async () => {
      for (const [path, allow] of [
        ["/acl/login", "OPTIONS,POST"],
        ["/acl/logout", "OPTIONS,POST"],
        ["/acl/login/explain", "OPTIONS,POST"],
      ] as const) {
        for (const method of ["GET", "PUT", "DELETE", "PATCH", "HEAD"] as const) {
          const answer = await v1.send({ method, url: `/v1${path}` });
          expect(answer.status, `${method} ${path}`).toBe(405);
          expect(answer.headers["allow"]).toBe(allow);
        }
      }
    });
  });

  test.each(["nonsense", NOBODY, "anonymous", "allow", "deny", "manage", ""])(
    "a token that is sent along counts for nothing: %j",
    async (secret) => {
      const body = JSON.stringify({ AuthMethod: "open", BearerToken: bearer(key) });
      for (const headers of [
        { "x-service-token": secret },
        { "x-consul-token": secret },
        { authorization: `Bearer ${secret}` },
      ]) {
        const answer = await v1.send({ method: "POST", url: "/v1/acl/login", headers, payload: body });
        expect(answer.status, answer.text).toBe(200);
      }
      const answer = await v1.send({ method: "POST", url: `/v1/acl/login?token=${secret}`, payload: body });
      expect(answer.status, answer.text).toBe(200);
    },
  );

  describe("the order", () => {
    test("a body is read before the method is looked for, the method before the identity, that before the rules", async () => {
      expect((await v1.post("/acl/login", { AuthMethod: "nobody", X: 1 }, "")).status).toBe(400);
      expect((await login(v1, "nobody", "")).text).toBe('ACL not found: auth method "nobody" not found');
      expect(await login(v1, "open", "")).toMatchObject({ status: 403, text: "missing jwt" });
      await makeMethod(v1, key, { Name: "bad" });
      await makeRule(v1, { AuthMethod: "bad", BindName: "${value.team}" });
      expect((await login(v1, "bad", "x")).text).toMatch(/^error parsing token: /);
      const other = createSigningKey("k2");
      const forged = await login(v1, "bad", bearer(other, { team: "a b" }));
      expect(forged).toMatchObject({ status: 403, text: "no known key successfully validated the token signature" });
    });

    test("namespace rules are asked before binding rules", async () => {
      const NamespaceRules = [{ Selector: "", BindNamespace: "${value.name}" }];
      await makeMethod(v1, key, { Name: "order", NamespaceRules });
      await makeRule(v1, { AuthMethod: "order", BindName: "${value.team}" });
      const both = await login(v1, "order", bearer(key, { team: "a b", name: "a b" }));
      expect(both).toMatchObject({ status: 403, text: 'invalid bind namespace: "a b"' });
      const second = await login(v1, "order", bearer(key, { team: "a b", name: "elsewhere" }));
      expect(second).toMatchObject({
        status: 403,
        text: expect.stringMatching(/^invalid bind name: "a b"; granted by binding rule /),
      });
    });

    test("rules are tried in the order of their IDs: the first that cannot give what it says is the reason", async () => {
      await makeMethod(v1, key, { Name: "ids" });
      const made: { id: string; name: string }[] = [];
      for (const name of ["n-${value.team}", "s-${value.team}", "x-${value.team}", "y-${value.team}"]) {
        made.push({ id: await makeRule(v1, { AuthMethod: "ids", BindName: name }), name });
      }
      const [first] = made.toSorted((one, other) => (one.id < other.id ? -1 : 1));
      const answer = await login(v1, "ids", bearer(key, { team: "." }));
      const named = first?.name.replace("${value.team}", ".");
      expect(answer.text).toBe(`invalid bind name: "${named}"; granted by binding rule ${first?.id}`);
    });
  });

  describe("a name that cannot be", () => {
    test.each(BAD_NAMES)("ends the login, whatever else is given: %s %j", async (type, team) => {
      const name = v1.unique("names");
      await makeMethod(v1, key, { Name: name });
      await makeRule(v1, { AuthMethod: name, BindName: "web" });
      const rule = await makeRule(v1, { AuthMethod: name, BindType: type, BindName: "${value.team}" });
      const answer = await login(v1, name, bearer(key, { team }));
      expect(answer.status).toBe(403);
      expect(answer.text).toBe(`invalid bind name: ${JSON.stringify(team)}; granted by binding rule ${rule}`);
      expect((await v1.get(`/acl/tokens?authmethod=${name}`)).body).toEqual([]);
    });

    test.each(["service", "node", "role", "policy"])(
      "is one of 257 letters, and no longer one of 256: %s",
      async (type) => {
        const name = v1.unique("long");
        await makeMethod(v1, key, { Name: name });
        await makeRule(v1, { AuthMethod: name, BindName: "web" });
        await makeRule(v1, { AuthMethod: name, BindType: type, BindName: "${value.team}" });
        expect((await login(v1, name, bearer(key, { team: "a".repeat(256) }))).status).toBe(200);
        const answer = await login(v1, name, bearer(key, { team: "a".repeat(8_000) }));
        const start = `invalid bind name: "${"a".repeat(256)}\u{2026}"; granted by binding rule `;
        expect([answer.status, answer.text.startsWith(start)], answer.text).toEqual([403, true]);
        expect((await login(v1, name, bearer(key, { team: "a".repeat(257) }))).status).toBe(403);
      },
    );

    test("is of no interest where the selector does not match", async () => {
      await makeMethod(v1, key, { Name: "unmatched" });
      await makeRule(v1, { AuthMethod: "unmatched", BindName: "web" });
      await makeRule(v1, { AuthMethod: "unmatched", Selector: 'value.team == "b"', BindName: "${value.name}" });
      expect((await login(v1, "unmatched", bearer(key, { team: "a" }))).status).toBe(200);
      expect((await login(v1, "unmatched", bearer(key, { team: "b" }))).text).toMatch(
        /^invalid bind name: ""; granted by binding rule /,
      );
    });

    test("of a policy with a slash is found out only at the login", async () => {
      await makeMethod(v1, key, { Name: "slash" });
      await makeRule(v1, { AuthMethod: "slash", BindType: "policy", BindName: "a/b" });
      await makeRule(v1, { AuthMethod: "slash" });
      expect(await login(v1, "slash", bearer(key))).toMatchObject({
        status: 403,
        text: expect.stringMatching(/^invalid bind name: "a\/b"; granted by binding rule /),
      });
    });

    test("of a templated policy's variable is refused in the words of its schema", async () => {
      await makeMethod(v1, key, { Name: "templated" });
      const BindVars = { Name: "${value.team}" };
      const rule = { AuthMethod: "templated", BindType: "templated-policy", BindName: "builtin/service", BindVars };
      await makeRule(v1, rule);
      const answer = await login(v1, "templated", bearer(key, { team: "A b" }));
      expect(answer.status).toBe(403);
      expect(answer.text).toMatch(/^templated policy failed validation: .*has an invalid name\. Only lowercase alpha/);
    });
  });

  test("who is given nothing is told that, and nothing of rules", async () => {
    await makeMethod(v1, key, { Name: "Closed" });
    const bare = await login(v1, "closed", bearer(key));
    await makeRule(v1, { AuthMethod: "Closed", Selector: 'value.team == "secret-team"' });
    const unmatched = await login(v1, "closed", bearer(key));
    const rule = await makeRule(v1, { AuthMethod: "Closed", BindType: "role", BindName: "secret-role" });
    const skipped = await login(v1, "closed", bearer(key));
    const texts = [bare, unmatched, skipped].map(({ status, text, headers }) => {
      expect(status).toBe(403);
      expect(text.startsWith("Permission denied: the identity was verified")).toBe(true);
      expect(text).toContain(String(headers["x-request-id"]));
      expect(text).not.toMatch(/secret|team|role "/);
      expect(text).not.toContain(rule);
      return text.replace(String(headers["x-request-id"]), "");
    });
    expect(new Set(texts).size).toBe(1);
  });

  test("a method is looked for where the body says, else the query, else the header, else in default", async () => {
    for (const namespace of ["team-b", "team-q", "team-h"]) {
      await makeNamespace(v1, { namespace });
      await makeMethod(v1, key, { Name: "m" }, `?ns=${namespace}`);
      await makeRule(v1, { AuthMethod: "m" }, `?ns=${namespace}`);
    }
    const send = (body: object, query: string, headers: Record<string, string>) =>
      v1.send({
        method: "POST",
        url: `/v1/acl/login${query}`,
        headers,
        payload: JSON.stringify({ AuthMethod: "m", BearerToken: bearer(key), ...body }),
      });
    const header = { "x-service-namespace": "team-h" };
    const cases = [
      [{ Namespace: "Team-B" }, "?ns=team-q", header, "team-b"],
      [{}, "?ns=TEAM-Q", header, "team-q"],
      [{}, "?namespace=team-q", header, "team-q"],
      [{}, "", header, "team-h"],
      [{}, "", { "x-consul-namespace": "team-h" }, "team-h"],
    ] as const;
    for (const [body, query, headers, expected] of cases) {
      const answer = await send(body, query, headers);
      expect(answer.body, answer.text).toMatchObject({ Namespace: expected, AuthMethodNamespace: expected });
    }
    expect(await send({}, "", {})).toMatchObject({ status: 403, text: 'ACL not found: auth method "m" not found' });
    expect((await send({}, "?ns=nowhere", {})).status).toBe(403);
    const inTeam = await v1.token({ Namespace: "team-q" });
    // The token that is sent along has no say in where the method is.
    expect((await send({}, "", { "x-service-token": inTeam.secret })).status).toBe(403);
  });

  test("a method of another partition is found there alone, and its tokens lie there", async () => {
    await makePartition(v1, "unit");
    await makeMethod(v1, key, { Name: "p" }, "?partition=unit");
    await makeRule(v1, { AuthMethod: "p" }, "?partition=unit");
    expect((await login(v1, "p", bearer(key))).status).toBe(403);
    for (const [body, query] of [
      [{ Partition: "unit" }, ""],
      [{}, "?partition=unit"],
      [{}, "?ap=Unit"],
    ] as const) {
      const content = { AuthMethod: "p", BearerToken: bearer(key), ...body };
      const answer = await v1.post(`/acl/login${query}`, content, "");
      expect(answer.body, answer.text).toMatchObject({ Namespace: "default", Partition: "unit" });
    }
  });
});
