/** Denied requests that no permissions decide, and the facts that each reader gets about them. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { refusalOf, refusalsIn } from "../../../test/support/refusals.ts";
import { useV1 } from "../../../test/support/v1.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  async function organization(): Promise<{ name: string; id: string }> {
    const name = v1.unique("org");
    const attributes = { name, email: "a@example.com" };
    const answer = await v1.api("POST", "/organizations", { data: { type: "organizations", attributes } });
    expect(answer.status).toBe(201);
    return { name, id: String(answer.body.data.attributes["external-id"]) };
  }

  test("what no rights would allow is on record: a second bootstrap, a logout without a login, a reserved secret", async () => {
    const { secret, accessor } = await v1.token({});
    const cases = [
      [await v1.put("/acl/bootstrap", {}, ""), "bootstrap", "", "ACL bootstrap no longer allowed"],
      [await v1.post("/acl/logout", undefined, secret), "logout", accessor, "token wasn't created via login"],
      [
        await v1.put(`/acl/token/${accessor}`, { SecretID: "allow" }),
        "reserved-secret",
        undefined,
        "Cannot modify root ACL",
      ],
    ] as const;
    for (const [answer, name, accessorId, reason] of cases) {
      expect(answer.status).toBe(403);
      const record = await refusalOf(v1.db, answer);
      expect(record).toMatchObject({
        kind: "request",
        name,
        action: "write",
        partition: "default",
        namespace: "default",
      });
      expect(record.detail.request.reason).toContain(reason);
      if (accessorId !== undefined) expect(record.accessorId).toBe(accessorId);
      const why = await v1.get(`/acl/why/${String(answer.headers["x-request-id"])}`);
      expect(why.status, why.text).toBe(200);
    }
  });

  test("who may not read the records of an organization that is gone is on record", async () => {
    const { name, id } = await organization();
    expect((await v1.api("DELETE", `/organizations/${name}`)).status).toBe(204);
    const secret = await v1.tokenWith('key "a" { policy = "read" }');
    const answer = await v1.api("GET", `/organizations/${id}/audit`, undefined, secret);
    expect(answer.status).toBe(404);
    expect((await refusalOf(v1.db, answer)).detail).toMatchObject({
      question: { resource: "organization", segment: name, access: "read" },
      decision: { decidedBy: "default-policy" },
    });
  });

  test("the question of a webhook's refusal is one that was answered with no", async () => {
    const { name } = await organization();
    const attributes = { name: "one", url: "https://hooks.example" };
    for (const [barred, segment, rule] of [
      [`workspace "${name}/shut"`, "shut", "shut"],
      [`workspace_prefix "${name}/shut"`, "shut", "shut"],
      [`workspace_prefix "${name}/"`, "", ""],
    ] as const) {
      const rules = `organization "${name}" { policy = "write" } ${barred} { policy = "deny" }`;
      const secret = await v1.tokenWith(rules);
      const data = { type: "tag-webhooks", attributes };
      const answer = await v1.api("POST", `/organizations/${name}/tag-webhooks`, { data }, secret);
      expect(answer.status, answer.text).toBe(404);
      expect((await refusalOf(v1.db, answer)).detail).toMatchObject({
        question: { resource: "workspace", segment: `${name}/${segment}`, access: "read" },
        decision: { rule: { Segment: `${name}/${rule}`, Policy: "deny" } },
      });
    }
  });

  test("the policies that decided are told to who may read them, and not to tenants or organizations", async () => {
    const [ns, policy] = [v1.unique("tenant"), v1.unique("canary")];
    const { name } = await organization();
    await v1.put("/namespace", { Name: ns });
    const rules = `acl = "read" organization "${name}" { policy = "read" } namespace "${ns}" { acl = "read" }`;
    const { secret } = await v1.token({ Policies: [{ ID: await v1.policy(rules, policy) }] });
    const data = { type: "organizations", attributes: { email: "b@example.com" } };
    const asked = [
      await v1.put(`/acl/policy?ns=${ns}`, { Name: "mine" }, secret),
      await v1.api("PATCH", `/organizations/${name}`, { data }, secret),
    ];
    for (const answer of asked) expect((await refusalOf(v1.db, answer)).detail.decision.policies).toEqual([policy]);
    const tenant = await v1.put(`/acl/token?ns=${ns}`, { Policies: [{ Name: "namespace-management" }] });
    const reader = await v1.tokenWith(`organization "${name}" { policy = "read" }`);
    const both = await v1.tokenWith(`organization "${name}" { policy = "read" } acl = "read"`);
    const lines = { accept: "application/x-ndjson" };
    const tenants = (token: string) => v1.get(`/audit?ns=${ns}&outcome=refused`, token);
    const readers = (token: string) =>
      v1.api("GET", `/organizations/${name}/audit?filter[outcome]=refused`, undefined, token);
    const exported = (token: string) =>
      v1.send({
        method: "GET",
        url: `/api/v2/organizations/${name}/audit`,
        headers: { ...lines, authorization: `Bearer ${token}` },
      });
    for (const answer of [await tenants(String(tenant.body.SecretID)), await readers(reader)]) {
      expect(answer.status, answer.text).toBe(200);
      expect(answer.text).toMatch(/"decision":\{"decidedBy":"direct"\}/);
      expect(answer.text).not.toContain(policy);
    }
    expect((await exported(reader)).text).not.toContain(policy);
    for (const answer of [await tenants(secret), await readers(both)]) expect(answer.text).toContain(policy);
    for (const answer of [await tenants(""), await exported("")]) expect(answer.text).not.toContain(policy);
    const { text } = await v1.send({
      method: "GET",
      url: `/api/v2/organizations/${name}/audit`,
      headers: { ...lines, authorization: `Bearer ${await v1.tokenWith(`${rules} operator = "read"`)}` },
    });
    expect(text).toContain(policy);
  });

  test("a secret in the place of a namespace or an organization stands in no record, and in no question of the log", async () => {
    const { secret } = await v1.token({});
    const canary = randomUUID();
    const answers = [
      await v1.get(`/acl/policies?ns=${canary}`, secret),
      await v1.put(`/namespace/${canary}`, { Name: canary }, secret),
      await v1.api(
        "POST",
        "/organizations",
        { data: { type: "organizations", attributes: { name: canary, email: "a@b.c" } } },
        secret,
      ),
    ];
    for (const answer of answers) {
      expect([403, 404]).toContain(answer.status);
      await refusalOf(v1.db, answer);
    }
    const all = JSON.stringify(await refusalsIn(v1.db));
    expect(all).not.toContain(canary);
    expect(v1.log.filter((line) => line.includes('"refused":') && line.includes(`"${canary}"`))).toEqual([]);
    expect(all).toMatch(/uuid-sha256-[0-9a-f]{12}/);
    // Existing objects are shown by their names, whatever these look like.
    await v1.put("/namespace", { Name: canary });
    const known = await refusalOf(v1.db, await v1.put(`/acl/policy?ns=${canary}`, { Name: "mine" }, secret));
    expect([known.namespace, known.detail.question.namespace]).toEqual([canary, canary]);
  });

  test("the request-id of any request that was gathered finds its record", async () => {
    const secret = await v1.tokenWith('acl = "read"');
    const answers = [1, 2, 3].map(async () => v1.put("/acl/policy", { Name: "mine" }, secret));
    const ids = (await Promise.all(answers)).map(({ headers }) => String(headers["x-request-id"]));
    for (const id of ids) {
      await refusalOf(v1.db, { headers: { "x-request-id": id } });
      const { body } = await v1.get(`/audit?request-id=${id}`);
      expect(body).toMatchObject([{ Outcome: "refused", Detail: { requestIds: expect.arrayContaining([id]) } }]);
      expect((await v1.get(`/audit?request-id=${id}&action=read`)).body).toEqual([]);
    }
    expect((await v1.get("/audit?request-id=none")).body).toEqual([]);
  });
});
