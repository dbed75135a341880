/** Writes that are tried, by `/dry-run` in front of their path: refused as they would be, and never made. */
import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { tracesOf } from "../../../test/support/declared.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";
import { MEDIA_TYPE } from "./errors.ts";

type Asked = readonly [method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE", path: string, body?: unknown];

forEachEngine((engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { maxNamespaces: 3 } });

  /** Sends it as it is, or as a trial. */
  const send = (
    prefix: "" | "/dry-run" | "/dry-run/in-new",
    [method, path, body]: Asked,
    token = MANAGEMENT,
    more = {},
  ) => {
    const headers = path.startsWith("/v1")
      ? { "x-service-token": token, ...more }
      : { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { "content-type": MEDIA_TYPE }), ...more };
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
    return v1.send({ method, url: `${prefix}${path}`, headers, ...payload });
  };
  const resource = (type: string, attributes: object, relationships = {}) => ({
    data: { type, attributes, relationships },
  });

  test("a write that would be made is answered 204 and leaves nothing: no object, no record, no index", async () => {
    await v1.put("/acl/policy", { Name: "there" });
    await v1.api("POST", "/organizations", resource("organizations", { name: "acme", email: "a@example.com" }));
    const { body } = await v1.get("/acl/policy/name/there");
    const before = await tracesOf(v1);
    const writes: Asked[] = [
      ["PUT", "/v1/partition", { Name: "new" }],
      ["PUT", "/v1/namespace", { Name: "new" }],
      ["PUT", "/v1/acl/policy", { Name: "new", Rules: 'key "a" { policy = "read" }' }],
      ["PATCH", `/v1/acl/policy/${body.ID}`, { Description: "other" }],
      ["DELETE", `/v1/acl/policy/${body.ID}`],
      ["PUT", "/v1/acl/role", { Name: "new", Policies: [{ Name: "there" }] }],
      ["PUT", "/v1/acl/token", { Policies: [{ Name: "there" }] }],
      ["POST", "/api/v2/organizations", resource("organizations", { name: "new", email: "a@example.com" })],
      ["PATCH", "/api/v2/organizations/acme", resource("organizations", { email: "b@example.com" })],
      ["POST", "/api/v2/organizations/acme/projects", resource("projects", { name: "new" })],
      ["POST", "/api/v2/organizations/acme/workspaces", resource("workspaces", { name: "new" })],
      ["POST", "/api/v2/organizations/acme/tags", { data: [{ type: "tags", attributes: { name: "new" } }] }],
    ];
    for (const write of writes) {
      const tried = await send("/dry-run", write);
      expect([write, tried.status, tried.headers["x-dry-run"]]).toEqual([write, 204, "true"]);
    }
    expect(await tracesOf(v1)).toEqual(before);
    const { body: records } = await v1.get("/audit?ns=*");
    expect(JSON.stringify(records)).not.toContain('"new"');
  });

  test("what the write would be refused for is what the trial is refused for, in the same words", async () => {
    await v1.api("POST", "/organizations", resource("organizations", { name: "rules", email: "a@example.com" }));
    const { secret } = await v1.token({});
    const before = await tracesOf(v1);
    const cases: (readonly [Asked, token?: string, headers?: object])[] = [
      [["PUT", "/v1/acl/policy", { Name: "a b" }]],
      [["PUT", "/v1/acl/policy", { Name: "a", Rules: "acl = 1" }]],
      [["PUT", "/v1/acl/policy?cas=7", { Name: "a" }]],
      [["PUT", "/v1/acl/policy?ns=nowhere", { Name: "a" }]],
      [["PUT", "/v1/acl/role", { Name: "a", Policies: [{ Name: "nowhere" }] }]],
      [["PUT", "/v1/acl/token", { SecretID: "short" }]],
      [["PUT", "/v1/acl/token", { SecretID: MANAGEMENT }]],
      [["PUT", "/v1/acl/auth-method", { Name: "a", Type: "jwt" }]],
      [["PUT", "/v1/acl/binding-rule", { AuthMethod: "nowhere", BindType: "role", BindName: "a" }]],
      [["PUT", "/v1/acl/policy", { Name: "a" }], secret],
      [["PUT", "/v1/acl/policy", "text"]],
      [["PUT", "/v1/partition", { Name: "a b" }]],
      [["POST", "/api/v2/organizations/rules/workspaces", resource("workspaces", { name: "a b" })]],
      [["POST", "/api/v2/organizations/rules/workspaces", resource("workspaces", { name: "a" })], secret],
      [["POST", "/api/v2/organizations/nowhere/projects", resource("projects", { name: "a" })]],
      [
        ["PATCH", "/api/v2/organizations/rules", resource("organizations", { email: "b@example.com" })],
        MANAGEMENT,
        { "if-match": '"x"' },
      ],
    ];
    for (const [asked, token, headers] of cases) {
      const tried = await send("/dry-run", asked, token, headers);
      const made = await send("", asked, token, headers);
      const withoutIds = (text: string) => text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID");
      expect([asked, tried.status, withoutIds(tried.text)]).toEqual([asked, made.status, withoutIds(made.text)]);
      expect(made.status).toBeGreaterThanOrEqual(400);
    }
    expect(await tracesOf(v1)).toEqual(before);
  });

  test("/dry-run/in-new takes a namespace and partition for there, asks all else, and writes nothing", async () => {
    const { secret } = await v1.token({});
    const Config = { JWTValidationPubKeys: [createSigningKey("in-new").publicKey] };
    const bodies: Readonly<Record<string, object>> = {
      policy: { Name: "a" },
      role: { Name: "a", Policies: [{ Name: "namespace-management" }] },
      token: {},
      "auth-method": { Name: "a", Type: "jwt", Config },
      "binding-rule": { AuthMethod: "a", BindType: "role", BindName: "a" },
    };
    const missing: Readonly<Record<string, string>> = {
      role: 'No such ACL policy with name "namespace-management"',
      "binding-rule": 'cannot find auth method with name "a"',
    };
    const before = await tracesOf(v1);
    for (const place of ["ns=to-come", "partition=island&ns=to-come", "partition=island"]) {
      for (const [noun, body] of Object.entries(bodies)) {
        const asked: Asked = ["PUT", `/v1/acl/${noun}?${place}`, body];
        const here = await send("/dry-run", asked);
        expect([asked, here.status, here.text]).toEqual([asked, 400, expect.stringContaining("does not exist")]);
        const tried = await send("/dry-run/in-new", asked);
        const text = missing[noun] ?? "";
        expect([asked, tried.status, tried.text]).toEqual([asked, text === "" ? 204 : 400, text]);
      }
    }
    const namespace: Asked = ["PUT", "/v1/namespace?partition=island", { Name: "to-come" }];
    expect((await send("/dry-run/in-new", namespace)).status).toBe(204);
    const rules: Asked = ["PUT", "/v1/acl/policy?ns=to-come", { Name: "a", Rules: 'operator = "read"' }];
    expect((await send("/dry-run/in-new", rules)).text).toContain("cannot have these rules: operator");
    expect(await tracesOf(v1)).toEqual(before);
    for (const [noun, body] of Object.entries(bodies))
      expect((await send("/dry-run/in-new", ["PUT", `/v1/acl/${noun}?ns=to-come`, body], secret)).status).toBe(403);
    for (const [method, path] of [
      ["POST", "/api/v2/organizations/to-come/projects"],
      ["GET", "/v1/acl/policies"],
      ["PUT", "/v1/acl/bootstrap"],
    ] as const)
      expect((await send("/dry-run/in-new", [method, path])).status).toBe(404);
  });

  test("a limit on how many there may be is asked too", async () => {
    for (let count = 0; (await v1.put("/namespace", { Name: `full-${count}` })).status === 200; count++)
      expect(count).toBeLessThan(10);
    const asked: Asked = ["PUT", "/v1/namespace", { Name: "one-more" }];
    const [tried, made] = [await send("/dry-run", asked), await send("", asked)];
    expect([tried.status, tried.text]).toEqual([403, made.text]);
  });

  test("reads are answered as ever; what does more than write in transactions cannot be tried, and no header makes a trial", async () => {
    const { body } = await send("/dry-run", ["GET", "/v1/acl/token/self"]);
    expect(body.AccessorID).toBeDefined();
    for (const asked of [
      ["POST", "/v1/acl/login", { AuthMethod: "a", BearerToken: "b" }],
      ["PUT", "/v1/acl/bootstrap"],
      ["POST", "/v1/acl/tokens/revoke", {}],
      ["PUT", "/v1/acl/token/00000000-0000-0000-0000-000000000002/clone", {}],
      ["DELETE", "/api/v2/organizations/acme/tag-imports"],
      ["PUT", "/dry-run/v1/acl/policy", { Name: "a" }],
      // A rule of a proxy about a path is not to be passed by.
      ["GET", "/metrics"],
      ["GET", "/v1/acl/tokens"],
      ["GET", "/ui/"],
    ] satisfies Asked[])
      expect([asked, (await send("/dry-run", asked)).status]).toEqual([asked, 404]);
    const made = await send("", ["PUT", "/v1/acl/policy", { Name: `by-header-${engine}` }], MANAGEMENT, {
      "x-dry-run": "true",
    });
    expect(made.status).toBe(200);
  });

  test("writes beside trials in the same partition and organization are made, each once", async () => {
    await v1.api("POST", "/organizations", resource("organizations", { name: "busy", email: "a@example.com" }));
    const names = Array.from({ length: 12 }, (_, at) => `beside-${at}`);
    const answers = await Promise.all(
      names.flatMap((name, at) => {
        const prefix = at % 2 === 0 ? "" : "/dry-run";
        return [
          send(prefix, ["PUT", "/v1/acl/policy", { Name: name }]),
          send(prefix, ["POST", "/api/v2/organizations/busy/workspaces", resource("workspaces", { name })]),
        ];
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(
      names.flatMap((_, at) => (at % 2 === 0 ? [200, 201] : [204, 204])),
    );
    for (const [at, name] of names.entries()) {
      const { status } = await v1.get(`/acl/policy/name/${name}`);
      const workspace = await v1.api("GET", `/organizations/busy/workspaces/${name}`);
      expect([name, status, workspace.status]).toEqual([name, at % 2 === 0 ? 200 : 404, at % 2 === 0 ? 200 : 404]);
    }
  });
});
