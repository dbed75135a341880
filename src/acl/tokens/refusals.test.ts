import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { NOBODY, RESERVED, useV1 } from "../../../test/support/v1.ts";

const NAMES = "Only lowercase alphanumeric characters, '-' and '_' are allowed";
const TAKEN = "7e57ab1e-0000-4000-8000-00000000000a";
const TAKEN_SECRET = "7e57ab1e-0000-4000-8000-00000000000b";
const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const at = (offsetMs: number) => new Date(NOW + offsetMs).toISOString();

/** Bodies that neither a new token nor a change of one may have, with the whole text of the refusal. */
const GRANTS: readonly [what: string, body: object, text: string][] = [
  ["a policy that no name has", { Policies: [{ Name: "nobody" }] }, `No such ACL policy with name "nobody"`],
  ["a policy that no ID has", { Policies: [{ ID: NOBODY }] }, `No such ACL policy with ID "${NOBODY}"`],
  ["a policy whose ID is none", { Policies: [{ ID: "x" }] }, `No such ACL policy with ID "x"`],
  ["a policy of neither", { Policies: [{}] }, `No such ACL policy with name ""`],
  [
    "an unknown ID beside a name that is known",
    { Policies: [{ ID: NOBODY, Name: "global-management" }] },
    `No such ACL policy with ID "${NOBODY}"`,
  ],
  ["a role that no name has", { Roles: [{ Name: "nobody" }] }, `No such ACL role with name "nobody"`],
  ["a role that no ID has", { Roles: [{ ID: NOBODY }] }, `No such ACL role with ID "${NOBODY}"`],
  ["a policy where a role goes", { Roles: [{ ID: `${RESERVED}01` }] }, `No such ACL role with ID "${RESERVED}01"`],
  [
    "a service without a name",
    { ServiceIdentities: [{}] },
    "Service identity is missing the service name field on this token",
  ],
  [
    "a service in upper case",
    { ServiceIdentities: [{ ServiceName: "Web" }] },
    `Service identity "Web" has an invalid name. ${NAMES}`,
  ],
  [
    "a service with a dash at its end",
    { ServiceIdentities: [{ ServiceName: "web-" }] },
    `Service identity "web-" has an invalid name. ${NAMES}`,
  ],
  [
    "a service of 257 letters",
    { ServiceIdentities: [{ ServiceName: "a".repeat(257) }] },
    `Service identity "${"a".repeat(257)}" has an invalid name. ${NAMES}`,
  ],
  [
    "a node without a name",
    { NodeIdentities: [{ Datacenter: "dc1" }] },
    "Node identity is missing the node name field on this token",
  ],
  [
    "a node without a datacenter",
    { NodeIdentities: [{ NodeName: "n" }] },
    "Node identity is missing the datacenter field on this token",
  ],
  [
    "a node in upper case",
    { NodeIdentities: [{ NodeName: "N", Datacenter: "dc1" }] },
    `Node identity has an invalid name. ${NAMES}`,
  ],
  [
    "a template without a name",
    { TemplatedPolicies: [{}] },
    "templated policy is missing the template name field on this token",
  ],
  [
    "a template that there is not",
    { TemplatedPolicies: [{ TemplateName: "x" }] },
    `no such ACL templated policy with Name "x"`,
  ],
  [
    "a template by a property of objects",
    { TemplatedPolicies: [{ TemplateName: "__proto__" }] },
    `no such ACL templated policy with Name "__proto__"`,
  ],
  [
    "a template without its variable",
    { TemplatedPolicies: [{ TemplateName: "builtin/service", TemplateVariables: {} }] },
    `validation error for templated policy "builtin/service": 1 error occurred:\n\t* name is required\n\n`,
  ],
  [
    "a template without variables that it needs",
    { TemplatedPolicies: [{ TemplateName: "builtin/service" }] },
    `validation error for templated policy "builtin/service": 1 error occurred:\n\t* Invalid type. Expected: object, given: null\n\n`,
  ],
  [
    "a template with a bad service name",
    { TemplatedPolicies: [{ TemplateName: "builtin/service", TemplateVariables: { Name: "Web" } }] },
    `validation error for templated policy "builtin/service": service identity "Web" has an invalid name. ${NAMES}`,
  ],
  [
    "a template with a bad node name",
    { TemplatedPolicies: [{ TemplateName: "builtin/node", TemplateVariables: { Name: "N" } }] },
    `validation error for templated policy "builtin/node": node identity "N"  has an invalid name. ${NAMES}`,
  ],
  ...(["Policies", "Roles", "ServiceIdentities", "NodeIdentities", "TemplatedPolicies"] as const).map(
    (list): [string, object, string] => [
      `129 ${list}`,
      { [list]: Array.from({ length: 129 }, () => ({})) },
      `${list} has 129 entries; at most 128 are allowed`,
    ],
  ),
];

const LOCAL_SERVICE = { ServiceIdentities: [{ ServiceName: "web", Datacenters: ["dc1"] }] };
const LOCAL_TEXT = `Service identity "web" cannot specify a list of datacenters on a local token`;

