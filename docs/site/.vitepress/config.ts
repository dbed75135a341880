/**
 * The site of docs/: `npm run docs:build`. It asks nobody else for anything: fonts, search and pictures come along. A link that
 * leads nowhere fails the build.
 */
import { relative } from "node:path";
import { defineConfig, type MarkdownOptions } from "vitepress";
import { linkOf, pageOf, ROOT } from "./pages.ts";
import { SIDEBAR } from "./sidebar.ts";

/**
 * Styles of the theme that change. At 1,280 px a line of 88 characters fits; with the margins of the theme, 68 would. Longer lines of
 * code, and long headings in the outline, wrap: nothing is cut or scrolls. In a table only
 * the first column breaks within a word, and only one that is longer than its least width, such as a path.
 */
const STYLE = [
  ".vp-doc div[class*='language-'] code{white-space:pre-wrap;overflow-wrap:anywhere}",
  "#app .vp-doc div[class*='language-'] code{font-size:13px;padding:0 16px}",
  "#app .vp-doc td,#app .vp-doc th{padding:8px 10px}",
  "#app .vp-doc td code{overflow-wrap:break-word}",
  "#app .vp-doc td:first-child code{overflow-wrap:anywhere}",
  "#app .vp-doc td:first-child:has(code){min-width:150px}",
  ".VPDocAsideOutline .outline-link{white-space:normal;overflow:visible;line-height:1.4;padding:4px 0}",
  "@media (min-width:1280px){",
  "#app .VPDoc.has-aside{padding-left:16px;padding-right:16px}",
  "#app .VPDoc.has-aside .content{padding-left:16px;padding-right:16px}",
  "#app .VPDoc.has-aside .content-container{max-width:800px}",
  "#app .VPDoc.has-aside .aside{max-width:208px;padding-left:16px}",
  "#app .VPDoc.has-aside .aside-container{width:192px}",
  "}",
].join("");

type Markdown = Parameters<NonNullable<MarkdownOptions["config"]>>[0];

export default defineConfig({
  title: "Tessera",
  description: "Organization tags and access control in one server",
  lang: "en",
  head: [["style", {}, STYLE]],
  srcDir: ROOT,
  srcExclude: [
    "node_modules/**",
    "dist/**",
    "test/**",
    "bench/**",
    "console/**",
    "packaging/**",
    "deploy/**",
    "src/**",
    "docs/site/**",
    "packages/client/generator/**",
  ],
  outDir: "../../dist/docs",
  cacheDir: "../../dist/docs-cache",
  rewrites: (file: string) => pageOf(file) ?? file,
  lastUpdated: false,
  // Pages say what they say in Markdown alone: `<name>` is a word of theirs.
  markdown: { html: false, config: followLinks },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    sidebar: [...SIDEBAR],
    nav: [
      { text: "Guides", link: "/guides/start" },
      { text: "Reference", link: "/reference/options" },
      { text: "Operations", link: "/operations/install" },
    ],
  },
});

/** Links are written for readers of the repository; here they lead to the page of the file, or to the file itself. */
function followLinks(md: Markdown): void {
  // What is said to tests is not said to readers.
  md.core.ruler.before("normalize", "comments", (state) => {
    state.src = state.src.replaceAll(/^ *<!--.*?-->$/gms, "");
  });
  md.core.ruler.push("links-of-the-repository", ({ tokens, env }) => {
    const { path, realPath } = env as { path: string; realPath?: string };
    const file = relative(ROOT, realPath ?? path);
    for (const { type, attrs } of tokens.flatMap((token) => [token, ...(token.children ?? [])])) {
      const href = attrs?.find(([name]) => name === "href");
      if (type === "link_open" && href !== undefined) href[1] = linkOf(file, href[1]);
    }
  });
}
