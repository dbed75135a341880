/**
 * Whether the site that `npm run docs:build` has made can be put anywhere: it has every page, a search of its own, and asks no other
 * server for a script, a style, a font or a picture. Ends with 1 and the reasons otherwise: `node test/docs/built-site.ts`.
 */
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pageOf } from "../../docs/site/.vitepress/pages.ts";
import { PAGES } from "../support/doc-blocks.ts";

const site = resolve(import.meta.dirname, "../../dist/docs");
/** Elements that make a browser fetch by itself; a link that a user follows is not one. */
const FETCHED =
  /<(?:script|img|iframe|source)[^>]*\ssrc="https?:[^"]*"|<link[^>]*rel="(?:stylesheet|preload|modulepreload|icon)"[^>]*href="https?:[^"]*"/g;
const IN_STYLES = /url\(["']?https?:[^)]*\)|@import\s+["']https?:/g;

const faults: string[] = [];
for (const page of PAGES) {
  const made = pageOf(page)?.replace(/\.md$/, ".html") ?? "";
  if (!existsSync(join(site, made))) faults.push(`${page} is not on the site`);
}
for (const name of globSync("**/*.html", { cwd: site })) {
  for (const [found] of readFileSync(join(site, name), "utf8").matchAll(FETCHED))
    faults.push(`${name} asks elsewhere: ${found}`);
}
for (const name of globSync("**/*.css", { cwd: site })) {
  for (const [found] of readFileSync(join(site, name), "utf8").matchAll(IN_STYLES))
    faults.push(`${name} asks elsewhere: ${found}`);
}
const chunks = "assets/chunks";
const index = readdirSync(join(site, chunks)).filter((name) => name.startsWith("@localSearchIndex"));
if (!index.some((name) => readFileSync(join(site, chunks, name), "utf8").includes("reseal"))) {
  faults.push("the search knows no word of the pages");
}

for (const fault of faults) console.error(fault);
console.log(`${PAGES.length} pages, ${faults.length} faults`);
process.exitCode = faults.length > 0 ? 1 : 0;