/** Bodies that only a new token cannot have. */
const CREATION: readonly [what: string, body: object, text: string][] = [
  ...(["AccessorID", "SecretID"] as const).flatMap((field): [string, object, string][] => [
    [`an ${field} that is no UUID`, { [field]: "x" }, `Invalid Token: ${field} - not a valid UUID`],
    [
      `an ${field} with a reserved prefix`,
      { [field]: `${RESERVED}ff` },
      `Invalid Token: ${field} - UUIDs with the prefix "${RESERVED}" are reserved`,
    ],
    [`an ${field} that is another's AccessorID`, { [field]: TAKEN }, `Invalid Token: ${field} is already in use`],
    [`an ${field} that is another's SecretID`, { [field]: TAKEN_SECRET }, `Invalid Token: ${field} is already in use`],
  ]),
  [
    "an AccessorID that is another's SecretID in other letters",
    { AccessorID: TAKEN_SECRET.toUpperCase() },
    "Invalid Token: AccessorID is already in use",
  ],
  [
    "an AccessorID in other letters",
    { AccessorID: TAKEN.toUpperCase() },
    "Invalid Token: AccessorID is already in use",
  ],
  ["an auth method", { AuthMethod: "x" }, "AuthMethod field is disallowed outside of login"],
  ["a negative lifetime", { ExpirationTTL: "-1m" }, "Token Expiration TTL '-1m0s' should be > 0"],
  [
    "a lifetime and a time of expiry",
    { ExpirationTTL: "1h", ExpirationTime: at(3600_000) },
    "Token Expiration TTL and Expiration Time cannot both be set",
  ],
  ["an expiry in the past", { ExpirationTime: at(-1) }, "ExpirationTime cannot be before CreateTime"],
  [
    "a lifetime under a minute",
    { ExpirationTTL: "59s" },
    "ExpirationTime cannot be less than 1m0s in the future (was 59s)",
  ],
  [
    "an expiry within the minute",
    { ExpirationTime: at(59_999) },
    "ExpirationTime cannot be less than 1m0s in the future (was 59.999s)",
  ],
  [
    "an expiry past the longest duration",
    { ExpirationTime: "2400-01-01T00:00:00Z" },
    "ExpirationTime cannot be more than 2562047h47m16.854775807s in the future (was ",
  ],
  ["datacenters of a service of a local token", { ...LOCAL_SERVICE, Local: true }, LOCAL_TEXT],
];

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeAll(async () => {
    v1.setNow(NOW);
    await v1.token({ AccessorID: TAKEN, SecretID: TAKEN_SECRET });
  });
  const count = async () => (await v1.get("/acl/tokens")).body.length;

  describe("a new token is refused", () => {
    test.each([...GRANTS, ...CREATION])("with %s", async (_what, body, text) => {
      const before = await count();
      const answer = await v1.put("/acl/token", body);
      expect(answer.text.slice(0, text.length)).toBe(text);
      expect(answer.text.endsWith(text) || text.endsWith("(was ")).toBe(true);
      expect(answer).toMatchObject({ status: 400, headers: { "content-type": "text/plain; charset=utf-8" } });
      expect(await count()).toBe(before);
    });
  });

  describe("incident 28: a change runs the checks of creation again and is refused", () => {
    test.each(GRANTS)("with %s", async (_what, body, text) => {
      const before = await v1.get(`/acl/token/${TAKEN}`);
      for (const change of [v1.put, v1.patch]) {
        expect(await change(`/acl/token/${TAKEN}`, body)).toMatchObject({ status: 400, text });
      }
      expect((await v1.get(`/acl/token/${TAKEN}`)).text).toBe(before.text);
    });

    test("with datacenters of a service of a local token", async () => {
      const { accessor } = await v1.token({ Local: true });
      const path = `/acl/token/${accessor}`;
      expect(await v1.put(path, { ...LOCAL_SERVICE, Local: true })).toMatchObject({ status: 400, text: LOCAL_TEXT });
      expect(await v1.patch(path, LOCAL_SERVICE)).toMatchObject({ status: 400, text: LOCAL_TEXT });
    });
  });

  describe("what a token is cannot be changed", () => {
    const cases: readonly [what: string, body: object, status: number, text: string][] = [
      ["its secret", { SecretID: NOBODY }, 400, "Changing a token's SecretID is not permitted"],
      ["its secret to a reserved word", { SecretID: "allow" }, 403, "Permission denied: Cannot modify root ACL"],
      ["its secret to what hides it", { SecretID: "<hidden>" }, 400, "Changing a token's SecretID is not permitted"],
      ["its locality", { Local: true }, 400, `Cannot toggle local mode of ${TAKEN}`],
      ["its auth method", { AuthMethod: "x" }, 400, `Cannot change AuthMethod of ${TAKEN}`],
      ["its lifetime", { ExpirationTTL: "2h" }, 400, `Cannot change expiration time of ${TAKEN}`],
      ["its time of expiry", { ExpirationTime: at(7200_000) }, 400, `Cannot change expiration time of ${TAKEN}`],
    ];
    test.each(cases)("%s", async (_what, body, status, text) => {
      for (const change of [v1.put, v1.patch]) {
        expect(await change(`/acl/token/${TAKEN}`, body)).toMatchObject({ status, text });
      }
    });

    test("locality by leaving it out of a replacement; a partial update keeps it", async () => {
      const { accessor } = await v1.token({ Local: true });
      const text = `Cannot toggle local mode of ${accessor}`;
      expect(await v1.put(`/acl/token/${accessor}`, {})).toMatchObject({ status: 400, text });
      expect((await v1.patch(`/acl/token/${accessor}`, {})).body.Local).toBe(true);
    });
  });
});
