/**
 * Incident 76: consul-k8s failed for ever on its second run, since it takes "exists" from status 500 and Consul's words alone. What
 * published clients test of answers, by their sources and, of the Terraform provider, by what it is known to match.
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
    client: "consul-ecs, nomad",
    takes: "a token that is gone",
    status: 403,
    words: "ACL not found",
    ask: (call) => call("GET", "/acl/token/self", undefined, GONE),
  },
  {
    client: "nomad",
    takes: "a token that has logged out",
    status: 403,
    words: "ACL not found",
    ask: (call) => call("POST", "/acl/logout", undefined, GONE),
  },
  {
    client: "Ansible's community.general",
    takes: "a policy, role or rule that there is not",
    status: 404,
    words: "",
    ask: (call) => call("GET", "/acl/policy/name/never"),
  },
  {
    client: "Ansible's community.general",
    takes: "an auth method that there is not",
    status: 404,
    words: "",
    ask: (call) => call("GET", "/acl/auth-method/never"),
  },
  {
    client: "Terraform's consul provider",
    takes: "an object that is gone",
    status: 404,
    words: "ACL not found",
    ask: (call) => call("GET", `/acl/token/${NOBODY}`),
  },
  {
    client: "Terraform's consul provider",
    takes: "a bind type that the server does not know",
    status: 400,
    words: "unknown BindType",
    async ask(call, v1) {
      await makeMethodIn(v1, {});
      return call("PUT", "/acl/binding-rule", { AuthMethod: METHOD, BindType: "nothing", BindName: "x" });
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
