/** Incident 74: every list of pages, by each pair of its parameters: the total is that of the rows over all pages. */
import { expect, it } from "vitest";
import { bindings, tagNames, useApi } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { readOperations, type Document } from "../../../test/support/openapi-document.ts";

/** Parameters that only say how a page is shown or waited for. */
const ABOUT_PAGES = /^(?:page\[|if-none-match$|prefer$)/;
/** Parameters that change what another one means, or nothing that is found. */
const FINDS_NOTHING = /tag-union|tag-value-default-null|^(?:sort|include|fields\[)/;
const SMALL = 4;

/** Lists that have one page here: what fills them takes other requests, and they have one parameter at most. */
const HARDLY_FILLED = ["alike", "days", "keys", "projects", "tag-jobs", "tag-webhooks"];

type Row = { id: string };

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  /** An organization whose lists all have rows; gives what stands in paths. */
  async function fill() {
    const organization = await api.organization();
    for (let i = 0; i < SMALL; i++) await api.organization();
    const at = `/organizations/${organization}`;
    const made = async (kind: string, attributes: object, relationships: object = {}) => {
      const answer = await api.post(`${at}/${kind}`, { data: { type: kind, attributes, relationships } });
      expect(answer.status, answer.text).toBe(201);
      return String(answer.body.data.id);
    };
    const project = await made("projects", { name: "front" }, { "tag-bindings": bindings(["zone", "a"], ["level"]) });
    for (const name of ["rear", "side", "roof"])
      await made("projects", { name }, { "tag-bindings": bindings(["zone", name]) });
    const workspaces: string[] = [];
    for (let i = 0; i < 8; i++) {
      const own: [string, string][] = i % 3 === 0 ? [["zone", "b"]] : [];
      workspaces.push(
        await made(
          "workspaces",
          { name: `${i % 2 === 0 ? "spare" : "unit"}-${i}`, "global-remote-state": false },
          {
            ...(i < 5 && { project: { data: { type: "projects", id: project } } }),
            "tag-bindings": bindings(...own),
          },
        ),
      );
    }
    const [workspace = "", ...others] = workspaces;
    await api.post(`/workspaces/${workspace}/relationships/tags`, tagNames("red", "rare", "road", "blue", "bold"));
    for (const id of others.slice(2)) await api.post(`/workspaces/${id}/relationships/tags`, tagNames("red"));
    await api.post(`/workspaces/${workspace}/relationships/remote-state-consumers`, {
      data: others.slice(0, 5).map((id) => ({ type: "workspaces", id })),
    });
    for (const key of ["cost", "owner", "place", "tier", "unit"]) await made("reserved-tag-keys", { key });
    const rules = [
      { name: "owners", "required-keys": ["owner"] },
      { name: "zones", key: "zone", "allowed-values": ["a"] },
    ];
    const policy = { data: { type: "tag-policies", attributes: { enforce: "advise", rules } } };
    expect((await api.put(`${at}/tag-policy`, policy)).status).toBe(200);
    const { body: tags } = await api.get(`${at}/tags?q=red`);
    return { organization, project, workspace, tag: String(tags.data[0].id) };
  }

  type Filled = Awaited<ReturnType<typeof fill>>;

  /** A query for each parameter; one that means nothing alone has what it goes with. */
  const QUERIES: Readonly<Record<string, (filled: Filled, path: string) => string>> = {
    q: ({ organization }, path) => `q=${path === "/organizations" ? organization.slice(0, 4) : "r"}`,
    "q[name]": ({ organization }) => `q[name]=${organization.slice(-4)}`,
    "q[email]": () => "q[email]=@",
    name: () => "name=r",
    sort: (_filled, path) => `sort=${path.endsWith("/tags") ? "-count" : "-name"}`,
    include: (_filled, path) => `include=${path.endsWith("/tags") ? "values" : "effective_tag_bindings"}`,
    "fields[tag-binding]": () => "fields[tag-binding]=key",
    show_only_configured: () => "show_only_configured=true",
    "search[name]": () => "search[name]=spare",
    "search[wildcard-name]": () => "search[wildcard-name]=*-*",
    "search[tags]": () => "search[tags]=zone",
    "search[exclude-tags]": () => "search[exclude-tags]=blue",
    "search[exclude_tags]": () => "search[exclude_tags]=bold",
    "filter[names]": () => "filter[names]=front,rear,side",
    "filter[project][id]": ({ project }) => `filter[project][id]=${project}`,
    "filter[id-prefix]": ({ project, workspace, tag }, path) =>
      `filter[id-prefix]=${(path.endsWith("/projects") ? project : path.endsWith("/tags") ? tag : workspace).slice(0, 12)}`,
    "filter[current-run][status]": () => "filter[current-run][status]=applied",
    "filter[permissions][update]": () => "filter[permissions][update]=true",
    "filter[permissions][create-workspace]": () => "filter[permissions][create-workspace]=true",
    "filter[tagged][0][key]": () => "filter[tagged][0][key]=zone",
    "filter[tagged][0][value]": () => "filter[tagged][0][key]=zone&filter[tagged][0][value]=a",
    "filter[tagged]": () => "filter[tagged]=level",
    "filter[tagged][value]": () => "filter[tagged]=zone&filter[tagged][value]=b",
    "filter[tag-union]": () => "filter[tagged][0][key]=zone&filter[tagged][1][key]=level&filter[tag-union]=true",
    "filter[tag-value-default-null]": () => "filter[tagged][0][key]=level&filter[tag-value-default-null]=true",
    "filter[taggable-type]": () => "filter[taggable-type]=projects",
    "filter[exclude][taggable][id]": ({ workspace }) => `filter[exclude][taggable][id]=${workspace}`,
    "filter[unused]": () => "filter[unused]=false",
    "filter[key]": (_filled, path) => `filter[key]=${path.endsWith("/tags") ? "false" : "owner"}`,
    "filter[instance-count][gte]": () => "filter[instance-count][gte]=1",
    "filter[instance-count][lte]": () => "filter[instance-count][lte]=4",
    "filter[rule]": () => "filter[rule]=owners",
    "filter[kind]": () => "filter[kind]=required",
  };

  async function pagesOf(path: string): Promise<{ ids: string[]; totals: number[] }> {
    const [ids, totals]: [string[], number[]] = [[], []];
    for (let page: number | null = 1; page !== null;) {
      const { status, body, text } = await api.get(`${path}&page[size]=${SMALL}&page[number]=${page}`);
      expect([path, status, text]).toEqual([path, 200, text]);
      ids.push(...(body.data as Row[]).map(({ id }) => id));
      totals.push(body.meta.pagination["total-count"]);
      page = body.meta.pagination["next-page"];
    }
    return { ids, totals };
  }

  /** Names of the parameters of a query. */
  const namesIn = (query: string) => query.split("&").map((each) => each.slice(0, each.indexOf("=")));

  /** @returns how many rows the list has at most */
  async function checkList(path: string, queries: readonly string[]): Promise<number> {
    const found = new Map<string, string[]>();
    let largest = 0;
    for (const [at, first] of queries.entries()) {
      for (const second of queries.slice(at)) {
        const query = [...new Set([...first.split("&"), ...second.split("&")])].join("&");
        if (new Set(namesIn(query)).size < namesIn(query).length) continue;
        const { ids, totals } = await pagesOf(`${path}?${query}`);
        expect([path, query, ids]).toEqual([path, query, [...new Set(ids)]]);
        expect([path, query, [...new Set(totals)]]).toEqual([path, query, [ids.length]]);
        largest = Math.max(largest, ids.length);
        found.set([first, second].join(), ids);
      }
    }
    for (const [at, first] of queries.entries()) {
      for (const second of queries.slice(at + 1)) {
        const both = found.get([first, second].join());
        if (both === undefined || FINDS_NOTHING.test(first) || FINDS_NOTHING.test(second)) continue;
        // A binding has one key: of two keys, this list has the bindings of either.
        if (path.endsWith("/tag-bindings") && [first, second].every((each) => each.includes("tagged"))) continue;
        const [ofFirst = [], ofSecond = []] = [first, second].map((each) => found.get([each, each].join()));
        const wanted = ofFirst.filter((id) => ofSecond.includes(id));
        expect([path, first, second, both.toSorted()]).toEqual([path, first, second, wanted.toSorted()]);
      }
    }
    return largest;
  }

  it("every list of the document, by each parameter that it has and each two", async () => {
    const filled = await fill();
    const document = (await api.send({ method: "GET", url: "/openapi.json" })).body as Document;
    const lists: string[] = [];
    for (const { path, method, operation } of readOperations(document)) {
      const parameters = (operation.parameters ?? []).filter((each) => each.in === "query").map(({ name }) => name);
      if (method !== "get" || !path.startsWith("/api/v2/") || !parameters.includes("page[number]")) continue;
      const list = path
        .slice("/api/v2".length)
        .replace("{organization_name}", filled.organization)
        .replace("{workspace_id}", filled.workspace)
        .replace("{tag_id}", filled.tag);
      const names = parameters.filter((name) => !ABOUT_PAGES.test(name));
      // A parameter that is new is tried here too: it needs a query.
      expect(names.filter((name) => !(name in QUERIES))).toEqual([]);
      const queries = names.map((name) => QUERIES[name]?.(filled, list) ?? "");
      const most = await checkList(list, ["", ...queries]);
      const last = path.slice(path.lastIndexOf("/") + 1);
      if (most > SMALL) lists.push(last);
      else expect(HARDLY_FILLED).toContain(last);
    }
    expect(lists.toSorted()).toEqual([
      "organizations",
      "projects",
      "remote-state-consumers",
      "report",
      "reserved-tag-keys",
      "tag-bindings",
      "tags",
      "tags",
      "workspaces",
      "workspaces",
    ]);
  });
});
