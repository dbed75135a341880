import { expect, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { MANAGEMENT, NOBODY, useV1, type V1 } from "../../test/support/v1.ts";
import { chainHash } from "../storage/proofs/audit-chain.ts";
import { parseLine } from "../records/line.ts";

/** Returns the newest audit records, by default one. */
async function last(v1: V1, query = "", count = 1, token = MANAGEMENT) {
  const answer = await v1.get(`/audit?page-size=${count}${query}`, token);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const AGENT = "tester/1.0";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  async function organization(name = v1.unique("acme")) {
    const attributes = { name, email: "a@b.example" };
    const made = await v1.api("POST", "/organizations", { data: { type: "organizations", attributes } });
    expect(made.status, made.text).toBe(201);
    return { name, id: String(made.body.data.attributes["external-id"]) };
  }

  async function organizationAudit(name: string, query = "", token = MANAGEMENT) {
    return v1.api("GET", `/organizations/${name}/audit${query}`, undefined, token);
  }

  test("a record says who did what to which object, from where and by which request", async () => {
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const name = v1.unique("p");
    const answer = await v1.send({
      method: "PUT",
      url: "/v1/acl/policy",
      headers: { "x-service-token": MANAGEMENT, "user-agent": AGENT, traceparent },
      payload: JSON.stringify({ Name: name, Rules: 'key "a" { policy = "read" }' }),
    });
    const self = (await v1.get("/acl/token/self")).body;
    const [record] = await last(v1);
    expect(record).toMatchObject({
      Outcome: "done",
      Action: "create",
      Kind: "policy",
      ID: answer.body.ID,
      Name: name,
      Namespace: "default",
      Partition: "default",
      Actor: { AccessorID: self.AccessorID, Address: "127.0.0.1", UserAgent: AGENT },
      RequestID: answer.headers["x-request-id"],
      Route: "PUT /v1/acl/policy",
      Traceparent: traceparent,
      Chain: "partition/default",
    });
    expect(record.Changes[0]).toMatchObject({ Name: name, Rules: 'key "a" { policy = "read" }' });
    expect(Math.abs(Date.parse(record.Time) - Date.now())).toBeLessThan(60_000);
  });

  test("incident 24: a SecretID that a client calls itself by, or has for a trace, is in no record", async () => {
    const { secret } = await v1.token();
    const answer = await v1.send({
      method: "PUT",
      url: "/v1/acl/policy",
      headers: { "x-service-token": MANAGEMENT, "user-agent": `job ${secret}`, traceparent: `00-${secret}-01` },
      payload: JSON.stringify({ Name: v1.unique("p") }),
    });
    expect(answer.status).toBe(200);
    const [record] = await last(v1);
    expect(record.Actor.UserAgent).toMatch(/^job uuid-sha256-[0-9a-f]{12}$/);
    expect(record.Traceparent).toBeUndefined();
    expect(JSON.stringify(record)).not.toContain(secret);
  });

  test("an update holds what was and what is, a delete what was, and neither a secret", async () => {
    const { accessor, secret } = await v1.token({ Description: "one" });
    await v1.put(`/acl/token/${accessor}`, { Description: "two" });
    await v1.delete(`/acl/token/${accessor}`);
    const [deleted, updated, created] = await last(v1, `&object=${accessor}`, 10);
    expect(updated.Changes).toEqual({
      Description: ["one", "two"],
      ModifyIndex: [expect.any(Number), expect.any(Number)],
    });
    expect([created.Action, updated.Action, deleted.Action]).toEqual(["create", "update", "delete"]);
    expect(deleted.Changes).toEqual([expect.objectContaining({ Description: "two" }), 0, 0]);
    expect(JSON.stringify([deleted, updated, created])).not.toContain(secret);
    expect(Object.keys(created.Changes[0]).filter((name) => /Secret|Hash|Method/.test(name))).toEqual([]);
  });

  test("every kind of object under /v1 is on record, made, changed and deleted", async () => {
    const ns = v1.unique("ns");
    await v1.put("/namespace", { Name: ns });
    await v1.put(`/namespace/${ns}`, { Description: "changed" });
    const policy = await v1.policy('key "a" { policy = "read" }');
    const role = await v1.role({ Policies: [{ ID: policy }] });
    await v1.put(`/acl/role/${role}`, { Name: v1.unique("r") });
    await v1.delete(`/acl/role/${role}`);
    await v1.delete(`/namespace/${ns}`);
    const all = await last(v1, "&ns=*", 200);
    const seen = all.map(({ Kind, Action }: { Kind: string; Action: string }) => `${Action} ${Kind}`);
    expect(seen).toEqual(
      expect.arrayContaining([
        "create namespace",
        "update namespace",
        "delete namespace",
        "create role",
        "update role",
        "delete role",
        "create policy",
        "create token",
      ]),
    );
  });

  test("what is refused, or changes nothing under /api/v2, moves no chain", async () => {
    const { name, id } = await organization();
    const head = async () =>
      v1.db.sql
        .selectFrom("counters")
        .select(["audit_seq", "audit_hash"])
        .where("name", "in", [`organization/${id}`, "partition/default"])
        .orderBy("name")
        .execute();
    const before = await head();
    expect((await v1.delete(`/acl/policy/${NOBODY}`)).status).toBe(404);
    await v1.api("PATCH", `/organizations/${name}`, { data: { type: "organizations", attributes: { name } } });
    await v1.api("DELETE", `/organizations/${name}/tags`, { data: [{ type: "tags", id: "tag-none" }] });
    expect(await head()).toEqual(before);
  });

  test("what is done to an organization, its tags and its workspaces is on its record, and stays there when it is gone", async () => {
    const { name, id } = await organization();
    const tags = await v1.api("POST", `/organizations/${name}/tags`, {
      data: [{ type: "tags", attributes: { name: "prod" } }],
    });
    const tag = String(tags.body.data[0].id);
    const workspace = { type: "workspaces", attributes: { name: "db" } };
    const made = await v1.api("POST", `/organizations/${name}/workspaces`, { data: workspace });
    const ws = String(made.body.data.id);
    await v1.api("POST", `/tags/${tag}/relationships/workspaces`, { data: [{ type: "workspaces", id: ws }] });
    await v1.api("POST", `/workspaces/${ws}/actions/lock`, { reason: "why" });
    await v1.api("PATCH", `/tags/${tag}`, { data: { type: "tags", attributes: { name: "production" } } });
    await v1.api("DELETE", `/organizations/${name}/tags`, { data: [{ type: "tags", id: tag }] });
    await v1.api("DELETE", `/organizations/${name}`);
    const { body } = await organizationAudit(id, "?page%5Bsize%5D=100");
    // Records of the work in the background are tested in `organizations/gone.test.ts`.
    const own = body.data.filter((each: object) => !JSON.stringify(each).includes("deletedWith"));
    const seen = own.map(({ attributes }: { attributes: Record<string, unknown> }) => [
      attributes["action"],
      attributes["kind"],
      attributes["name"],
    ]);
    expect(seen.toReversed()).toEqual([
      ["create", "organization", name],
      ["create", "project", "Default Project"],
      ["create", "tag", "prod"],
      ["create", "workspace", "db"],
      ["change-tags", "workspace", "db"],
      ["lock", "workspace", "db"],
      ["rename", "tag", "prod"],
      ["change-tags", "workspace", "db"],
      ["delete", "tag", "production"],
      ["delete", "organization", name],
    ]);
    expect((await organizationAudit(name)).status).toBe(404);
  });

  test("pages hold each record once, whatever is written meanwhile, and filters leave out what they say", async () => {
    const { name } = await organization();
    for (const each of ["a", "b", "c", "d", "e"]) {
      await v1.api("POST", `/organizations/${name}/tags`, { data: [{ type: "tags", attributes: { name: each } }] });
    }
    const names: string[] = [];
    let path = `/organizations/${name}/audit?page%5Bsize%5D=2&filter%5Bkind%5D=tag`;
    for (let page = 0; page < 3; page++) {
      const { body } = await v1.api("GET", path);
      names.push(...body.data.map((record: { attributes: { name: string } }) => record.attributes.name));
      await v1.api("POST", `/organizations/${name}/tags`, {
        data: [{ type: "tags", attributes: { name: `new-${page}` } }],
      });
      if (page < 2) path = new URL(body.links.next).pathname.slice("/api/v2".length) + new URL(body.links.next).search;
      else expect(body.links.next).toBeNull();
    }
    expect(names).toEqual(["e", "d", "c", "b", "a"]);
    for (const filter of [
      "outcome=gone",
      "from=yesterday",
      "to=2026",
      "from=2026-02-30T00:00:00Z",
      "to=2026-01-01T24:00:00Z",
    ]) {
      const [key, value] = filter.split("=");
      expect((await organizationAudit(name, `?filter%5B${key}%5D=${value}`)).status).toBe(400);
      expect((await v1.get(`/audit?${filter}`)).status).toBe(400);
    }
    expect((await v1.get("/audit?actr=x")).status).toBe(400);
    expect((await organizationAudit(name, "?page%5Bafter%5D=nonsense")).status).toBe(400);
    const forged = Buffer.alloc(40).toString("hex");
    expect((await organizationAudit(name, `?page%5Bafter%5D=${forged}`)).status).toBe(400);
    expect((await v1.get("/audit?page-size=1&after=bm9uc2Vuc2U")).status).toBe(400);
  });

  test("a tenant sees its namespace and nothing else, and nothing else wakes it", async () => {
    const ns = v1.unique("tenant");
    await v1.put("/namespace", { Name: ns });
    const tenant = await v1.put(`/acl/token?ns=${ns}`, { Policies: [{ Name: "namespace-management" }] });
    const secret = String(tenant.body.SecretID);
    expect((await v1.get("/audit?ns=default", secret)).status).toBe(403);
    const own = (await v1.get("/audit", secret)).body;
    expect(own.map(({ Kind }: { Kind: string }) => Kind).toSorted()).toEqual(["policy", "token"]);
    const everything = (await v1.get("/audit?ns=*", secret)).body;
    expect(everything).toEqual(own);
    const index = Number((await v1.get("/audit", secret)).headers["x-service-index"]);
    await v1.policy('key "a" { policy = "read" }');
    expect(Number((await v1.get("/audit", secret)).headers["x-service-index"])).toBe(index);
    const waiting = v1.get(`/audit?index=${index}&wait=30s`, secret);
    await v1.put(`/acl/policy?ns=${ns}`, { Name: v1.unique("p"), Rules: "" });
    const news = await waiting;
    expect(Number(news.headers["x-service-index"])).toBeGreaterThan(index);
    expect(news.body[0]).toMatchObject({ Kind: "policy", Action: "create", Namespace: ns });
  });

  test("operator:read shows a partition, and a token without it or acl:read nothing", async () => {
    const operator = await v1.tokenWith('operator = "read"');
    expect((await v1.get("/audit?ns=*", operator)).body.length).toBeGreaterThan(1);
    const nobody = await v1.tokenWith('key "a" { policy = "read" }');
    const refused = await v1.get("/audit", nobody);
    expect([refused.status, refused.headers["x-service-index"]]).toEqual([403, "1"]);
    expect((await v1.get("/audit", "")).status).toBe(403);
  });

  test("an export has a line for each record, the oldest first, and says all that a chain is made of", async () => {
    const { name, id } = await organization();
    await v1.api("POST", `/organizations/${name}/tags`, { data: [{ type: "tags", attributes: { name: "a" } }] });
    const accept = "application/x-ndjson";
    const lines = async (url: string, token = MANAGEMENT) => {
      const answer = await v1.send({ method: "GET", url, headers: { authorization: `Bearer ${token}`, accept } });
      expect([answer.status, answer.headers["content-type"]], answer.text).toEqual([200, accept]);
      return answer.text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
    };
    const own = await lines(`/api/v2/organizations/${name}/audit`);
    expect(own.map(({ kind, action }) => `${action} ${kind}`)).toEqual(["create tag"]);
    const chain = own
      .filter((line) => line.chain === `organization/${id}`)
      .map((line) => parseLine(JSON.stringify(line)));
    expect(chain.map((line) => (line?.type === "record" ? chainHash("", line.record) : ""))).toEqual([own.at(-1).hash]);
    for (let made = 0; made < 3; made++) await v1.policy("");
    const all = await lines("/v1/audit?ns=*&kind=policy");
    expect(all.length).toBeGreaterThanOrEqual(3);
    const times = all.map(({ at }) => Date.parse(at));
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    const ns = v1.unique("ns");
    await v1.put("/namespace", { Name: ns });
    const tenant = await v1.put(`/acl/token?ns=${ns}`, { Policies: [{ Name: "namespace-management" }] });
    const shown = await lines("/v1/audit", String(tenant.body.SecretID));
    expect(shown.map(({ Kind, Seq }) => [Kind, Seq])).toEqual([
      ["policy", undefined],
      ["token", undefined],
    ]);
    const refused = await v1.send({
      method: "GET",
      url: "/v1/audit",
      headers: { accept, "x-service-token": await v1.tokenWith("") },
    });
    expect(refused.status).toBe(403);
  });

  test("records form chains: each holds the hash of the one before, to the heads that the counters hold", async () => {
    for (let made = 0; made < 3; made++) {
      const { name } = await organization();
      await v1.api("POST", `/organizations/${name}/tags`, { data: [{ type: "tags", attributes: { name: "a" } }] });
      await v1.policy("");
    }
    const records = await v1.db.sql.selectFrom("audit_records").selectAll().orderBy("chain").orderBy("seq").execute();
    const counters = await v1.db.sql.selectFrom("counters").selectAll().execute();
    expect(new Set(records.map(({ chain }) => chain)).size).toBeGreaterThan(3);
    for (const [chain, links] of Map.groupBy(records, (record) => record.chain)) {
      let before = "";
      links.forEach(({ hash, ...content }, place) => {
        expect([content.seq, hash]).toEqual([place + 1, chainHash(before, content)]);
        before = hash;
      });
      const counter = counters.find(({ name }) => name === chain || name === `ended/${chain}`);
      expect([counter?.audit_seq, counter?.audit_hash], chain).toEqual([links.length, before]);
    }
  });
});
