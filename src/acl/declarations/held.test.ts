/** Nothing that a directory owns is passed by: whatever it is called by, whoever writes it, and wherever its declaration lies. */
import { pino } from "pino";
import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { declare, makeSo, serverOf } from "../../../test/support/declared.ts";
import { doJobs, jobBody } from "../../../test/support/jobs.ts";
import { MANAGEMENT, useV1, type V1 } from "../../../test/support/v1.ts";
import { takeLease, type Lease } from "../../storage/feed/lease.ts";
import { createAccessorResolver } from "../tokens/resolve.ts";
import { openRevocations } from "../tokens/revocation/engine.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

const ACCESS = { nodeName: "test", datacenter: "dc1", defaultPolicy: "deny", edition: "enterprise" } as const;

/** A request that asks to leave alone what is owned. @returns its status, and whom it names */
async function asking(v1: V1, method: Method, path: string, payload?: object, token = MANAGEMENT) {
  const isApi = path.startsWith("/api/v2/");
  const type = isApi ? { "content-type": "application/vnd.api+json" } : {};
  const headers = { authorization: `Bearer ${token}`, "x-tessera-unowned": "true", ...type };
  const answer = await v1.send({ method, url: path, headers, ...(payload && { payload: JSON.stringify(payload) }) });
  return [answer.status, answer.headers["x-tessera-owner"]];
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const own = (Name: string, Objects: readonly string[], query = "") =>
    v1.put(`/acl/declaration${query}`, { Name, Objects });
  const resource = (type: string, attributes: object) => ({ data: { type, attributes } });

  async function organization(name: string): Promise<string> {
    await v1.api("POST", "/organizations", resource("organizations", { name, email: "ops@example.com" }));
    const made = await v1.api("POST", `/organizations/${name}/workspaces`, resource("workspaces", { name: "crane" }));
    return made.body.data.id;
  }

  test("incident 81: what is renamed is owned by the name that it had, and by the one that it gets", async () => {
    const { body: policy } = await v1.put("/acl/policy", { Name: "named" });
    await v1.put("/acl/role", { Name: "free" });
    await own("names", ["policy default/default/named", "role default/default/taken"]);
    expect(await asking(v1, "PATCH", `/v1/acl/policy/${policy.ID}`, { Name: "other" })).toEqual([409, "names"]);
    const { body: role } = await v1.get("/acl/role/name/free");
    expect(await asking(v1, "PATCH", `/v1/acl/role/${role.ID}`, { Name: "taken" })).toEqual([409, "names"]);
    const id = await organization("renamed");
    const { body } = await v1.api("POST", "/organizations/renamed/tags", {
      data: [{ type: "tags", attributes: { name: "steel" } }],
    });
    await own("cranes", ["workspace renamed/crane", "tag renamed/steel"]);
    const name = resource("workspaces", { name: "hoist" });
    expect(await asking(v1, "PATCH", `/api/v2/workspaces/${id}`, name)).toEqual([412, "cranes"]);
    expect(await asking(v1, "PATCH", `/api/v2/tags/${body.data[0].id}`, resource("tags", { name: "iron" }))).toEqual([
      412,
      "cranes",
    ]);
    const all = resource("organizations", { name: "renamed-all" });
    expect(await asking(v1, "PATCH", "/api/v2/organizations/renamed", all)).toEqual([412, "cranes"]);
    const renamed = await v1.api("PATCH", `/workspaces/${id}`, name);
    expect([renamed.status, renamed.headers["x-tessera-owner"]]).toEqual([200, "cranes"]);
    expect(await asking(v1, "PATCH", `/api/v2/workspaces/${id}`, resource("workspaces", { name: "lift" }))).toEqual([
      200,
      undefined,
    ]);
  });

  test("incident 81: who may not read declarations is refused all the same, and no owner is named", async () => {
    await v1.put("/namespace", { Name: "jetty" });
    const { body: policy } = await v1.put("/acl/policy?ns=jetty", { Name: "boat" });
    const tenant = await v1.tokenWith('namespace "jetty" { acl = "write" }');
    await own("secret-fleet", ["policy default/jetty/boat"]);
    const path = `/v1/acl/policy/${policy.ID}?ns=jetty`;
    expect(await asking(v1, "PATCH", path, { Description: "mine" }, tenant)).toEqual([409, "?"]);
    const headers = { authorization: `Bearer ${tenant}`, "x-tessera-unowned": "yes" };
    const refused = await v1.send({ method: "DELETE", url: path, headers });
    expect([refused.status, refused.text.includes("secret-fleet")]).toEqual([409, false]);
    const made = await v1.patch(path.slice(3), { Description: "mine" }, tenant);
    expect([made.status, made.headers["x-tessera-owner"]]).toEqual([200, undefined]);
  });

  test("incident 81: a declaration counts in whichever partition it lies, for what its writer may write", async () => {
    await v1.put("/partition", { Name: "north" });
    await v1.put("/partition", { Name: "south" });
    const id = await organization("afar");
    const { body: policy } = await v1.put("/acl/policy?partition=south", { Name: "quay" });
    const change = () =>
      asking(v1, "PATCH", `/api/v2/workspaces/${id}`, resource("workspaces", { description: v1.unique("d") }));
    const write = (query: string) =>
      asking(v1, "PATCH", `/v1/acl/policy/${policy.ID}${query}`, { Description: v1.unique("d") });
    expect([await change(), await write("?partition=south")]).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
    const { body: declaration } = await own(
      "northern",
      ["workspace afar/crane", "policy south/default/quay"],
      "?partition=north",
    );
    expect([await change(), await write("?partition=south")]).toEqual([
      [412, "northern"],
      [409, "northern"],
    ]);
    await v1.patch(`/acl/declaration/${declaration.ID}?partition=north`, { Objects: [] });
    expect([await change(), await write("?partition=south")]).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
    await own("common", ["policy south/default/quay"]);
    expect(await write("?partition=south")).toEqual([409, "common"]);
    const northern = await v1.tokenWith('partition "north" { namespace "default" { acl = "write" } }');
    const claim = (object: string) =>
      v1.put("/acl/declaration?partition=north", { Name: v1.unique("claim"), Objects: [object] }, northern);
    expect((await claim("policy north/default/any")).status).toBe(200);
    for (const object of ["policy south/default/quay", "workspace afar/crane", "organization afar", "partition north"])
      expect([object, (await claim(object)).status]).toEqual([object, 403]);
  });

  test("incident 81: with what lies around them owned objects are not deleted", async () => {
    await v1.put("/namespace", { Name: "around" });
    await v1.put("/partition", { Name: "whole" });
    await organization("whole-org");
    const config = { BoundIAMPrincipalARNs: ["arn:aws:iam::111122223333:role/web"] };
    await v1.put("/acl/auth-method", { Name: "gate", Type: "aws-iam", Config: config });
    await own("inner", ["role default/around/a", "role whole/default/b", "binding-rule default/default/gate/main"]);
    await own("outer", ["tag whole-org/steel"]);
    expect(await asking(v1, "DELETE", "/v1/namespace/around")).toEqual([409, "inner"]);
    expect(await asking(v1, "DELETE", "/v1/partition/whole")).toEqual([409, "inner"]);
    expect(await asking(v1, "DELETE", "/v1/acl/auth-method/gate")).toEqual([409, "inner"]);
    expect(await asking(v1, "DELETE", "/api/v2/organizations/whole-org")).toEqual([412, "outer"]);
    // To change what lies around them is to change something else.
    expect(await asking(v1, "PUT", "/v1/namespace/around", { Description: "all" })).toEqual([200, undefined]);
    const { status } = await v1.api("DELETE", "/organizations/whole-org");
    expect(status).toBe(204);
  });

  test("incident 81: a binding rule is owned by its description, and rules for tags by their organization", async () => {
    const config = { BoundIAMPrincipalARNs: ["arn:aws:iam::111122223333:role/web"] };
    await v1.put("/acl/auth-method", { Name: "door", Type: "aws-iam", Config: config });
    const rule = { AuthMethod: "door", BindType: "service", BindName: "web", Description: "main" };
    const { body } = await v1.put("/acl/binding-rule", rule);
    await organization("ruled");
    await own("rules", ["binding-rule default/default/door/main", "tag-rules ruled"]);
    expect(await asking(v1, "PATCH", `/v1/acl/binding-rule/${body.ID}`, { Description: "x" })).toEqual([409, "rules"]);
    const rules = resource("tag-policies", { enforce: "advise", rules: [{ name: "env", "required-keys": ["env"] }] });
    expect(await asking(v1, "PUT", "/api/v2/organizations/ruled/tag-policy", rules)).toEqual([412, "rules"]);
  });

  test("a binding rule without a description of its own is owned by what it says, before and after, and one with a long one by that", async () => {
    const config = { BoundIAMPrincipalARNs: ["arn:aws:iam::111122223333:role/web"] };
    await v1.put("/acl/auth-method", { Name: "gate-2", Type: "aws-iam", Config: config });
    const long = `long ${"x".repeat(240)}`;
    const rule = (more: string) =>
      `- { kind: binding-rule, auth-method: gate-2, bind-type: service, bind-name: web, ${more} }\n`;
    const text =
      rule("selector: 'entity_name == a'") +
      rule("description: twice, selector: 'entity_name == b'") +
      rule("description: twice, selector: 'entity_name == c'") +
      rule(`description: ${long}`) +
      rule("description: alone, selector: 'entity_name == d'");
    const files = { "directory.yaml": "kind: directory\nowner: digests\n", "a.yaml": text };
    await makeSo(await serverOf(v1), declare(files));
    const { body: rules } = await v1.get("/acl/binding-rules?authmethod=gate-2");
    expect(rules.length).toBe(5);
    for (const { ID, Description } of rules) {
      const path = `/v1/acl/binding-rule/${ID}`;
      for (const change of [{ Selector: "entity_name == x" }, { Description: "other" }])
        expect([Description, await asking(v1, "PATCH", path, change)]).toEqual([Description, [409, "digests"]]);
      expect(await asking(v1, "DELETE", path)).toEqual([409, "digests"]);
    }
    const free = { AuthMethod: "gate-2", BindType: "service", BindName: "free" };
    const { body } = await v1.put("/acl/binding-rule", free);
    expect(await asking(v1, "PATCH", `/v1/acl/binding-rule/${body.ID}`, { Description: "mine" })).toEqual([
      200,
      undefined,
    ]);
  });

  test("incident 81: a job leaves alone what is owned, and a revocation ends before it, where their request asked for that", async () => {
    const id = await organization("jobs");
    await own("jobbed", ["workspace jobs/crane"]);
    const attributes = { action: "add", tags: [{ name: "steel" }] };
    const headers = {
      authorization: `Bearer ${MANAGEMENT}`,
      "content-type": "application/vnd.api+json",
    };
    const ask = async (more: object) => {
      const payload = JSON.stringify(jobBody(attributes));
      const url = "/api/v2/organizations/jobs/tag-jobs";
      const asked = await v1.send({ method: "POST", url, headers: { ...headers, ...more }, payload });
      expect(asked.status, asked.text).toBe(201);
      const resolver = createAccessorResolver(v1.db, ACCESS, v1.now);
      await doJobs({ db: v1.db, actorOf: async (accessor) => resolver(accessor) });
      const { body } = await v1.api("GET", `/tag-jobs/${asked.body.data.id}`);
      const workspace = await v1.api("GET", `/workspaces/${id}`);
      return [body.data.attributes.status, body.data.attributes.refused, workspace.body.data.attributes["tag-names"]];
    };
    expect(await ask({ "x-tessera-unowned": "true" })).toEqual(["done", { owned: 1 }, []]);
    expect(await ask({})).toEqual(["done", {}, ["steel"]]);

    const { accessor } = await v1.token({ Description: "revoked-here" });
    await own("tokens", [`token default/default/${accessor}`]);
    const revoke = async (more: object) => {
      const payload = JSON.stringify({ Description: "revoked-here" });
      const url = "/v1/acl/tokens/revoke";
      const { body } = await v1.send({ method: "POST", url, headers: { ...headers, ...more }, payload });
      const resolver = createAccessorResolver(v1.db, ACCESS, v1.now);
      const log = pino({ level: "silent" });
      const lease = (await takeLease(v1.db, "token-revocations", "the test")) as Lease;
      const options = { actorOf: async (asker: string) => resolver(asker), now: v1.now, log };
      for (const job of await openRevocations(v1.db, options).jobs())
        for (let isLast = false; !isLast;) ({ isLast } = await job.remove(lease, 5));
      return [
        (await v1.get(`/acl/tokens/revoke/${body.ID}`)).body.Status,
        (await v1.get(`/acl/token/${accessor}`)).status,
      ];
    };
    expect(await revoke({ "x-tessera-unowned": "true" })).toEqual(["failed", 200]);
    expect(await revoke({})).toEqual(["done", 404]);
  });
});
