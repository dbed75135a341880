/** The fenced blocks of the pages of the site, with what stands around them. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/** A fenced block of a page. */
export interface Block {
  /** From the root of the repository. */
  page: string;
  line: number;
  /** Empty where the fence names none: output, or a figure. */
  language: string;
  /** Without the indentation of its list. */
  text: string;
  /** Why it is not run, where the page says so in front of it. */
  notRun?: string;
  /** Text of the next block, if it directly follows and is output. */
  shown?: string;
}

/** Pages with blocks of their own. The client's page belongs to another program: test/client runs it. */
export const PAGES: readonly string[] = [
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "README.md",
  "SECURITY.md",
  ...globSync("docs/**/*.md", { cwd: root, exclude: ["docs/site/**"] }).toSorted(),
];

const FENCE =
  /(?:^ *<!-- not run: (?<reason>[^\n]*?) -->\n\s*)?^(?<indent> *)```(?<language>\w*)\n(?<text>.*?)^\k<indent>```$/gms;

/** The blocks of a page's text. @param page its path, for messages */
export function blocksOf(page: string, text = readFileSync(join(root, page), "utf8")): Block[] {
  const found = [...text.matchAll(FENCE)].map(({ 0: all, index, groups = {} }) => {
    const { reason, indent = "", language = "", text: inside = "" } = groups;
    const line = text.slice(0, index + all.indexOf("```")).split("\n").length;
    const own = inside.replaceAll(new RegExp(`^ {0,${indent.length}}`, "gm"), "");
    return {
      block: { page, line, language, text: own, ...(reason === undefined ? {} : { notRun: reason }) },
      end: index + all.length,
      index,
    };
  });
  return found.map(({ block, end }, at) => {
    const next = found[at + 1];
    const follows = next !== undefined && next.block.language === "" && text.slice(end, next.index).trim() === "";
    return follows && !("notRun" in next.block) ? { ...block, shown: next.block.text } : block;
  });
}

/** All blocks of all pages. */
export function allBlocks(): Block[] {
  return PAGES.flatMap((page) => blocksOf(page));
}

/** Location of a block, for messages. */
export function placeOf({ page, line }: Block): string {
  return `${page}:${line}`;
}

/** The name of the file that a block of data says in its first line, such as `# reader.hcl`. */
export function fileOf({ text }: Block): string | undefined {
  return /^(?:#|\/\/) ([\w./-]+\.\w+)(?:,.*)?\n/.exec(text)?.[1];
}
