/** The client against the program itself. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, TesseraError, type Client } from "@tessera-server/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operationsText } from "../../packages/client/operations-text.ts";
import { forEachEngine } from "../support/engines.ts";
import { startServer, type RunningServer } from "../support/server.ts";

forEachEngine((engine, makeUrl) => {
  describe("the client", () => {
    let server: RunningServer;
    let client: Client;
    const organization = `client-${engine}`;
    const path = { organization_name: organization };

    beforeAll(async () => {
      server = await startServer({ database: await makeUrl() });
      client = createClient({ address: server.url, token: server.token });
      const attributes = { name: organization, email: "a@example.com" };
      await client.request("createOrganization", { body: { data: { type: "organizations", attributes } } });
    });
    afterAll(async () => server.stop());

    it("has every operation of the server's document, and no other", async () => {
      const document: unknown = await (await fetch(`${server.url}/openapi.json`)).json();
      const file = join(import.meta.dirname, "../../packages/client/src/operations.ts");
      // Else: npm run generate:client
      expect(readFileSync(file, "utf8")).toBe(operationsText(document as object));
    });

    it("writes and reads objects of both families, and gives the index of what it read", async () => {
      const body = { Name: "readers", Rules: 'acl = "read"' };
      const made = await client.request<{ ID: string }>("createPolicy", { body });
      const read = await client.request("readPolicy", { path: { id: made.body.ID } });
      expect(read.body).toMatchObject(body);
      expect(read.index).toMatch(/^\d+$/);
      const data = [{ type: "tags", attributes: { name: "only" } }];
      await client.request("createTags", { path, body: { data } });
      const tags = await client.request("listTags", { path, query: { q: "only" } });
      expect(tags.body).toMatchObject({ data: [{ attributes: { name: "only" } }] });
      expect(tags.index).toBeUndefined();
    });

    it("says what the server refused, in the same form for both families", async () => {
      const missing = client.request("readPolicy", { path: { id: "00000000-0000-4000-8000-000000000000" } });
      await expect(missing).rejects.toMatchObject({ status: 404, title: "not found", errors: [] });
      await expect(missing).rejects.toThrow(/^GET \/v1\/acl\/policy\/\{id\}: 404 not found: .*policy.*not/i);
      const body = { data: { type: "organizations", attributes: { name: "no name", email: "x" } } };
      const invalid = await client.request("createOrganization", { body }).catch((error: unknown) => error);
      expect(invalid).toBeInstanceOf(TesseraError);
      expect(invalid).toMatchObject({ status: 422, title: "invalid attribute", pointer: "/data/attributes/name" });
      expect((invalid as TesseraError).requestId).toMatch(/./);
    });

    it("walks the pages of a list of either family to its end, each entry once", async () => {
      const names = Array.from({ length: 45 }, (_, at) => `tag-${String(at).padStart(2, "0")}`);
      await client.request("createTags", {
        path,
        body: { data: names.map((name) => ({ type: "tags", attributes: { name } })) },
      });
      const pages = client.pages<{ attributes: { name: string } }>("listTags", {
        path,
        query: { "page[size]": 20, q: "tag-" },
      });
      const sizes: number[] = [];
      for await (const page of pages) sizes.push(page.items.length);
      expect(sizes).toEqual([20, 20, 5]);
      expect((await pages.all()).map(({ attributes }) => attributes.name).sort()).toEqual(names);

      for (const name of names) await client.request("createRole", { body: { Name: name } });
      const roles = client.pages<{ Name: string }>("listRoles", { query: { "page-size": 20 } });
      const found: string[] = [];
      for await (const { Name } of roles.items()) found.push(Name);
      expect(found.sort()).toEqual(names);
    });

    it("works in the namespace that it was made for, unless a request names another one", async () => {
      await client.request("createNamespace", { body: { Name: "team" } });
      const team = createClient({ address: server.url, token: server.token, namespace: "team" });
      await team.request("createPolicy", { body: { Name: "of-team" } });
      const here = await team.pages("listPolicies").all();
      expect(here).toContainEqual(expect.objectContaining({ Name: "of-team", Namespace: "team" }));
      const elsewhere = await team.pages("listPolicies", { query: { ns: "default" } }).all();
      expect(elsewhere).not.toContainEqual(expect.objectContaining({ Name: "of-team" }));
    });
  });
});

describe("what a caller gives", () => {
  const client = createClient({ address: "http://127.0.0.1:9", token: "not sent" });

  it("is no path that leads elsewhere", async () => {
    for (const name of ["", ".", ".."]) {
      await expect(client.request("readRoleByName", { path: { name } })).rejects.toThrow(TypeError);
    }
  });

  it("is no token that a header cannot hold, and no message repeats it", async () => {
    const message = await client.request("listRoles").catch((error: unknown) => String(error));
    expect(message).toMatch(/^TypeError: the token contains/);
    expect(message).not.toContain("not sent");
  });

  it("is an address of http or https, and one that is none is told with its value", () => {
    for (const [address, message] of [
      ["ftp://example.com", 'the address "ftp://example.com" must start with http:// or https://'],
      ["localhost:8500", 'the address "localhost:8500" must start with http:// or https://'],
      ["", 'the address "" must start with http:// or https://'],
      ["http://exa mple.com", 'the address "http://exa mple.com" is not a valid URL'],
      ["http://[::1", 'the address "http://[::1" is not a valid URL'],
      ["https://host:99999/?token=secret", 'the address "https://host:99999/" is not a valid URL'],
    ] as const) {
      expect(() => createClient({ address })).toThrow(new TypeError(message));
    }
  });

  it("holds no secret, and no message repeats one", () => {
    for (const address of [
      "https://user:secret@example.com",
      "https://:secret@example.com",
      "https:user:secret@example.com",
      "https://user:secret@example.com:99999",
      "ftp://user:secret@example.com",
      "user:secret@example.com",
    ]) {
      expect(() => createClient({ address }), address).toThrow(
        /^the address (must not|is not a valid URL|must start)[^@]*$/,
      );
      expect(() => createClient({ address }), address).not.toThrow("secret");
    }
  });
});
