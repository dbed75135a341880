/** Lists of the console at size: where their rows come from, and how one gets to any of them. */
import { createClient, type Client } from "@tessera-server/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ListQuery } from "../../console/src/kit/filter.ts";
import { BY_NAME, v1Source, type ListPage, type PagedSource } from "../../console/src/kit/list-source.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { inBrowser, useConsole } from "./use-console.ts";

interface TokenRow {
  readonly AccessorID: string;
  readonly Description: string;
}

const COUNT = 250;
const signal = new AbortController().signal;
const sortedBy = (sort: string): ListQuery => ({ search: "", sort, filters: {}, here: [] });
const described = (number: number) => `Build ${String(number).padStart(4, "0")}`;

async function makeTokens(client: Client): Promise<void> {
  const numbers = Array.from({ length: COUNT }, (_, number) => number);
  for (let from = 0; from < COUNT; from += 50)
    await Promise.all(
      numbers.slice(from, from + 50).map(async (number) => {
        await client.request("createToken", { body: { Description: described(number) } });
      }),
    );
}

describe("a list of /v1 that is jumped in", () => {
  let server: RunningServer;
  let source: PagedSource<TokenRow>;

  beforeAll(async () => {
    server = await startServer();
    const client = createClient({ address: server.url, token: server.token });
    await makeTokens(client);
    source = v1Source<TokenRow>(client, "listTokens", { text: () => "", value: () => undefined });
  }, 120_000);
  afterAll(async () => {
    await server.stop();
  });

  async function rest(asked: ListQuery, first: ListPage<TokenRow>): Promise<TokenRow[]> {
    const rows = [...first.rows];
    for (let { next } = first; next !== undefined;) {
      const page = await source.page(asked, next, signal);
      rows.push(...page.rows);
      next = page.next;
    }
    return rows;
  }

  it("begins where the text stands, goes on from there, and counts what is in front too", async () => {
    for (const [sort, text, isThere] of [
      ["Description", "build 0120x", (row: TokenRow) => row.Description.toLowerCase() >= "build 0120x"],
      ["-Description", "BUILD 0120", (row: TokenRow) => row.Description.toLowerCase() <= "build 0120"],
      ["", "8", (row: TokenRow) => row.AccessorID >= "8"],
    ] as const) {
      const asked = sortedBy(sort);
      const whole = await rest(asked, await source.page(asked, undefined, signal));
      const first = await source.pageAt(asked, text, BY_NAME, signal);
      expect(first.total).toEqual({ count: whole.length, isMore: false });
      expect([sort, await rest(asked, first)]).toEqual([sort, whole.filter(isThere)]);
    }
  });

  it("has no rows behind the last one, and still says how many there are", async () => {
    const { rows, next, total } = await source.pageAt(sortedBy("Description"), "zzz", BY_NAME, signal);
    expect([rows, next, total?.count]).toEqual([[], undefined, COUNT + 2]);
  });
});

const at = useConsole({ prepare: async ({ client }) => makeTokens(client) });

inBrowser("lists in a browser", () => {
  it("jumps among tokens in either order, by the field and by the address, and back to the beginning", async () => {
    const { page, go } = await at.open();
    const token = (number: number) => page.getByRole("link", { name: described(number) });
    await go("access/default/default/tokens?sort=Description");
    await token(0).waitFor();
    const field = page.getByLabel("Jump to entry");
    await field.fill("build 0203");
    await page.keyboard.press("Enter");
    await token(203).waitFor();
    expect(new URL(page.url()).searchParams.get("to")).toBe("build 0203");
    expect(await token(202).count()).toBe(0);
    // How many rows there are in front nobody knows, so none is said.
    expect(await page.getByRole("grid").getAttribute("aria-rowcount")).toBe("-1");
    await go("access/default/default/tokens?sort=-Description&to=Build+0100");
    await token(100).waitFor();
    expect(await token(101).count()).toBe(0);
    await page.getByRole("button", { name: "Go to start" }).click();
    await token(COUNT - 1).waitFor();
    await field.fill("a");
    await page.keyboard.press("Enter");
    await page.getByText("No rows at or after").waitFor();
    await go("access/default/*/tokens?sort=Description&to=build+0203");
    await token(0).waitFor();
    expect(await field.count()).toBe(0);
  });

  it("jumps in the lists of policies and roles by their names", async () => {
    for (const name of ["alpha", "mike", "zulu"]) {
      await at.client.request("createPolicy", { body: { Name: `${name}-policy` } });
      await at.client.request("createRole", { body: { Name: `${name}-role` } });
    }
    const { page, go } = await at.open();
    for (const [list, kind] of [
      ["policies", "policy"],
      ["roles", "role"],
    ] as const) {
      await go(`access/default/default/${list}?to=mike`);
      await page.getByRole("link", { name: `mike-${kind}` }).waitFor();
      await page.getByRole("link", { name: `zulu-${kind}` }).waitFor();
      expect(await page.getByRole("link", { name: `alpha-${kind}` }).count()).toBe(0);
    }
  });

  it("shows the keys of an organization with their values, and lets no job take them all for all tags", async () => {
    const attributes = { name: "acme", email: "ops@acme.example" };
    await at.client.organizations.create({ body: { data: { type: "organizations", attributes } } });
    const workspace = await at.client.workspaces.create({
      organization: "acme",
      body: {
        data: {
          type: "workspaces",
          attributes: { name: "one" },
          relationships: {
            tags: { data: [{ type: "tags", attributes: { name: "flat" } }] },
            "tag-bindings": { data: [{ type: "tag-bindings", attributes: { key: "stage", value: "production" } }] },
          },
        },
      },
    });
    expect(workspace.data.attributes.name).toBe("one");
    const { page, go } = await at.open("org/acme/tags?filter[key]=true");
    await page.getByRole("row").filter({ hasText: "stage" }).getByText("production").waitFor();
    expect(await page.getByRole("link", { name: "flat" }).count()).toBe(0);
    await go("org/acme/tags?filter[key]=false");
    await page.getByRole("link", { name: "flat" }).waitFor();
    expect(await page.getByRole("link", { name: "stage" }).count()).toBe(0);
    // More than one page.
    const flat = Array.from({ length: 120 }, (_none, index) => ({
      type: "tags",
      attributes: { name: `tag-${index}` },
    }));
    for (let start = 0; start < flat.length; start += 60) {
      const data = flat.slice(start, start + 60);
      await at.client.request("createTags", { path: { organization_name: "acme" }, body: { data } });
    }
    await go("org/acme/tags?filter[key]=false");
    await page.getByLabel("Select the loaded rows").click();
    await page.getByText("100 selected").waitFor();
    await page.getByRole("button", { name: "Select all 121 tags" }).click();
    await page.getByText("Jobs cannot filter by kind").waitFor();
    expect(await page.getByRole("button", { name: "Delete" }).count()).toBe(0);
  });
});
