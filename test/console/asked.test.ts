/**
 * Tests of what the address of a list asks for: of the API, of rows that the console filters itself, and of a job on
 * all matches.
 */
import { describe, expect, it } from "vitest";
import { createClient } from "../../packages/client/src/index.ts";
import { askedForAll, askedOf, severalNames, type Filter } from "../../console/src/kit/filter.ts";
import { smallSource, v1Source, v2Source, type ListPage } from "../../console/src/kit/list-source.ts";
import { keyValueOf, textOf } from "../../console/src/screens/workspaces/key-texts.ts";
import { askingFor, SEVERAL_KEYS, wantedOf } from "../../console/src/screens/workspaces/bindings.ts";
import { fieldsOfAsked, filterOfFields } from "../../console/src/screens/workspaces/filter.ts";

const ODD = [
  { key: "a=b+c@d:e.f", value: "x=y,z&w%41" },
  { key: "🔑 مفتاح", value: "" },
  { key: "filter[tagged][0][key]", value: "#?/" },
];

const FILTERS: readonly Filter[] = [
  { name: "search[wildcard-name]", title: "Whole name" },
  { name: "search[tags]", title: "Tag", several: severalNames("search[tags]") },
  { name: "search[exclude-tags]", title: "No tag", several: severalNames("search[exclude-tags]") },
  { name: "filter[tagged]", title: "Key", several: SEVERAL_KEYS },
  { name: "filter[tag-value-default-null]", title: "None" },
  { name: "filter[project][id]", title: "Project" },
];

const inAddress = (text: string) => Object.fromEntries(new URLSearchParams(text));
const askedIn = (text: string) => askedOf({ filters: FILTERS }, inAddress(text));

describe("keys as people write them", () => {
  it("stay what they were where they were there already, and end at their first sign where they are new", () => {
    for (const known of ODD) expect(keyValueOf(textOf(known), ODD)).toEqual(known);
    expect(keyValueOf(" env = prod=1 ", ODD)).toEqual({ key: "env", value: "prod=1" });
    expect(keyValueOf("owner", ODD)).toEqual({ key: "owner", value: "" });
  });
});

describe("keys in an address", () => {
  it("are any number of any characters, in their order", () => {
    const many = Array.from({ length: 20 }, (_, at) => ({ key: `key-${at}`, value: `${at}` }));
    for (const wanted of [[], ODD, many]) {
      const text = new URLSearchParams({ q: "web", ...askingFor(wanted) }).toString();
      expect(wantedOf(inAddress(text))).toEqual(wanted);
    }
  });

  it("go one by one, and what is left has no gap", () => {
    const search = inAddress(new URLSearchParams(askingFor(ODD)).toString());
    const without = SEVERAL_KEYS.each(search)[1]?.without ?? {};
    const next = Object.fromEntries(Object.entries({ ...search, ...without }).filter(([, value]) => value !== ""));
    expect(next).toEqual(askingFor([ODD[0], ODD[2]].flatMap((one) => one ?? [])));
    const tags = severalNames("search[tags]").each({ "search[tags]": "env:prod, pci,pci" });
    expect(tags).toEqual([
      { text: "env:prod", without: { "search[tags]": "pci" } },
      { text: "pci", without: { "search[tags]": "env:prod" } },
    ]);
  });
});

describe("what an address asks", () => {
  it("is asked of the list and of a job on all that is found alike", () => {
    const address =
      "q= web &search[wildcard-name]=*-prod &search[tags]=env:prod,,pci&search[exclude-tags]=legacy" +
      "&filter[tagged][007][key]=owner&filter[tagged][3][key]=env&filter[tagged][3][value]= prod&filter[tagged][5][value]=x" +
      "&filter[tagged][1234567][key]=far&filter[project][id]=prj-1&filter[tag-union]=true";
    expect(askedIn(address)).toMatchObject({
      search: "web",
      filters: {
        "search[wildcard-name]": "*-prod",
        "search[tags]": "env:prod,pci",
        "search[exclude-tags]": "legacy",
        "filter[tagged][0][key]": "env",
        "filter[tagged][0][value]": "prod",
        "filter[tagged][1][key]": "owner",
        "filter[project][id]": "prj-1",
      },
    });
    expect(Object.keys(askedIn(address).filters)).toHaveLength(7);
    expect(filterOfFields(fieldsOfAsked(askedIn(address)))).toEqual({
      name: "web",
      wildcard: "*-prod",
      tags: ["env:prod", "pci"],
      "exclude-tags": ["legacy"],
      bindings: [{ key: "env", value: "prod" }, { key: "owner" }],
      project: "prj-1",
    });
    const none = "filter[tagged][0][key]=owner&filter[tag-value-default-null]=true";
    expect(filterOfFields(fieldsOfAsked(askedIn(none)))).toEqual({ bindings: [{ key: "owner", value: "" }] });
    expect(filterOfFields(fieldsOfAsked(askedIn("search[tags]=,&filter[tagged][0][value]=x")))).toEqual({});
    expect(askedIn("search[tags]=,&filter[tagged][0][value]=x").filters).toEqual({});
  });

  it("is let go without the order and the columns", () => {
    const search = inAddress("q=a&sort=-name&columns=name&search[tags]=b&filter[tagged][4][key]=c&other=d");
    const left = { ...search, ...askedForAll({ filters: FILTERS }, search) };
    expect(Object.fromEntries(Object.entries(left).filter(([, value]) => value !== ""))).toEqual({
      sort: "-name",
      columns: "name",
      other: "d",
    });
  });
});

