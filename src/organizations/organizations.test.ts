import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { describe, expect, test } from "vitest";
import { useApi, ROOT, type Answer } from "../../test/support/api.ts";
import { forEachEngine } from "../../test/support/engines.ts";
import { entitlementSetDocument, organizationDocument, organizationList } from "./schema.ts";

/** A request body with these attributes. */
function body(attributes: object, more: object = {}) {
  return { data: { type: "organizations", attributes, ...more } };
}

function firstError(answer: Answer) {
  return { status: answer.status, ...(answer.body.errors[0] as Record<string, unknown>) };
}

const NAME = "/data/attributes/name";
const TAKEN = {
  status: "422",
  title: "invalid attribute",
  detail: "Name has already been taken",
  source: { pointer: NAME },
};

/** A valid value of every attribute besides name and email. */
const ATTRIBUTES = {
  "collaborator-auth-policy": "two_factor_mandatory",
  "session-timeout": 1800,
  "session-remember": 3600,
  "user-tokens-enabled": false,
  "cost-estimation-enabled": true,
  "stacks-enabled": true,
  "assessments-enforced": true,
  "send-passing-statuses-for-untriggered-speculative-plans": true,
  "aggregated-commit-status-enabled": false,
  "speculative-plan-management-enabled": true,
  "allow-force-delete-workspaces": true,
  "max-ttl-enabled": true,
  "enforce-hyok": true,
  "owners-team-saml-role-id": "owners",
  "default-execution-mode": "local",
};

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);
  let count = 0;
  const create = async (attributes: object = {}) => {
    const name = `Made-${count++}`;
    const answer = await api.post("/organizations", body({ name, email: "a@example.test", ...attributes }));
    expect(answer).toMatchObject({ status: 201 });
    return answer.body.data;
  };

  describe("create", () => {
    test("answers the defaults, and a read answers the same", async () => {
      api.setNow(Date.parse("2026-03-04T05:06:07.089Z"));
      const made = await create();
      api.setNow(undefined);
      expect(made).toMatchObject({
        id: made.attributes.name,
        type: "organizations",
        attributes: {
          email: "a@example.test",
          "external-id": expect.stringMatching(/^org-\w{16}$/),
          "created-at": "2026-03-04T05:06:07.089Z",
          "default-execution-mode": "remote",
          "collaborator-auth-policy": "password",
          "session-timeout": null,
          "user-tokens-enabled": true,
          "cost-estimation-enabled": false,
          "aggregated-commit-status-enabled": true,
          "trial-expires-at": null,
          permissions: { "can-update": true, "can-destroy": true, "can-manage-tags": true, "can-traverse": true },
        },
        relationships: { "default-agent-pool": { data: null }, subscription: { links: {} } },
        links: { self: `/api/v2/organizations/${made.id}` },
      });
      expect(made.attributes["remaining-testable-count"]).toBeGreaterThan(1);
      expect((await api.get(`/organizations/${made.id}`)).body).toEqual({ data: made });
    });

    test("stores and echoes every attribute, and ignores unknown ones", async () => {
      const made = await create({ ...ATTRIBUTES, "from-the-future": { a: [1] }, "external-id": "org-mine" });
      expect(made.attributes).toMatchObject(ATTRIBUTES);
      expect(made.attributes).not.toHaveProperty("from-the-future");
      expect(made.attributes["external-id"]).not.toBe("org-mine");
      expect((await api.get(`/organizations/${made.id}`)).body.data).toEqual(made);
    });

    test("every answer has the shape that is documented", async () => {
      const { id } = await create();
      const fits = (schema: TSchema, answer: Answer) => Compile(schema).Check(answer.body);
      expect(fits(organizationDocument, await api.get(`/organizations/${id}?include=default_project`))).toBe(true);
      expect(fits(organizationList, await api.get("/organizations"))).toBe(true);
      expect(fits(organizationList, await api.get("/organizations?page[size]=2"))).toBe(true);
      expect(fits(entitlementSetDocument, await api.get(`/organizations/${id}/entitlement-set`))).toBe(true);
    });

    test("gives it a default project, which can be included", async () => {
      const made = await create();
      const answer = await api.get(`/organizations/${made.id}?include=default-project,entitlement_set`);
      expect(answer.body.data).toEqual(made);
      const [project, entitlements] = answer.body.included;
      expect(project).toMatchObject({
        ...made.relationships["default-project"].data,
        attributes: { name: "Default Project" },
      });
      expect(entitlements).toMatchObject({ id: made.attributes["external-id"], attributes: { operations: false } });
      expect((await api.get(`/organizations/${made.id}/entitlement-set`)).body).toEqual({ data: entitlements });
      expect((await api.get(`/projects/${project.id}`)).body.data).toEqual(project);
    });

    test("a subscription is included as nothing, since there is none", async () => {
      const answer = await api.get(`/organizations/${await api.organization()}?include=subscription`);
      expect(answer).toMatchObject({ status: 200, body: { included: [] } });
    });

    test("an unknown include is 400 in words that clients know", async () => {
      const answer = await api.get("/organizations/whatever?include=nonsense");
      expect(firstError(answer)).toMatchObject({ status: "400", detail: expect.stringContaining("include parameter") });
    });

    test("a name is unique in any case", async () => {
      const made = await create();
      const again = await api.post("/organizations", body({ name: made.id.toUpperCase(), email: "b@example.test" }));
      expect(firstError(again)).toEqual(TAKEN);
    });

    test("of 20 at once with one name, one is made", async () => {
      const names = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? "At-Once" : "at-once"));
      const answers = await Promise.all(
        names.map((name) => api.post("/organizations", body({ name, email: "a@example.test" }))),
      );
      expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
      expect(answers.filter((answer) => answer.status === 422)).toHaveLength(19);
      const projects = await api.get("/organizations/at-once/projects");
      expect(projects.body.meta.pagination["total-count"]).toBe(1);
    });
  });

  const refused: [string, object, string?, string?][] = [
    ["no name", { email: "a@example.test" }, NAME],
    ["name null", { name: null, email: "a@example.test" }, NAME],
    ["name a number", { name: 5, email: "a@example.test" }, NAME],
    ["name empty", { name: "", email: "a@example.test" }, NAME],
    ["name of 91 characters", { name: "n".repeat(91), email: "a@example.test" }, NAME],
    ["name of 256 characters", { name: "n".repeat(256), email: "a@example.test" }, NAME],
    ["name with a blank", { name: "a b", email: "a@example.test" }, NAME, "Name may only contain"],
    ["name with a dot", { name: "a.b", email: "a@example.test" }, NAME, "Name may only contain"],
    ["name with a slash", { name: "a/b", email: "a@example.test" }, NAME, "Name may only contain"],
    ["name with a line break", { name: "ab\n", email: "a@example.test" }, NAME, "Name may only contain"],
    ["name beyond ASCII", { name: "Ünicode", email: "a@example.test" }, NAME, "Name may only contain"],
    ["name with NUL", { name: "a\0b", email: "a@example.test" }, NAME],
    ["name with half a surrogate pair", { name: "a\ud800", email: "a@example.test" }, NAME],
    ["no email", { name: "no-email" }, "/data/attributes/email"],
    ["email without @", { name: "bad", email: "nobody" }, "/data/attributes/email", "Email is invalid"],
    ["email with a line break", { name: "bad", email: "a@b\r\nX: y" }, "/data/attributes/email", "Email is invalid"],
    ["email too long", { name: "bad", email: `${"a".repeat(250)}@b.test` }, "/data/attributes/email"],
    ["switch as text", { name: "bad", email: "a@b.test", "stacks-enabled": "yes" }, "/data/attributes/stacks-enabled"],
    ["minutes as text", { name: "bad", email: "a@b.test", "session-timeout": "5" }, "/data/attributes/session-timeout"],
    ["minutes of 0", { name: "bad", email: "a@b.test", "session-remember": 0 }, "/data/attributes/session-remember"],
    [
      "minutes and a half",
      { name: "bad", email: "a@b.test", "session-remember": 1.5 },
      "/data/attributes/session-remember",
    ],
    [
      "unknown policy",
      { name: "bad", email: "a@b.test", "collaborator-auth-policy": "x" },
      "/data/attributes/collaborator-auth-policy",
    ],
    [
      "agents",
      { name: "bad", email: "a@b.test", "default-execution-mode": "agent" },
      "/data/attributes/default-execution-mode",
    ],
  ];
  test.each(refused)("refused: %s", async (_name, attributes, pointer, detail = "") => {
    const answer = await api.post("/organizations", body(attributes));
    expect(firstError(answer)).toMatchObject({
      status: "422",
      title: "invalid attribute",
      detail: expect.stringContaining(detail),
      source: { pointer },
    });
    expect((await api.get("/organizations/bad")).status).toBe(404);
  });

  test.each([
    ["nothing", ""],
    ["no JSON", '{"data":'],
    ["null", "null"],
    ["a list", "[]"],
    ["no data", "{}"],
    ["data null", '{"data":null}'],
    ["data a list", '{"data":[]}'],
    ["another type", '{"data":{"type":"projects","attributes":{"name":"bad","email":"a@b.test"}}}'],
    ["no type", '{"data":{"attributes":{"name":"bad","email":"a@b.test"}}}'],
    ["no attributes", '{"data":{"type":"organizations"}}'],
    ["attributes a list", '{"data":{"type":"organizations","attributes":[]}}'],
    ["deeply nested", `${'{"data":'.repeat(5000)}1${"}".repeat(5000)}`],
  ])("a malformed body is 422: %s", async (_name, payload) => {
    for (const method of ["POST", "PATCH", "PUT"] as const) {
      if (method !== "POST" && payload.endsWith(`"organizations"}}`)) continue;
      const url = `/api/v2/organizations${method === "POST" ? "" : "/nobody"}`;
      const headers = { authorization: `Bearer ${ROOT}`, "content-type": "application/vnd.api+json" };
      expect((await api.send({ method, url, headers, payload })).status).toBe(422);
    }
  });

  describe("update", () => {
    test("an empty one keeps everything, PUT like PATCH", async () => {
      const made = await create(ATTRIBUTES);
      expect((await api.patch(`/organizations/${made.id}`, body({}))).body.data).toEqual(made);
      expect((await api.patch(`/organizations/${made.id}`, { data: { type: "organizations" } })).body.data).toEqual(
        made,
      );
      const url = `/api/v2/organizations/${made.id}`;
      const headers = { authorization: `Bearer ${ROOT}`, "content-type": "application/vnd.api+json" };
      const put = await api.send({
        method: "PUT",
        url,
        headers,
        payload: JSON.stringify(body({ "session-timeout": 5 })),
      });
      expect(put.body.data.attributes).toEqual({ ...made.attributes, "session-timeout": 5 });
    });

    test.each(Object.entries(ATTRIBUTES))("changes only %s, and null goes back to the default", async (name, value) => {
      const made = await create();
      const changed = await api.patch(`/organizations/${made.id}`, body({ [name]: value }));
      expect(changed.body.data.attributes).toEqual({ ...made.attributes, [name]: value });
      expect((await api.get(`/organizations/${made.id}`)).body).toEqual(changed.body);
      const reset = await api.patch(`/organizations/${made.id}`, body({ [name]: null }));
      expect(reset.body.data.attributes).toEqual(made.attributes);
    });

    test("a rename moves everything and frees the old name", async () => {
      const made = await create();
      const workspace = await api.workspace(made.id, "kept", ["tagged"]);
      const renamed = await api.patch(
        `/organizations/${made.id}`,
        body({ name: `New-${made.id}`, email: "n@example.test" }),
      );
      expect(renamed.body.data).toMatchObject({
        id: `New-${made.id}`,
        attributes: { ...made.attributes, name: `New-${made.id}`, email: "n@example.test" },
      });
      expect((await api.get(`/organizations/${made.id}`)).status).toBe(404);
      expect((await api.get(`/organizations/NEW-${made.id}/workspaces/kept`)).body.data.id).toBe(workspace);
      expect((await api.post("/organizations", body({ name: made.id, email: "a@example.test" }))).status).toBe(201);
    });

    test("only the case of a name may change; another's is taken", async () => {
      const made = await create();
      const other = await create();
      const upper = made.id.toUpperCase();
      expect((await api.patch(`/organizations/${made.id}`, body({ name: upper }))).body.data.id).toBe(upper);
      const taken = await api.patch(`/organizations/${made.id}`, body({ name: other.id.toLowerCase() }));
      expect(firstError(taken)).toEqual(TAKEN);
    });

    test("an agent pool is refused in the words that clients know", async () => {
      const made = await create();
      const pool = { "default-agent-pool": { data: { type: "agent-pools", id: "apool-1" } } };
      const answer = await api.patch(`/organizations/${made.id}`, body({}, { relationships: pool }));
      expect(answer.status).toBe(422);
      expect(answer.text).toContain("must not be specified unless using 'agent' execution mode");
      const none = { "default-agent-pool": { data: null } };
      expect((await api.patch(`/organizations/${made.id}`, body({}, { relationships: none }))).status).toBe(200);
    });

    test("null keeps name and email, which have no default", async () => {
      const made = await create();
      expect((await api.patch(`/organizations/${made.id}`, body({ name: null, email: null }))).body.data).toEqual(made);
    });
  });
});
