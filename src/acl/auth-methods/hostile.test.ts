/** Bodies that no client writes by mistake, and requests that no route of auth methods is for. */
import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { bearer, login, makeMethod, makeRule } from "../../../test/support/login.ts";
import { jwtConfig } from "../../../test/support/method-configs.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");
const KEYS = `"JWTValidationPubKeys": ${JSON.stringify(key.publicKey)}`;
const method = (name: string, members: string) => `{"Name": "${name}", "Type": "jwt", "Config": {${KEYS}, ${members}}}`;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  test.each([
    ["BoundAudiences", "1e400"],
    ["BoundAudiences", "[-1e400]"],
    ["ExpirationLeeway", "1e400"],
    ["ClockSkewLeeway", "9223372036854775808"],
    ["ClockSkewLeeway", '"1d"'],
    ["ClaimMappings", '{"a": {"b": "c"}}'],
    ["ClaimMappings", '{"a": ["b"]}'],
    ["ClaimMappings", "[[]]"],
    ["ListClaimMappings", '[{"a": "b"}, 7]'],
    ["BoundIssuer", `${"[".repeat(50_000)}${"]".repeat(50_000)}`],
    ["BoundIssuer", `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`],
    ["ClaimMappings", `{${Array.from({ length: 20_000 }, (_, n) => `"${n}": "x"`).join()}}`],
    ["JWTValidationPubKeys", `"${"-----BEGIN PUBLIC KEY-----".repeat(30_000)}"`],
  ])("a configuration is refused with what %s cannot be, case %#", async (name, value) => {
    const before = (await v1.get("/acl/auth-methods")).text;
    const answer = await v1.put("/acl/auth-method", method("hostile", `"${name}": ${value}`));
    expect(answer.status, answer.text.slice(0, 300)).toBe(400);
    expect(answer.text).toMatch(/^(Invalid Auth Method|AuthMethod decoding failed): /);
    expect(answer.text.length).toBeLessThan(600);
    expect((await v1.get("/acl/auth-methods")).text).toBe(before);
  });

  test("1,000 unknown keys are not all repeated", async () => {
    const members = Array.from({ length: 1000 }, (_, n) => `"${"k".repeat(500)}${n}": 1`).join();
    const answer = await v1.put("/acl/auth-method", method("hostile", members));
    expect(answer.status).toBe(400);
    expect(answer.text.length).toBeLessThan(5000);
  });

  test("what is answered is what is read: numbers, halves of letters, empty members", async () => {
    const members =
      '"BoundIssuer": "\\ud800x", "BoundAudiences": [1.50, 1e2, -0, true, null, "\\ud83d\\ude00"], "NotBeforeLeeway": -0';
    const text = method("spelled", members).replace("[1.50, 1e2, -0, true, null,", "[1.50, 1e2, -0, true,");
    const written = await v1.put("/acl/auth-method", text);
    expect(written.status, written.text).toBe(200);
    expect((await v1.get("/acl/auth-method/spelled")).text).toBe(written.text);
    const again = await v1.put("/acl/auth-method", written.text);
    expect(again.body.Config).toEqual(written.body.Config);
  });

  test("the longest MaxTokenTTL makes tokens that last for centuries", async () => {
    await makeMethod(v1, key, { Name: "centuries", MaxTokenTTL: "2562047h47m16.854775807s" });
    await makeRule(v1, { AuthMethod: "centuries" });
    const { status, body } = await login(v1, "centuries", bearer(key));
    expect(status).toBe(200);
    expect(new Date(body.ExpirationTime).getUTCFullYear()).toBeGreaterThan(2300);
    expect((await v1.get("/acl/token/self", body.SecretID)).body).toEqual(body);
    const answer = await v1.put("/acl/auth-method/centuries", {
      Config: jwtConfig(key),
      MaxTokenTTL: "2562047h47m16.854775808s",
    });
    const text = 'AuthMethod decoding failed: time: invalid duration "2562047h47m16.854775808s"';
    expect(answer).toMatchObject({ status: 400, text });
  });

  describe("a path of auth methods", () => {
    test.each([
      ["/acl/auth-method", ["PUT"]],
      ["/acl/auth-method/spelled", ["GET", "HEAD", "PUT", "PATCH", "DELETE"]],
      ["/acl/auth-methods", ["GET", "HEAD"]],
    ] as const)("%s has its methods, and no others", async (path, methods) => {
      const headers = { "x-consul-token": MANAGEMENT };
      const options = await v1.send({ method: "OPTIONS", url: `/v1${path}`, headers });
      expect(options).toMatchObject({ status: 200, text: "" });
      expect(String(options.headers["allow"]).split(",").toSorted()).toEqual([...methods, "OPTIONS"].toSorted());
      for (const other of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const) {
        if ((methods as readonly string[]).includes(other)) continue;
        const answer = await v1.send({ method: other, url: `/v1${path}`, headers });
        expect(answer.status).toBe(405);
        if (other !== "HEAD") expect(answer.text).toBe(`method ${other} not allowed`);
      }
    });

    test("is decoded once", async () => {
      expect((await v1.get("/acl/auth-method/%73pelled")).body.Name).toBe("spelled");
      expect((await v1.get("/acl/auth-method/%2573pelled")).status).toBe(404);
      const slashed = await v1.put("/acl/auth-method/a%2Fb", { Type: "jwt", Config: jwtConfig(key) });
      expect(slashed).toMatchObject({ status: 400, text: expect.stringContaining("invalid Name.") });
      expect(await v1.get("/acl/auth-method/a%00b")).toMatchObject({ status: 400, text: "" });
    });

    test("incident 27: is read by its body, whatever Content-Type says", async () => {
      for (const type of [
        "text/plain",
        "application/json\t",
        "application/json ;charset=utf-8",
        "application/x-www-form-urlencoded",
        "x",
        "",
      ]) {
        for (const [verb, url] of [
          ["PUT", "/v1/acl/auth-method"],
          ["PUT", "/v1/acl/auth-method/spelled"],
          ["PATCH", "/v1/acl/auth-method/spelled"],
        ] as const) {
          const headers = { "x-consul-token": MANAGEMENT, "content-type": type };
          const answer = await v1.send({ method: verb, url, headers, payload: '{"Nonsense": 1}' });
          expect(answer).toMatchObject({
            status: 400,
            text: 'AuthMethod decoding failed: json: unknown field "Nonsense"',
          });
        }
      }
    });
  });
});
