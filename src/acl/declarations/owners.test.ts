import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const ownerOf = ({ headers }: { headers: Readonly<Record<string, unknown>> }) => headers["x-tessera-owner"];

  test("incident 81: the answer to a write says whose the object is, and refuses nothing", async () => {
    const { body: policy } = await v1.put("/acl/policy", { Name: "quay" });
    const path = `/acl/policy/${policy.ID}`;
    expect(ownerOf(await v1.patch(path, { Description: "nobody's" }))).toBeUndefined();
    const Objects = ["policy default/default/quay", "role default/default/pilot"];
    const { body: declaration } = await v1.put("/acl/declaration", { Name: "harbour", Objects });
    const changed = await v1.patch(path, { Description: "harbour's" });
    expect([changed.status, ownerOf(changed)]).toEqual([200, "harbour"]);
    const asked = { url: `/v1${path}`, headers: { "x-service-token": MANAGEMENT, "x-tessera-unowned": "true" } };
    const refused = await v1.send({ method: "PATCH", ...asked, payload: { Description: "mine" } });
    expect([refused.status, ownerOf(refused)]).toEqual([409, "harbour"]);
    expect(refused.text).toContain("managed by harbour, a directory of declared files");
    expect((await v1.send({ method: "DELETE", ...asked })).status).toBe(409);
    expect((await v1.get(path)).body).toEqual(changed.body);
    expect(ownerOf(await v1.put("/acl/role", { Name: "Pilot" }))).toBe("harbour");
    expect(ownerOf(await v1.put("/acl/role", { Name: "other" }))).toBeUndefined();
    expect(ownerOf(await v1.get(path))).toBeUndefined();
    await v1.patch(`/acl/declaration/${declaration.ID}`, { Objects: [] });
    expect(ownerOf(await v1.delete(path))).toBeUndefined();
  });

  test("of what lies in an organization too, however the request names it", async () => {
    const attributes = { name: "Depot", email: "ops@example.com" };
    await v1.api("POST", "/organizations", { data: { type: "organizations", attributes } });
    const data = { type: "workspaces", attributes: { name: "crane" } };
    const made = await v1.api("POST", "/organizations/depot/workspaces", { data });
    await v1.put("/acl/declaration", { Name: "crates", Objects: ["workspace depot/crane", "organization depot"] });
    const write = { data: { type: "workspaces", attributes: { description: "lifts" } } };
    const changed = await v1.api("PATCH", `/workspaces/${made.body.data.id}`, write);
    expect([changed.status, ownerOf(changed)]).toEqual([200, "crates"]);
    expect(ownerOf(await v1.api("POST", `/workspaces/${made.body.data.id}/actions/lock`, {}))).toBeUndefined();
    const tags = { data: [{ type: "tags", attributes: { name: "steel" } }] };
    expect(ownerOf(await v1.api("POST", `/workspaces/${made.body.data.id}/relationships/tags`, tags))).toBe("crates");
    const email = { data: { type: "organizations", attributes: { email: "o@example.com" } } };
    expect(ownerOf(await v1.api("PATCH", "/organizations/depot", email))).toBe("crates");
  });

  test("tells it to nobody who may not read declarations, and tells a token by its AccessorID", async () => {
    await v1.put("/namespace", { Name: "pier" });
    const tenant = await v1.tokenWith('namespace "pier" { acl = "write" }');
    const { body: policy } = await v1.put("/acl/policy?ns=pier", { Name: "boat" });
    const { body: token } = await v1.put("/acl/token?ns=pier", { Description: "a boat's" });
    const Objects = ["policy default/pier/boat", `token default/pier/${token.AccessorID}`];
    await v1.put("/acl/declaration", { Name: "fleet", Objects });
    const path = `/acl/policy/${policy.ID}?ns=pier`;
    const unseen = await v1.patch(path, { Description: "mine" }, tenant);
    expect([unseen.status, ownerOf(unseen)]).toEqual([200, undefined]);
    expect(ownerOf(await v1.patch(path, { Description: "yours" }))).toBe("fleet");
    const renamed = await v1.patch(`/acl/token/${token.AccessorID}?ns=pier`, { Description: "a ship's" });
    expect(ownerOf(renamed)).toBe("fleet");
  });
});
