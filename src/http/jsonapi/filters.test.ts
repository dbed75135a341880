/** Incident 74: a filter that a list does not understand never widens it. */
import { describe, expect, it } from "vitest";
import { bindings, ROOT, useApi } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { type Document, readOperations } from "../../../test/support/openapi-document.ts";

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);
  const namesOf = ({ body }: { body: { data: { attributes: { name: string } }[] } }) =>
    body.data.map(({ attributes }) => attributes.name);

  async function organization() {
    const org = await api.organization();
    for (const [name, value] of [
      ["fjord", "oslo"],
      ["harbour", "bergen"],
    ] as const) {
      const id = await api.workspace(org, name);
      expect((await api.patch(`/workspaces/${id}/tag-bindings`, bindings(["region", value]))).status).toBe(200);
    }
    await api.workspace(org, "plain");
    return `/organizations/${org}`;
  }

  it("no operation of the document passes over a filter that it does not know; lists pass over other parameters", async () => {
    const document = (await api.send({ method: "GET", url: "/openapi.json" })).body as Document;
    const operations = readOperations(document).filter(({ path }) => /^\/(?:api\/v2|v1)\//.test(path));
    expect(operations.length).toBeGreaterThan(150);
    for (const { name, path, method, operation } of operations) {
      const [type] = Object.keys(operation.requestBody?.content ?? {});
      const send = async (query: string) => {
        const headers = { authorization: `Bearer ${ROOT}`, ...(type !== undefined && { "content-type": type }) };
        const url = `${path.replaceAll(/\{\w+\}/g, "x")}?${query}`;
        const { status, text } = await api.send({ method: method.toUpperCase(), url, headers });
        return { status, text };
      };
      const known = new Set((operation.parameters ?? []).map((each) => each.name));
      if (path.startsWith("/v1/")) {
        expect([name, await send("filter=Name+%3D%3D+x")]).toEqual([
          name,
          { status: 400, text: expect.stringContaining("Filter expressions are not supported") },
        ]);
        continue;
      }
      for (const each of [
        "filter[colour]",
        "search[colour]",
        "filter[tagged][0][name]",
        "filter",
        "search",
        "Filter[tagged]",
      ]) {
        expect(known).not.toContain(each);
        expect([name, await send(`${each}=blue`)]).toEqual([
          name,
          { status: 400, text: expect.stringContaining(`Unknown parameter ${each};`) },
        ]);
      }
      if (method === "get" && known.has("page[size]"))
        expect(await send("colour=blue")).not.toMatchObject({ status: 400 });
    }
  });

  it.each([
    ["workspaces", "filter[project][id]="],
    ["workspaces", "search[tags]="],
    ["workspaces", "search[tags]=,"],
    ["workspaces", "search[exclude-tags]=+,+"],
    ["workspaces", "search[exclude_tags]="],
    ["workspaces", "search[wildcard-name]="],
    ["workspaces", "filter[current-run][status]="],
    ["workspaces", "filter[tagged]="],
    ["workspaces", "filter[tagged][0][key]="],
    ["workspaces", "filter[tag-union]=true"],
    ["workspaces", "filter[tag-value-default-null]=true"],
    ["projects", "filter[names]="],
    ["projects", "filter[names]=,"],
    ["projects", "filter[tag-union]=true"],
    ["projects", "filter[permissions][update]="],
    ["projects", "filter[permissions][update]=yes"],
    ["tags", "filter"],
    ["tag-bindings", "filter[taggable-type]="],
  ])("the list of %s refuses %s, which says nothing to go by", async (list, query) => {
    const { status, text } = await api.get(`${await organization()}/${list}?${query}`);
    expect([status, text]).toEqual([400, expect.stringContaining(query.slice(0, query.indexOf("]")))]);
  });

  it.each([
    ["search[name]=", ["fjord", "harbour", "plain"]],
    ["filter[tag-union]=false", ["fjord", "harbour", "plain"]],
    ["search[exclude-tags]=region&search[exclude_tags]=other", ["plain"]],
    ["search[exclude-tags]=other&search[exclude_tags]=region", ["plain"]],
  ])("the list of workspaces takes %s as it stands", async (query, names) => {
    expect(namesOf(await api.get(`${await organization()}/workspaces?${query}`))).toEqual(names);
  });

  it("projects are asked for by what the token may do with them, as generated clients ask", async () => {
    const path = await organization();
    const org = path.slice("/organizations/".length);
    const reads = { kind: "organization", segment: org, policy: "read" } as const;
    const tokens = {
      all: undefined,
      reads: api.tokenWith(reads),
      makes: api.tokenWith(reads, { kind: "workspace_prefix", segment: `${org}/`, policy: "write" }),
    };
    const [update, make] = ["filter[permissions][update]", "filter[permissions][create-workspace]"];
    for (const [token, query, found] of [
      ["all", `${update}=true`, 1],
      ["all", `${update}=true&${make}=true`, 1],
      ["all", `${update}=false`, 0],
      ["reads", `${update}=true`, 0],
      ["reads", `${update}=false&${make}=false`, 1],
      ["makes", `${make}=true`, 1],
      ["makes", `${make}=true&${update}=true`, 0],
      ["makes", `${make}=true&filter[names]=none`, 0],
    ] as const) {
      const { status, body } = await api.get(`${path}/projects?${query}`, tokens[token]);
      expect([token, query, status, body.data.length, body.meta.pagination["total-count"]]).toEqual([
        token,
        query,
        200,
        found,
        found,
      ]);
      for (const { attributes } of body.data)
        expect(attributes.permissions).toMatchObject({
          "can-update": token === "all",
          "can-create-workspace": token !== "reads",
        });
    }
  });

  describe("one key is asked for without a number", () => {
    it.each([
      ["filter[tagged]=region", ["fjord", "harbour"]],
      ["filter[tagged]=region&filter[tagged][value]=bergen", ["harbour"]],
      ["filter[tagged]=region&filter[tagged][value]=", ["fjord", "harbour"]],
      ["filter[tagged]=region&filter[tagged][0][key]=nothing", []],
      ["filter[tagged]=region&filter[current-run][status]=applied", []],
    ])("of workspaces: %s", async (query, names) => {
      expect(namesOf(await api.get(`${await organization()}/workspaces?${query}`))).toEqual(names);
    });

    it("of projects; and a value without a key is refused", async () => {
      const path = await organization();
      const made = await api.post(`${path}/projects`, { data: { type: "projects", attributes: { name: "Ledger" } } });
      await api.patch(`/projects/${made.body.data.id}/tag-bindings`, bindings(["dept", "finance"]));
      expect(namesOf(await api.get(`${path}/projects?filter[tagged]=dept`))).toEqual(["Ledger"]);
      for (const list of ["projects", "workspaces"]) {
        expect((await api.get(`${path}/${list}?filter[tagged][value]=finance`)).status).toBe(400);
      }
    });
  });
});
