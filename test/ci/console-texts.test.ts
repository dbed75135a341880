/** All texts of the console are in its catalogue: docs/style.md and console/README.md say why. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { literalsIn } from "../words/literals.ts";

const console = resolve(import.meta.dirname, "../../console/src");

/** Words for programs: commands, headers, Terraform, selectors, words on the wire, and faults of the console's own code. */
const FOR_PROGRAMS = [
  "app/trusted-types.ts: markup is not made of text here",
  "app/trusted-types.ts: scripts come from the console's own files only",
  "kit/code.ts: Terraform",
  "kit/code.ts: YAML",
  "kit/code.ts: curl",
  "kit/code.ts: tessera",
  "kit/hcl.ts: resource … … {",
  "kit/refusal-words.ts: index error",
  "kit/shell-text.ts: Content-Type: …",
  "kit/shell-text.ts: If-Match: …",
  "kit/shell-text.ts: X-Tessera-Change-Reason: …",
  "main.tsx: index.html has no #root",
  "screens/auth-methods/providers.ts: … in list.groups",
  "screens/login/outcome.tsx: … in list.…",
  "screens/login/workbench.tsx: … and …",
  "screens/tags/files.tsx: tessera tag import … --mode … --organization …",
  "screens/tokens/reveal.tsx: Bearer …",
];

test("no screen shows a text of its own", () => {
  const files = globSync("**/*.{ts,tsx}", { cwd: console, exclude: ["texts/**"] });
  const found = files.flatMap((file) =>
    literalsIn(file, readFileSync(join(console, file), "utf8")).map(({ text }) => `${file}: ${text}`),
  );
  expect(files.length).toBeGreaterThan(200);
  expect(found.toSorted()).toEqual(FOR_PROGRAMS);
});

test("each text of the catalogue is used", () => {
  const sources = globSync("**/*.{ts,tsx}", { cwd: console, exclude: ["texts/**"] }).map((file) =>
    readFileSync(join(console, file), "utf8"),
  );
  const unused = globSync("texts/*.ts", { cwd: console }).flatMap((catalogue) => {
    const name = catalogue.slice("texts/".length);
    const users = sources.filter((source) => source.includes(`texts/${name}"`)).join("\n");
    // Names of screens are grouped by screen.
    const isNames = name === "names.ts";
    const used = new Set(
      Array.from(users.matchAll(isNames ? /\bscreenNames\.\w+\.(\w+)/g : /\btexts\.(\w+)/g), ([, key]) => key),
    );
    const keys = readFileSync(join(console, catalogue), "utf8").matchAll(
      isNames ? /^ {4}(\w+):/gm : /^export const (\w+)/gm,
    );
    return Array.from(keys, ([, key]) => key).flatMap((key) => (used.has(key) ? [] : [`${name}: ${key ?? ""}`]));
  });
  expect(unused).toEqual([]);
});

test("texts between tags, in attributes and of two words are found; styles, names and types are not", () => {
  const source = [
    'import a from "no text here";',
    'const one = <Text size="some size" gridTemplateColumns="1fr auto">Shown {name}</Text>;',
    'const two = <Field label="Name" placeholder={isNew ? "acme" : undefined} value="local" />;',
    "const three = `Delete ${name}?`;",
    'const four = name === "no text" ? "a text of it" : "word";',
    'const five: "no text either" = useQuery("no text at all");',
  ].join("\n");
  expect(literalsIn("a.tsx", source).map(({ line, text }) => `${line} ${text}`)).toEqual([
    "2 Shown",
    "3 Name",
    "3 acme",
    "4 Delete …?",
    "5 a text of it",
  ]);
});
