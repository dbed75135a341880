/** Every block of code in README.md and docs/ is run (`pages.test.ts`), or read as what it says it is, or says why not. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { parseRules } from "../../src/acl/rules/parse.ts";
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

describe("every link", () => {
  it("of a page leads to a file and to a heading that are there", () => {
    const faults: string[] = [];
    for (const page of PAGES) {
      const text = readFileSync(join(root, page), "utf8").replaceAll(/^ *```.*?^ *```$|`[^`\n]*`/gms, "");
      for (const [, href = ""] of text.matchAll(/\]\(((?!https?:|mailto:)[^)\s]+)\)/g)) {
        const [path = "", anchor] = href.split("#");
        const target = path === "" ? join(root, page) : resolve(root, dirname(page), path);
        if (!existsSync(target)) faults.push(`${page}: ${href}`);
        else if (anchor !== undefined && !anchorsOf(target).has(anchor))
          faults.push(`${page}: ${href} has no such heading`);
      }
    }
    expect(faults).toEqual([]);
  });
});

/** Of headings, as the repository's host and the site make them. */
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