describe("rows that are looked through here", () => {
  interface PolicyRow {
    readonly Name: string;
  }
  interface KeyRow {
    readonly attributes: { readonly key: string; readonly "disable-overrides": boolean };
  }

  const COUNT = 130;
  const signal = new AbortController().signal;
  const isEven: Filter<PolicyRow> = {
    name: "even",
    title: "Even",
    fits: ({ Name }) => Number(Name.slice(2)) % 2 === 0,
  };
  const isWon: Filter<KeyRow> = {
    name: "won",
    title: "Won",
    fits: ({ attributes }) => attributes["disable-overrides"],
  };
  const nameOf = (number: number) => `p-${String(number).padStart(4, "0")}`;
  const NAMES = Array.from({ length: COUNT }, (_, number) => nameOf(number));
  const client = createClient({ address: "http://server.example", token: "secret", fetch: answer });

  /** Answers like a server with these names in both families: pages of the requested size, or all where no size is requested. */
  async function answer(input: Parameters<typeof fetch>[0]): Promise<Response> {
    const { pathname, searchParams: query } = new URL(input instanceof Request ? input.url : input);
    const size = Number(query.get("page[size]") ?? query.get("limit") ?? COUNT);
    const number = Number(query.get("page[number]") ?? 1);
    const start = (number - 1) * size;
    const names = NAMES.slice(start, start + size);
    if (pathname.startsWith("/v1/")) {
      const headers = { "x-tessera-total": String(COUNT), "x-tessera-next": "a cursor" };
      return Response.json(
        names.map((Name) => ({ Name })),
        size < COUNT ? { headers } : {},
      );
    }
    const isLast = start + size >= COUNT;
    const pagination = { "next-page": isLast ? null : number + 1, "total-count": COUNT };
    const data = names.map((key, at) => ({ attributes: { key, "disable-overrides": (start + at) % 2 === 0 } }));
    return Response.json({ data, meta: { pagination } }, { headers: { "content-type": "application/vnd.api+json" } });
  }

  it("are all those of a list of /v1, searched and sorted, also behind its first page", async () => {
    const source = v1Source<PolicyRow>(client, "listPolicies", { text: ({ Name }) => Name, value: ({ Name }) => Name });
    const asked = askedOf({ filters: [isEven] }, { even: "yes", q: "P-0", sort: "-Name" });
    const { rows, next, total } = await source.page(asked, undefined, signal);
    const expected = NAMES.filter((_name, number) => number % 2 === 0).toReversed();
    expect([rows.map(({ Name }) => Name), next, total]).toEqual([expected, undefined, { count: 65, isMore: false }]);
    const others = await source.page(askedOf({ filters: [isEven] }, { q: "P-0" }), undefined, signal);
    expect([others.rows.length, others.total?.count]).toEqual([100, COUNT]);
  });

  it("are all those of a small list of /api/v2, which comes by pages while nothing is asked of it", async () => {
    const source = smallSource<KeyRow>(v2Source(client, "listReservedTagKeys", { organization_name: "acme" }), {
      text: ({ attributes }) => attributes.key,
      value: ({ attributes }) => attributes.key,
    });
    const page = async (search: Record<string, string>): Promise<ListPage<KeyRow>> =>
      source.page(askedOf({ filters: [isWon] }, search), undefined, signal);
    const plain = await page({});
    expect([plain.rows.length, plain.next, plain.total?.count]).toEqual([100, "2", COUNT]);
    const won = await page({ won: "yes", sort: "-key" });
    const expected = NAMES.filter((_name, number) => number % 2 === 0).toReversed();
    expect(won.rows.map(({ attributes }) => attributes.key)).toEqual(expected);
    expect(won.total).toEqual({ count: 65, isMore: false });
    expect((await page({ q: "P-012" })).rows).toHaveLength(10);
  });
});
