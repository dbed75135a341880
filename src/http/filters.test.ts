/** Incident 74: a filter that a list does not understand never widens it. */
import { describe, expect, it } from "vitest";
import { bindings, useApi } from "../../test/support/api.ts";
import { forEachEngine } from "../../test/support/engines.ts";

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

  it("every list of the API refuses a filter and a search that it does not know, and passes over other parameters", async () => {
    const document = (await api.send({ method: "GET", url: "/openapi.json" })).body as {
      paths: Record<string, { get?: { parameters?: { $ref?: string }[] } }>;
    };
    const path = await organization();
    const org = path.slice("/organizations/".length);
    const lists = Object.entries(document.paths).filter(
      ([url, { get }]) =>
        url.startsWith("/api/v2/organizations/{organization_name}/") &&
        url.split("{").length === 2 &&
        JSON.stringify(get?.parameters ?? []).includes("parameters/PageSize"),
    );
    expect(lists.length).toBeGreaterThan(5);
    for (const [url] of lists) {
      const at = url.replace("/api/v2", "").replace("{organization_name}", org);
      expect([at, (await api.get(`${at}?colour=blue`)).status]).not.toEqual([at, 400]);
      for (const name of ["filter[colour]", "search[colour]", "filter[tagged][0][name]"]) {
        const { status, text } = await api.get(`${at}?${name}=blue`);
        expect([at, name, status]).toEqual([at, name, 400]);
        expect(text).toContain(`Unknown parameter ${name}`);
      }
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
