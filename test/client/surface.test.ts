/** The named calls: which there are, and what they send. */
import { createClient, OPERATIONS, type Client, type OperationId } from "@tessera-server/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SURFACE } from "../../packages/client/src/surface.ts";
import { makeDatabaseUrl } from "../support/engines.ts";
import { startServer, type RunningServer } from "../support/server.ts";

/** By another path, or another product's, the same as an operation that has a call. */
const WITHOUT_CALL = [
  "updateReservedTagKeyByOtherPath",
  "deleteReservedTagKeyByOtherPath",
  "authorizeInternally",
] as const satisfies OperationId[];

describe("the named calls", () => {
  let server: RunningServer;
  let client: Client;

  beforeAll(async () => {
    server = await startServer({ database: await makeDatabaseUrl("sqlite") });
    client = createClient({ address: server.url, token: server.token });
  });
  afterAll(async () => server.stop());

  it("are one for each operation, but for those that are there twice", () => {
    const called = Object.values(SURFACE).flatMap((verbs) => Object.values(verbs) as OperationId[]);
    expect([...called, ...WITHOUT_CALL].toSorted()).toEqual(Object.keys(OPERATIONS).toSorted());
  });

  it("take parts of the path by short names, parameters of the query by their own, and the body", async () => {
    const attributes = { name: "acme", email: "a@example.com" };
    await client.organizations.create({ body: { data: { type: "organizations", attributes } } });
    const organization = "acme";
    const data = ["env", "team", "entry"].map((name) => ({ type: "tags" as const, attributes: { name } }));
    await client.tags.create({ organization, body: { data } });
    const tags = await client.tags.list({ organization, q: "en", "page[size]": 1 }).all();
    expect(tags.map((tag) => tag.attributes.name).sort()).toEqual(["entry", "env"]);
    for (const { id } of tags) expect(await client.tags.read({ tag: id })).toMatchObject({ data: { id } });
    const some = tags.map(({ id }) => ({ type: "tags" as const, id }));
    expect(await client.tags.delete({ organization, body: { data: some } })).toBeUndefined();
    expect(await client.tags.list({ organization }).all()).toMatchObject([{ attributes: { name: "team" } }]);
  });

  it("read, change and delete what lies under /v1", async () => {
    const made = await client.policies.create({ body: { Name: "readers", Rules: 'acl = "read"' } });
    const changed = await client.policies.update({
      id: made.ID,
      cas: made.ModifyIndex,
      body: { Description: "of all" },
    });
    expect(changed).toMatchObject({ ID: made.ID, Rules: 'acl = "read"', Description: "of all" });
    await expect(client.policies.update({ id: made.ID, cas: made.ModifyIndex, body: {} })).rejects.toMatchObject({
      status: 409,
    });
    expect(await client.policies.delete({ id: made.ID })).toBe(true);
    await expect(client.policies.read({ id: made.ID })).rejects.toMatchObject({ status: 404 });
  });

  it("say what is asked of whom they ask, also without arguments", async () => {
    expect(await client.account.read()).toMatchObject({ data: { type: "users" } });
    expect(await client.tokens.readOwn()).toMatchObject({ SecretID: server.token });
    expect(await client.server.ping()).toBeUndefined();
    expect(await client.server.readHealth()).toMatch(/./);
  });
});
