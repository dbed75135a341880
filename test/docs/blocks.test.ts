/** Every block of code on the site is run (`pages.test.ts`), or read as what it says it is, or says why not. */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { parseRules } from "../../src/rights/rules/parse.ts";
import { allBlocks, fileOf, PAGES, placeOf, type Block } from "../support/doc-blocks.ts";
import { faultsOfCommands } from "../support/doc-commands.ts";
import { PAGE_SETTINGS } from "../support/doc-pages.ts";
import { SHELL_LANGUAGES } from "../support/doc-runner.ts";

const root = resolve(import.meta.dirname, "../..");
const blocks = allBlocks();

/** Names of what is read, and how. @throws when it is not what it says */
const READ: Readonly<Record<string, (block: Block) => void>> = {
  json: ({ text }) => void JSON.parse(text),
  yaml: ({ text }) => {
    for (const document of parseAllDocuments(text))
      for (const error of "errors" in document ? document.errors : []) throw error;
  },
  hcl: (block) => (isTerraform(block) ? readTerraform(block.text) : void parseRules(block.text)),
  js: ({ text }) => compile(text),
  python: ({ text }) => {
    const { status, stderr } = spawnSync("python3", ["-c", "import ast, sys; ast.parse(sys.stdin.read())"], {
      input: text,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(stderr);
  },
};

/** Output, figures and the grammar of commands: nothing that runs by itself. */
const FIGURES = new Set(["", "text"]);

/** A first word that somebody would type. */
const TYPED = /^(?:\$ )?(?:tessera|curl|npm|npx|node|docker|podman|kubectl|helm|systemctl|sudo|apt|psql|git) /m;

function isTerraform(block: Block): boolean {
  return fileOf(block)?.endsWith(".tf") === true || /^import \{/m.test(block.text);
}

/** By terraform itself where there is one; everywhere by its brackets, which is what one mistypes. */
function readTerraform(text: string): void {
  const open = (text.match(/[{[(]/g) ?? []).length;
  if (open === 0 || open !== (text.match(/[}\])]/g) ?? []).length) throw new Error("brackets do not match");
  const { status, stderr, error } = spawnSync("terraform", ["fmt", "-no-color", "-"], {
    input: text,
    encoding: "utf8",
  });
  if (error === undefined && status !== 0) throw new Error(stderr);
}

function compile(text: string): void {
  const { status, stderr } = spawnSync(process.execPath, ["--check", "--input-type=module", "-"], {
    input: text,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
}

describe("every block of code", () => {
  it("is of a language that is run or read here, or is output", () => {
    const odd = blocks.filter(
      ({ language }) => !SHELL_LANGUAGES.has(language) && READ[language] === undefined && !FIGURES.has(language),
    );
    expect(odd.map((block) => `${placeOf(block)}: ${block.language}`)).toEqual([]);
    expect(blocks.filter(({ language }) => SHELL_LANGUAGES.has(language)).length).toBeGreaterThan(30);
  });

  it("of a page that another test runs is one that it runs, or says why not", () => {
    const others = blocks.filter(({ page, language, notRun }) => {
      return (
        PAGE_SETTINGS[page]?.ranBy !== undefined &&
        language !== "sh" &&
        SHELL_LANGUAGES.has(language) &&
        notRun === undefined
      );
    });
    expect(others.map(placeOf)).toEqual([]);
  });

  it("that is not run says why, in words", () => {
    const mute = blocks.filter(({ notRun }) => notRun !== undefined && notRun.split(" ").length < 3);
    expect(mute.map(placeOf)).toEqual([]);
  });

  it("with commands says that it has them, so that they are run", () => {
    const hidden = blocks.filter(
      ({ language, text, notRun }) => language === "" && notRun === undefined && TYPED.test(text),
    );
    expect(hidden.map(placeOf)).toEqual([]);
  });

  it("of data is what its fence says", () => {
    const faults: string[] = [];
    for (const block of blocks.filter(({ notRun }) => notRun === undefined)) {
      try {
        READ[block.language]?.(block);
      } catch (error) {
        faults.push(`${placeOf(block)}: ${(error as Error).message}`);
      }
    }
    expect(faults).toEqual([]);
  });

  it("names commands and options that there are, also where it is not run", async () => {
    const faults: string[] = [];
    for (const block of blocks.filter(({ language }) => SHELL_LANGUAGES.has(language) || FIGURES.has(language))) {
      faults.push(...(await faultsOfCommands(block.text)).map((fault) => `${placeOf(block)}: ${fault}`));
    }
    expect(faults).toEqual([]);
  });
});

/** Address at which readers of the site find files that are not pages of it. */
const SOURCES = "https://github.com/tessera-server/tessera/blob/main/";

describe("every link", () => {
  it("leads to a file and to a heading that are there, also from what is no page of the site", () => {
    const others = globSync("{console,packages/*,test/*}/*.md", { cwd: root, exclude: ["**/node_modules/**"] });
    expect(others).toContain("console/README.md");
    expect([...PAGES, ...others].flatMap((page) => faultsOfLinks(page, textOf(join(root, page))))).toEqual([]);
  });

  it("that leads nowhere is found", () => {
    const text = `[a](gone.md) [b](#none) [c](${SOURCES}src/gone.ts) [d](${SOURCES}README.md#none) [e](${SOURCES}README.md)`;
    expect(faultsOfLinks("docs/index.md", text)).toEqual([
      "docs/index.md: gone.md",
      "docs/index.md: #none has no such heading",
      `docs/index.md: ${SOURCES}src/gone.ts`,
      `docs/index.md: ${SOURCES}README.md#none has no such heading`,
    ]);
  });
});

function faultsOfLinks(page: string, text: string): string[] {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = ""]) => href);
  return links.flatMap((href) => {
    const own = href.startsWith(SOURCES);
    // Links to other hosts are not checked: we do not maintain them, and a test sends no requests.
    if (!own && /^(https?|mailto):/.test(href)) return [];
    const [path = "", anchor] = href.slice(own ? SOURCES.length : 0).split("#");
    const target = path === "" ? join(root, page) : resolve(root, own ? "" : dirname(page), path);
    if (!existsSync(target)) return [`${page}: ${href}`];
    const isHeading = anchor === undefined || anchorsOf(target).has(anchor);
    return isHeading ? [] : [`${page}: ${href} has no such heading`];
  });
}

/** Text of a page without its code. */
function textOf(file: string): string {
  return readFileSync(file, "utf8").replaceAll(/^ *```.*?^ *```$|`[^`\n]*`/gms, "");
}

/** Anchors of headings, as the repository's host and the site make them. */
function anchorsOf(file: string): ReadonlySet<string> {
  const text = readFileSync(file, "utf8").replaceAll(/^ *```.*?^ *```$/gms, "");
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  return new Set(
    headings.map((each) =>
      each
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replaceAll(/\s/g, "-"),
    ),
  );
}
