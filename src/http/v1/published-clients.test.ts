/**
 * Incident 76: consul-k8s failed for ever on its second run, since it takes "exists" from status 500 and Consul's words alone. What
 * published clients test of answers, by their sources: consul-k8s, consul-ecs 0.10, nomad 2.0, Ansible's community.general 13.4, and
 * Terraform's consul provider of April 2026. Where no words stand, the client asks for the status alone.
 */
import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { makeMethodIn, METHOD } from "../../../test/support/scopes.ts";
import { MANAGEMENT, NOBODY, useV1, type V1 } from "../../../test/support/v1.ts";

type Method = "GET" | "PUT" | "POST" | "DELETE";
type Call = (method: Method, path: string, body?: object, token?: string) => ReturnType<V1["send"]>;

interface Row {
  client: string;
  takes: string;
  status: number;
  words: string;
  ask: (call: Call, v1: V1) => ReturnType<V1["send"]>;
}

const GONE = "4790b712-08ff-4c92-85df-006937ca5599";

async function twice(call: Call, kind: "policy" | "role", Name: string): ReturnType<V1["send"]> {
  await call("PUT", `/acl/${kind}`, { Name });
  return call("PUT", `/acl/${kind}`, { Name });
}

const TABLE: readonly Row[] = [
  {
    client: "consul-k8s server-acl-init",
    takes: "a policy that exists",
    status: 500,
    words: 'Invalid Policy: A Policy with Name "anonymous-token-policy" already exists',
    ask: (call) => twice(call, "policy", "anonymous-token-policy"),
  },
  {
    client: "consul-k8s server-acl-init",
    takes: "a role that exists",
    status: 500,
    words: 'Invalid Role: A Role with Name "mesh-gateway-acl-role" already exists',
    ask: (call) => twice(call, "role", "mesh-gateway-acl-role"),
  },
  {
    client: "consul-k8s, consul/api",
    takes: "a namespace that there is not",
    status: 404,
    words: "",
    ask: (call) => call("GET", "/namespace/never"),
  },
  {
    client: "consul-ecs",
    takes: "a policy, role or method that there is not, for any refusal with the words",
    status: 403,
    words: "ACL not found",
    ask: (call) => call("GET", "/acl/role/name/consul-ecs-service-role", undefined, GONE),
  },
  {
    client: "nomad",
    takes: "a token that is not there yet, from any refusal",
    status: 403,
    words: "ACL not found",
    ask: (call) => call("GET", "/acl/token/self", undefined, GONE),
  },
  {
    client: "nomad",
    takes: "a token that it cannot log out, from any refusal",
    status: 403,
    words: "ACL not found",
    ask: (call) => call("POST", "/acl/logout", undefined, GONE),
  },
  {
    client: "nomad setup consul",
    takes: "keys that cannot be had, to say where they have to be reached",
    status: 400,
    words: "error checking JWKSURL",
    ask: (call) =>
      call("PUT", "/acl/auth-method", {
        Name: "nomad-workloads",
        Type: "jwt",
        Config: {
          JWKSURL: "http://127.0.0.1:1/.well-known/jwks.json",
          JWTSupportedAlgs: ["RS256"],
          BoundAudiences: ["consul.io"],
        },
      }),
  },
  ...["/acl/policy/name/never", "/acl/role/name/never", "/acl/auth-method/never", `/acl/token/${NOBODY}`].map(
    (path): Row => ({
      client: "Ansible's community.general",
      takes: `what there is not at ${path}`,
      status: 404,
      words: "",
      ask: (call) => call("GET", path),
    }),
  ),
  {
    client: "Ansible's community.general",
    takes: "no rules, of a method that there is not",
    status: 200,
    words: "[]",
    ask: (call) => call("GET", "/acl/binding-rules?authmethod=never"),
  },
  {
    client: "Ansible's community.general",
    takes: "what there is not, from 403 as well",
    status: 403,
    words: "ACL not found",
    ask: (call) => call("GET", "/acl/policy/name/never", undefined, GONE),
  },
  {
    client: "Ansible's consul_acl_bootstrap",
    takes: "a server that is bootstrapped",
    status: 403,
    words: "ACL bootstrap no longer allowed",
    async ask(call) {
      await call("PUT", "/acl/bootstrap", {}, "");
      return call("PUT", "/acl/bootstrap", {}, "");
    },
  },
  ...[`/acl/policy/${NOBODY}`, `/acl/token/${NOBODY}`].map((path): Row => ({
    client: "Terraform's consul provider",
    takes: `what is gone at ${path}`,
    status: 404,
    words: "ACL not found",
    ask: (call) => call("GET", path),
  })),
  ...[
    `/acl/role/${NOBODY}`,
    "/acl/auth-method/never",
    `/acl/binding-rule/${NOBODY}`,
    "/namespace/never",
    "/partition/never",
  ].map((path): Row => ({
    client: "Terraform's consul provider",
    takes: `what is gone at ${path}`,
    status: 404,
    words: "",
    ask: (call) => call("GET", path),
  })),
  {
    client: "Terraform's consul provider",
    takes: "a bind type that the server does not know",
    status: 400,
    words: 'unknown BindType "foobar"',
    async ask(call, v1) {
      await makeMethodIn(v1, {});
      return call("PUT", "/acl/binding-rule", { AuthMethod: METHOD, BindType: "foobar", BindName: "x" });
    },
  },
];

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const callIn =
    (headersOf: (token: string) => Record<string, string>): Call =>
    (method, path, body, token = MANAGEMENT) =>
      v1.send({
        method,
        url: `/v1${path}`,
        headers: headersOf(token),
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
  const consuls = callIn((token) => ({ "x-consul-token": token }));

  describe("published clients take", () => {
    test.each(TABLE)("$client: $takes, from $status and the words $words", async ({ status, words, ask }) => {
      const answer = await ask(consuls, v1);
      expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(words)]);
    });
  });

  test("consul-ecs waits for a server to be bootstrapped while 403 has just these words", async () => {
    const { status, text } = await consuls("GET", "/acl/policy/name/global-management", undefined, GONE);
    expect([status, text]).toEqual([403, "ACL not found"]);
    const found = await consuls("GET", "/acl/policy/name/global-management");
    expect([found.status, found.body]).toEqual([200, expect.objectContaining({ Name: "global-management" })]);
  });

  test("Ansible looks for a rule by how its description begins: each has one, also an empty one", async () => {
    await makeMethodIn(v1, {});
    await consuls("PUT", "/acl/binding-rule", { AuthMethod: METHOD, BindType: "service", BindName: "x" });
    const { body } = await consuls("GET", `/acl/binding-rules?authmethod=${METHOD}`);
    expect(body).not.toEqual([]);
    for (const rule of body) expect(rule).toMatchObject({ Description: expect.any(String) });
  });

  describe("incident 76: a taken name", () => {
    test.each(["policy", "role"] as const)(
      "of a %s is 500 in Consul's spelling and 400 in every other",
      async (kind) => {
        const Name = v1.unique("taken");
        const other = await v1.put(`/acl/${kind}`, { Name: v1.unique("other") });
        await v1.put(`/acl/${kind}`, { Name });
        const spellings: [status: number, headers: Record<string, string>, query: string][] = [
          [500, { "x-consul-token": MANAGEMENT }, ""],
          [500, {}, `?token=${MANAGEMENT}`],
          [400, { authorization: `Bearer ${MANAGEMENT}` }, ""],
          [400, { "x-service-token": MANAGEMENT }, ""],
          // The documented spelling wins where both are sent.
          [400, { "x-service-token": MANAGEMENT, "x-consul-token": MANAGEMENT }, ""],
        ];
        for (const [status, headers, query] of spellings) {
          for (const path of [`/acl/${kind}`, `/acl/${kind}/${(other.body as { ID: string }).ID}`]) {
            const answer = await v1.send({ method: "PUT", url: `/v1${path}${query}`, headers, payload: { Name } });
            expect([answer.status, answer.text.toLowerCase()]).toEqual([
              status,
              `invalid ${kind}: a ${kind} with name "${Name}" already exists`.toLowerCase(),
            ]);
          }
        }
      },
    );

    test("is expected: it is told so in log and metrics, apart from failures of the server", async () => {
      const Name = v1.unique("counted");
      await v1.put("/acl/policy", { Name });
      const refused = await consuls("PUT", "/acl/policy", { Name });
      expect(refused.status).toBe(500);
      const line = v1.log
        .map((each) => JSON.parse(each) as Record<string, unknown>)
        .findLast(({ status }) => status === 500);
      // 30 is a line for information.
      expect(line).toMatchObject({ level: 30, msg: "request", expected: true, route: "/v1/acl/policy" });
      const { text } = await v1.send({ method: "GET", url: "/metrics", headers: { "x-service-token": MANAGEMENT } });
      const failed = text
        .split("\n")
        .filter((each) => each.startsWith("tessera_http_requests_total") && each.includes('status="500"'));
      expect(failed.length).toBeGreaterThan(0);
      for (const each of failed) expect(each).toContain('expected="true"');
    });

    test("no other refusal is one in that spelling", async () => {
      await consuls("PUT", "/namespace", { Name: "taken" });
      for (const [path, body] of [
        ["/acl/policy", { Name: "b a d" }],
        ["/acl/policy", { Name: "a", Rules: "x {" }],
        ["/namespace?cas=0", { Name: "taken" }],
      ] as const) {
        const answer = await consuls("PUT", path, body);
        expect(answer.status, answer.text).toBeLessThan(500);
      }
    });
  });
});
