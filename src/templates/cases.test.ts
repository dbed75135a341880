import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseTemplate, renderTemplate, isComputed, TemplateError } from "./template.ts";

/** A line of `cases/*.json`: a template, and either what it becomes or the message of the error. */
interface Case {
  why: string;
  template: string;
  result?: string;
  error?: string;
}

/** The variables of every case. */
const VARIABLES: ReadonlyMap<string, string> = new Map([
  ["value.team", "Web"],
  ["value.first-name", "Ada"],
  ["serviceaccount.name", "Web-1"],
  ["entity_tags.service-name", "API"],
  ["_x", "U"],
  ["empty", ""],
  ["a", "Alpha"],
  ["b", "BETA"],
  ["a.b", "AB"],
  ["a-b", "A-B"],
  ["a_1", "One"],
  ["A", "Capital"],
  ["umlaut", "GRÖSSE"],
  ["kelvin", "\u212a"],
  ["dotted", "İI"],
  ["template", "${b}"],
  ["dollar", "$$"],
  ["größe", "XL"],
  ["trueish", "Yes"],
  ["value.title", "  Cargo Desk (EU)!"],
  ["slug.a", "Named"],
  ["slug", "Slug"],
  ["value.__proto__", "P"],
]);

const directory = join(import.meta.dirname, "cases");
const files = readdirSync(directory).map((file) => ({
  file,
  cases: JSON.parse(readFileSync(join(directory, file), "utf8")) as Case[],
}));

describe.each(files)("$file", ({ cases }) => {
  test.each(cases.map((one) => [one.why, one] as const))("%s", (_why, { template, result, error }) => {
    expect(render(template)).toEqual(error === undefined ? { result } : { error });
  });
});

describe("the cases", () => {
  const all = files.flatMap(({ cases }) => cases);

  test("are at least 80, each described, none twice", () => {
    expect(all.length).toBeGreaterThanOrEqual(80);
    expect(all.filter(({ why }) => why.length < 5)).toEqual([]);
    expect(new Set(all.map(({ template }) => template)).size).toBe(all.length);
  });
});

describe("a template", () => {
  test("is read once and rendered with each identity's variables", () => {
    const template = parseTemplate("${team}-${env}");
    expect(
      renderTemplate(
        template,
        new Map([
          ["team", "A"],
          ["env", "Prod"],
        ]),
      ),
    ).toBe("a-prod");
    expect(
      renderTemplate(
        template,
        new Map([
          ["team", "b"],
          ["env", "dev"],
        ]),
      ),
    ).toBe("b-dev");
  });

  test("is computed when it has a variable, not when it has only escapes", () => {
    expect(isComputed(parseTemplate("a${b}"))).toBe(true);
    expect(isComputed(parseTemplate("${b}"))).toBe(true);
    expect(isComputed(parseTemplate("$${b}"))).toBe(false);
    expect(isComputed(parseTemplate("b"))).toBe(false);
  });

  test("of 8,192 characters is read, a longer one is refused", () => {
    expect(render("x".repeat(8192))).toEqual({ result: "x".repeat(8192) });
    expect(render("x".repeat(8193))).toEqual({ error: "template is longer than 8192 characters" });
  });

  test("whose result would be too long is refused before the result is made", () => {
    const template = parseTemplate("${a}".repeat(2000));
    const variables = new Map([["a", "x".repeat(30_000)]]);
    expect(() => renderTemplate(template, variables)).toThrow("result is longer than 8192 characters");
  });

  test("quotes only the beginning of what it did not expect", () => {
    const { error } = render(`\${"${"a".repeat(500)}"}`);
    expect(error?.length).toBeLessThan(120);
  });
});

function render(text: string): { result?: string; error?: string } {
  try {
    return { result: renderTemplate(parseTemplate(text), VARIABLES) };
  } catch (error) {
    if (error instanceof TemplateError) return { error: error.message };
    throw error;
  }
}
