import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { MANAGEMENT, NOBODY, RESERVED, useV1, type V1 } from "../../../test/support/v1.ts";

const PATHS = ["/internal/acl/authorize", "/acl/authorize"] as const;
const SCALARS = ["acl", "keyring", "mesh", "operator", "peering"];
const LABELLED = [
  "agent",
  "event",
  "intention",
  "node",
  "query",
  "service",
  "session",
  "key",
  "organization",
  "workspace",
];

/** Asks whether a token has each access. A question is a text such as `key read a`. */
async function ask(v1: V1, secret: string, ...questions: string[]): Promise<boolean[]> {
  const body = questions.map((question) => {
    const [Resource, Access, Segment] = question.split(" ");
    return { Resource, Access, Segment };
  });
  const answer = await v1.post("/internal/acl/authorize", body, secret);
  expect(answer.status, answer.text).toBe(200);
  return (answer.body as { Allow: boolean }[]).map(({ Allow }) => Allow);
}

forEachEngine((_engine, makeUrl) => {
  describe("default deny", () => {
    const v1 = useV1(makeUrl);

    test.each(PATHS)(
      "%s answers in the order asked, each question repeated and empty members left out",
      async (path) => {
        const secret = await v1.tokenWith(`service "web" { policy = "write" } service_prefix "" { policy = "read" }`);
        const questions = [
          { Resource: "service", Access: "write", Segment: "web" },
          { Resource: "service", Access: "WRITE", Segment: "webs" },
          { resource: "service", access: "Read", Segment: "" },
          { Resource: "acl", Access: "read", Namespace: "default", Partition: "default" },
        ];
        const { body, headers } = await v1.post(path, questions, secret);
        expect(body).toEqual([
          { ...questions[0], Allow: true },
          { ...questions[1], Allow: false },
          { Resource: "service", Access: "Read", Allow: true },
          { ...questions[3], Allow: false },
        ]);
        expect(headers).not.toHaveProperty("x-service-index");
        expect((await v1.post(path, [], secret)).text).toBe("[]");
        expect(await v1.post(path, "null", secret)).toMatchObject({ status: 200, text: "[]" });
        for (const name of ["Namespace", "Partition"]) {
          const elsewhere = [{ Resource: "acl", Access: "read", [name]: "team" }];
          // By rules alone: whether it exists is not asked, and so not told.
          expect((await v1.post(path, elsewhere, secret)).body).toEqual([{ ...elsewhere[0], Allow: false }]);
          expect(await v1.post(path, [{ ...elsewhere[0], [name]: "a.b" }], secret)).toMatchObject({
            status: 400,
            text: `${name} "a.b" is not a name`,
          });
        }
      },
    );

    test("needs no permission, but a token that is one", async () => {
      const { secret } = await v1.token();
      expect(await ask(v1, secret, "acl read")).toEqual([false]);
      expect(await ask(v1, "", "acl read")).toEqual([false]);
      expect(await v1.post(PATHS[0], [], NOBODY)).toMatchObject({ status: 403, text: "ACL not found" });
    });

    const refused: readonly [what: string, body: unknown, text: string][] = [
      [
        "65 questions",
        Array.from({ length: 65 }, () => ({ Resource: "acl", Access: "read" })),
        "Refusing to process more than 64 authorizations at once",
      ],
      ["a resource that there is not", [{ Resource: "x", Access: "read" }], `Invalid ACL resource requested: "x"`],
      ["a resource in other letters", [{ Resource: "ACL", Access: "read" }], `Invalid ACL resource requested: "ACL"`],
      [
        "a resource by a name of objects",
        [{ Resource: "__proto__", Access: "read" }],
        `Invalid ACL resource requested: "__proto__"`,
      ],
      ["an access that there is not", [{ Resource: "acl", Access: "x" }], "Invalid access level for acl resource: x"],
      [
        "list of what is no key",
        [{ Resource: "node", Access: "list" }],
        "Invalid access level for node resource: list",
      ],
      [
        "one bad question among good ones",
        [{ Resource: "acl", Access: "read" }, {}],
        `Invalid ACL resource requested: ""`,
      ],
      ["no list", {}, "Failed to decode request body: json: cannot unmarshal object into Go value"],
      ["nothing", "", "Failed to decode request body: EOF"],
    ];
    test.each(refused)("%s is refused", async (_what, body, text) => {
      const answer = await v1.post(PATHS[0], body);
      expect([answer.status, answer.text.slice(0, text.length)]).toEqual([400, text]);
    });

    test("64 questions are answered", async () => {
      const questions = Array.from({ length: 64 }, () => "key write-prefix a");
      expect(await ask(v1, MANAGEMENT, ...questions)).toEqual(questions.map(() => true));
    });

    test("the management policy allows everything and the read-only one reads everything", async () => {
      const all = [...SCALARS.map((name) => `${name} `), ...LABELLED.map((name) => `${name} `)];
      const readOnly = (await v1.token({ Policies: [{ ID: `${RESERVED}02` }] })).secret;
      const reads = all.map((each) => `${each}read some/thing`.replace("  ", " "));
      const writes = all.map((each) => `${each}write some/thing`);
      expect(await ask(v1, MANAGEMENT, ...reads, ...writes)).toEqual([...reads, ...writes].map(() => true));
      expect(await ask(v1, readOnly, ...reads, ...writes)).toEqual([
        ...reads.map(() => true),
        ...writes.map(() => false),
      ]);
    });

    test("incident 19: deny takes precedence for each verb, whichever way the policies are linked", async () => {
      const [allow, deny] = [
        `{"acl":"write","key":{"a":{"policy":"write"}},"key_prefix":{"a":{"policy":"list"}}}`,
        `acl = "deny" key "a" { policy = "deny" } key_prefix "a" { policy = "deny" }`,
      ];
      const [yes, no] = [await v1.policy(allow), await v1.policy(deny)];
      const questions = [
        "acl read",
        "acl write",
        "key read a",
        "key list a",
        "key write a",
        "key read ab",
        "key list ab",
        "key write-prefix a",
      ];
      const nothing = questions.map(() => false);
      const role = async (...ids: string[]) => ({ ID: await v1.role({ Policies: ids.map((ID) => ({ ID })) }) });
      for (const content of [
        { Policies: [{ ID: yes }, { ID: no }] },
        { Policies: [{ ID: no }, { ID: yes }] },
        { Policies: [{ ID: yes }], Roles: [await role(no)] },
        { Policies: [{ ID: no }], Roles: [await role(yes)] },
        { Roles: [await role(yes, no)] },
        { Roles: [await role(yes), await role(no)] },
        { Policies: [{ ID: no }, { Name: "global-management" }] },
      ]) {
        const { secret } = await v1.token(content);
        expect(await ask(v1, secret, ...questions)).toEqual(nothing);
        expect((await v1.get("/acl/policies", secret)).status).toBe(403);
        expect((await v1.get("/acl/policies?page-size=1", secret)).status).toBe(403);
      }
    });

    test("identities and templates give what they stand for, in this datacenter only", async () => {
      const web = [
        "service write web",
        "service write web-sidecar-proxy",
        "service read other",
        "node read n",
        "service write other",
        "node write n",
      ];
      const here = [true, true, true, true, false, false];
      const none = here.map(() => false);
      const template = { TemplateName: "builtin/service", TemplateVariables: { Name: "web" } };
      for (const [content, expected] of [
        [{ ServiceIdentities: [{ ServiceName: "web" }] }, here],
        [{ ServiceIdentities: [{ ServiceName: "web", Datacenters: ["dc2", "dc1"] }] }, here],
        [{ ServiceIdentities: [{ ServiceName: "web", Datacenters: ["dc2"] }] }, none],
        [{ TemplatedPolicies: [template] }, here],
        [{ TemplatedPolicies: [{ ...template, Datacenters: ["dc2"] }] }, none],
        [{ Roles: [{ ID: await v1.role({ ServiceIdentities: [{ ServiceName: "web" }] }) }] }, here],
        [{ NodeIdentities: [{ NodeName: "n", Datacenter: "dc1" }] }, [false, false, true, true, false, true]],
        [{ NodeIdentities: [{ NodeName: "n", Datacenter: "dc2" }] }, none],
        [{ TemplatedPolicies: [{ TemplateName: "builtin/dns" }] }, [false, false, true, true, false, false]],
      ] as const) {
        expect({ content, got: await ask(v1, (await v1.token(content)).secret, ...web) }).toEqual({
          content,
          got: [...expected],
        });
      }
    });

    test("explain names the rule, its policy and the way to it, and needs acl:read", async () => {
      const policy = await v1.policy(`acl = "read" service_prefix "we" { policy = "write" }`, "explained");
      const role = await v1.role({ Name: "bearer", Policies: [{ ID: policy }] });
      const { secret } = await v1.token({ Roles: [{ ID: role }], ServiceIdentities: [{ ServiceName: "api" }] });
      const questions = [
        { Resource: "service", Access: "write", Segment: "web" },
        { Resource: "service", Access: "write", Segment: "api" },
        { Resource: "operator", Access: "read" },
      ];
      const { body } = await v1.post("/acl/authorize?explain=true", questions, secret);
      expect(body).toMatchObject([
        {
          Allow: true,
          Explain: {
            DecidedBy: "direct",
            Rule: { Resource: "service", Segment: "we", Prefix: true, Policy: "write" },
            Policies: [{ ID: policy, Name: "explained", Links: [{ Kind: "role", Name: "bearer" }] }],
          },
        },
        {
          Allow: true,
          Explain: {
            Rule: { Segment: "api", Policy: "write" },
            Policies: [{ Links: [{ Kind: "identity", Name: "api" }] }],
          },
        },
        { Allow: false, Explain: { DecidedBy: "default-policy" } },
      ]);
      const { secret: other } = await v1.token({ ServiceIdentities: [{ ServiceName: "api" }] });
      const refusal = await v1.post("/acl/authorize?explain=true", questions, other);
      expect([refusal.status, refusal.text]).toEqual([403, expect.stringMatching(/lacks permission 'acl:read'$/)]);
    });

    test("incident 22: a change of a token, of its role or of a policy counts with the next request", async () => {
      const policy = await v1.policy("");
      const role = await v1.role();
      const { accessor, secret } = await v1.token({ Policies: [{ ID: policy }], Roles: [{ ID: role }] });
      const may = async () =>
        (await v1.get("/acl/policies", secret)).status === 200 && (await ask(v1, secret, "acl read"))[0];
      const rules = `acl = "read"`;
      const other = await v1.policy(rules);
      expect(await may()).toBe(false);
      for (const [grant, revoke] of [
        [
          () => v1.patch(`/acl/policy/${policy}`, { Rules: rules }),
          () => v1.patch(`/acl/policy/${policy}`, { Rules: "" }),
        ],
        [
          () => v1.patch(`/acl/policy/${policy}`, { Rules: rules }),
          () => v1.patch(`/acl/policy/${policy}`, { Datacenters: ["dc2"], Rules: rules }),
        ],
        [
          () => v1.patch(`/acl/role/${role}`, { Policies: [{ ID: other }] }),
          () => v1.patch(`/acl/role/${role}`, { Policies: null }),
        ],
        [
          () => v1.patch(`/acl/token/${accessor}`, { Policies: [{ ID: other }] }),
          () => v1.patch(`/acl/token/${accessor}`, { Policies: [] }),
        ],
        [() => v1.patch(`/acl/role/${role}`, { Policies: [{ ID: other }] }), () => v1.delete(`/acl/policy/${other}`)],
      ]) {
        expect((await grant?.())?.status).toBe(200);
        expect(await may()).toBe(true);
        expect((await revoke?.())?.status).toBe(200);
        expect(await may()).toBe(false);
      }
      await v1.patch(`/acl/role/${role}`, { Policies: [{ Name: "global-management" }] });
      expect(await may()).toBe(true);
      await v1.delete(`/acl/role/${role}`);
      expect(await may()).toBe(false);
    });
  });

  describe("default allow", () => {
    const v1 = useV1(makeUrl, { config: { defaultPolicy: "allow" } });

    test("grants everything but acl, organization and workspace", async () => {
      const { accessor, secret } = await v1.token();
      const granted = [
        "keyring write",
        "operator write",
        "mesh write",
        "node write n",
        "key write-prefix k",
        "service write s",
        "intention write *",
      ];
      const never = [
        "acl read",
        "acl write",
        "organization read o",
        "organization write o",
        "workspace read o/w",
        "workspace write o/w",
      ];
      expect(await ask(v1, secret, ...granted, ...never)).toEqual([
        ...granted.map(() => true),
        ...never.map(() => false),
      ]);
      const answer = await v1.get("/acl/tokens", secret);
      expect(answer).toMatchObject({ status: 403, headers: { "x-service-default-acl-policy": "allow" } });
      expect((await v1.put("/acl/token", {}, "")).status).toBe(403);
      expect((await v1.get("/acl/token/self", secret)).status).toBe(200);
      expect((await v1.api("GET", "/organizations", undefined, secret)).body).toMatchObject({ data: [] });
      expect((await v1.get(`/acl/token/${accessor}?expanded`)).body.AgentACLDefaultPolicy).toBe("allow");
    });
  });
});
