import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openShell, SHELL_HEADERS, type TestShell } from "../../../test/support/shell.ts";
import { AppError } from "../../errors.ts";
import type { ApiRoutes } from "./jsonapi.ts";
import { countFitting, pageDocument, paginationMeta, readPage } from "./pagination.ts";
import { parseQuery, readInclude } from "../query.ts";

const page = (text: string) => readPage(parseQuery(text));

describe("the page that is asked for", () => {
  it("is the first of 20 by default, and whenever the numbers mean nothing", () => {
    for (const text of [
      "",
      "page[number]=1",
      "page%5Bnumber%5D=0",
      "page[number]=-1&page[size]=-5",
      "page[number]=abc&page[size]=abc",
      "page[number]=&page[size]=",
      "page[number]=1.5&page[size]=0",
      "page[number]=+1&page[size]=1e2",
      "page[number]=0x10",
      "page[number]=NaN&page[size]=Infinity",
    ]) {
      expect([text, page(text)]).toEqual([text, { number: 1, size: 20, offset: 0 }]);
    }
  });

  it("has at most 100 entries and may lie beyond the end", () => {
    expect(page("page[size]=100&page[number]=3")).toEqual({ number: 3, size: 100, offset: 200 });
    expect(page("page[size]=101").size).toBe(100);
    expect(page("page[size]=99999999999999999999").size).toBe(100);
    expect(page("page[number]=1000000000000")).toMatchObject({ number: 1e12, offset: (1e12 - 1) * 20 });
    for (const number of ["9".repeat(16), "9".repeat(400)]) {
      const { offset } = page(`page[number]=${number}&page[size]=100`);
      expect(Number.isSafeInteger(offset)).toBe(true);
    }
  });
});

describe("pagination metadata", () => {
  it.each([
    [1, 20, 0, null, null, 1],
    [1, 20, 20, null, null, 1],
    [1, 20, 21, null, 2, 2],
    [2, 20, 41, 1, 3, 3],
    [3, 20, 41, 2, null, 3],
    [999, 20, 41, 998, null, 3],
    [1, 1, 3, null, 2, 3],
  ])("page %i of size %i in %i", (number, size, total, prev, next, pages) => {
    expect(paginationMeta({ number, size, offset: (number - 1) * size }, total)).toEqual({
      "current-page": number,
      "page-size": size,
      "prev-page": prev,
      "next-page": next,
      "total-pages": pages,
      "total-count": total,
    });
  });
});

