/** Tests of the pages and links of the site of docs/. `npm run docs:build`, which .ci/run runs, builds it. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { linkOf, pageOf } from "../../docs/site/.vitepress/pages.ts";
import { SIDEBAR } from "../../docs/site/.vitepress/sidebar.ts";
import { allBlocks, blocksOf, PAGES, placeOf } from "../support/doc-blocks.ts";

const root = resolve(import.meta.dirname, "../..");
const pages = new Set([...PAGES, "packages/client/README.md"].map((file) => pageOf(file) ?? `${file} is no page`));

it("every page of docs/ is on the site, and the side of the site leads to all but single decisions", () => {
  const linked = SIDEBAR.flatMap(({ items }) => items.map(({ link }) => link.slice(1).split("#")[0] ?? ""));
  const led = new Set(linked.map((link) => (link.endsWith("/") ? `${link}index.md` : `${link}.md`)));
  const wanted = [...pages].filter((page) => page !== "index.md" && !/^decisions\/\d/.test(page));
  expect([...led].toSorted()).toEqual(wanted.toSorted());
});

it("a link leads to the page of its file, to the file where that is no page, and nowhere fails", () => {
  expect(linkOf("docs/tags/pool.md", "../api/tags.md#search")).toBe("/api/tags.md#search");
  expect(linkOf("docs/stability.md", "../CHANGELOG.md")).toBe("/changelog.md");
  expect(linkOf("CONTRIBUTING.md", "test/support/length.ts")).toBe(
    "https://github.com/tessera-server/tessera/blob/main/test/support/length.ts",
  );
  expect(linkOf("README.md", "https://example.com/")).toBe("https://example.com/");
  expect(() => linkOf("docs/errors.md", "gone.md")).toThrow("docs/errors.md has a link to gone.md, which is not there");
});

it("every page of the console stands on its page with a picture that is there", () => {
  const text = readFileSync(join(root, "docs/console.md"), "utf8");
  const pictures = [...text.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path = ""]) => path);
  expect(pictures.length).toBeGreaterThan(3);
  for (const path of pictures) expect(existsSync(join(root, "docs", path)), path).toBe(true);
});

it("every page says in its first two sentences for whom it is, and what it contains or what the reader will have done", () => {
  const leads = PAGES.filter((file) => /^docs\/(?!decisions\/)/.test(file)).map((file) => {
    const text = readFileSync(join(root, file), "utf8").replaceAll(/<!--.*?-->|\]\([^)]*\)/gs, "");
    const [, lead = ""] = /^# [^\n]+\n\s*(.*?)(?:\n\n|$)/s.exec(text.trimStart()) ?? [];
    return [
      file,
      lead
        .replaceAll(/\s+/g, " ")
        .split(/(?<=\.) (?=[A-Z])/, 2)
        .join(" "),
    ] as const;
  });
  expect(leads.length).toBeGreaterThan(70);
  const first = /^This (?:page|guide|tutorial|site) is for [^.]+\. /;
  const promise = /\. (?:At the end, |(?:It|The page) (?:contains|defines|describes|explains|lists|shows) |Use it to )/;
  expect(leads.filter(([, lead]) => !first.test(lead) || !promise.test(lead))).toEqual([]);
  const withoutEnd = leads.filter(([, lead]) => /^This (?:guide|tutorial)/.test(lead) && !/\. At the end, /.test(lead));
  expect(withoutEnd).toEqual([]);
});

it("a line of code fits the page at 1,280 px: it has 88 characters at most", () => {
  const blocks = [...allBlocks(), ...blocksOf("packages/client/README.md")].filter(({ page }) =>
    /^(docs|pack)/.test(page),
  );
  expect(blocks.length).toBeGreaterThan(200);
  const long = blocks.flatMap((block) =>
    block.text.split("\n").flatMap((text) => (text.length > 88 ? [`${placeOf(block)}: ${text}`] : [])),
  );
  expect(long).toEqual([]);
});