describe("pagination links", () => {
  const routes: ApiRoutes = (app, _options, done) => {
    const querystring = { type: "object", properties: { "filter[exclude][taggable][id]": { type: "string" } } };
    app.get("/list", { schema: { querystring } }, async (request) => {
      const asked = readPage(parseQuery(request.url.split("?")[1] ?? ""));
      return pageDocument(request, asked, { data: [], total: 45 }).links;
    });
    done();
  };
  let plain: TestShell;
  let proxied: TestShell;
  beforeAll(async () => {
    plain = await openShell({ extraRoutes: [routes] });
    proxied = await openShell({ extraRoutes: [routes], args: ["--public-url", "https://tags.example/base/"] });
  });
  afterAll(async () => Promise.all([plain.close(), proxied.close()]));

  it("are absolute, encode brackets and keep all other parameters", async () => {
    const url = "/api/v2/list?q=a%26b&page[number]=2&filter[exclude][taggable][id]=ws-1&page%5Bsize%5D=10&&x";
    const answer = await plain.app.inject({ url, headers: { ...SHELL_HEADERS, host: "localhost:8500" } });
    const base =
      "http://localhost:8500/api/v2/list?q=a%26b&filter%5Bexclude%5D%5Btaggable%5D%5Bid%5D=ws-1&x&page%5Bnumber%5D=";
    expect(answer.json()).toEqual({
      self: `${base}2&page%5Bsize%5D=10`,
      first: `${base}1&page%5Bsize%5D=10`,
      prev: `${base}1&page%5Bsize%5D=10`,
      next: `${base}3&page%5Bsize%5D=10`,
      last: `${base}5&page%5Bsize%5D=10`,
    });
  });

  it("are null where there is no page", async () => {
    const first = await plain.app.inject({ url: "/api/v2/list?page[size]=100", headers: SHELL_HEADERS });
    expect(first.json()).toMatchObject({ prev: null, next: null });
  });

  it("start with the public URL when there is one", async () => {
    const answer = await proxied.app.inject({ url: "/api/v2/list", headers: SHELL_HEADERS });
    expect(answer.json().self).toBe("https://tags.example/base/api/v2/list?page%5Bnumber%5D=1&page%5Bsize%5D=20");
  });

  it("follow a proxy's headers only when it is trusted", async () => {
    const headers = {
      ...SHELL_HEADERS,
      host: "localhost",
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "https",
    };
    expect((await plain.app.inject({ url: "/api/v2/list", headers })).json().self).toMatch(/^http:\/\/localhost\//);
    const trusting = await openShell({ extraRoutes: [routes], args: ["--trusted-proxies", "127.0.0.0/8"] });
    const answer = await trusting.app.inject({ url: "/api/v2/list", headers, remoteAddress: "127.0.0.1" });
    expect(answer.json().self).toMatch(/^https:\/\/evil\.example\//);
    const stranger = await trusting.app.inject({ url: "/api/v2/list", headers, remoteAddress: "10.0.0.1" });
    expect(stranger.json().self).toMatch(/^http:\/\/localhost\//);
    await trusting.close();
  });
});

describe("the include parameter", () => {
  const allowed = ["organization", "locked_by", "default-project"] as const;

  it("takes names with hyphens and underscores alike", () => {
    expect([...readInclude(parseQuery(""), allowed)]).toEqual([]);
    expect([...readInclude(parseQuery("include="), allowed)]).toEqual([]);
    expect([...readInclude(parseQuery("include=locked-by,%20default_project,organization"), allowed)]).toEqual([
      "locked_by",
      "default-project",
      "organization",
    ]);
  });

  it("takes whatever lies below names that may hold something, as those", () => {
    const roots = ["current_run"] as const;
    const read = (text: string) => [...readInclude(parseQuery(`include=${text}`), [...allowed, ...roots], roots)];
    expect(read("current_run,current-run.plan,current_run.configuration_version.x")).toEqual(["current_run"]);
    for (const text of ["organization.name", "current_run.", "current_run..plan", "current_runs", "current_run.a%20b"])
      expect(() => read(text)).toThrow("include parameter");
  });

  it("refuses other names with the text that clients look for", () => {
    for (const text of ["include=effective_tag_bindings", "include=organization,", "include=__proto__"]) {
      expect(() => readInclude(parseQuery(text), allowed)).toThrow(AppError);
      expect(() => readInclude(parseQuery(text), allowed)).toThrow("include parameter");
    }
  });
});

describe("a page that was cut", () => {
  it("is followed by one that begins where it ended, to the last entry", () => {
    const total = 57;
    const seen: number[] = [];
    let current = page("page[size]=10");
    for (let shown = 3; ; shown = shown === 3 ? 10 : 3) {
      const count = Math.min(shown, total - current.offset);
      for (let entry = 0; entry < count; entry++) seen.push(current.offset + entry);
      const meta = paginationMeta(current, total, shown);
      expect(meta["current-page"] < meta["total-pages"]).toBe(meta["next-page"] !== null);
      expect(meta["next-page"] ?? 0).toBeLessThan(2 ** 31);
      if (meta["next-page"] === null) break;
      current = page(`page[size]=10&page[number]=${meta["next-page"]}`);
      expect(current.offset).toBe(seen.length);
    }
    expect(seen).toEqual(Array.from({ length: total }, (_, entry) => entry));
  });

  it("has pages before it that begin earlier", () => {
    const before = (offset: number) =>
      paginationMeta(page(`page[size]=10&page[number]=${2 ** 30 + offset}`), 100)["prev-page"];
    expect([0, 7, 10, 25].map(before)).toEqual([null, 1, 1, 2 ** 30 + 15]);
  });

  it("holds at least one entry, and all that fit", () => {
    expect(countFitting([1, 2, 3], 6)).toBe(3);
    expect(countFitting([1, 2, 3], 5)).toBe(2);
    expect(countFitting([9, 1], 5)).toBe(1);
    expect(countFitting([], 5)).toBe(0);
  });
});
