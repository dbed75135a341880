import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkSelector } from "./check.ts";
import { compileSelector } from "./compile.ts";
import type { Identity, IdentityValue } from "./identity.ts";
import { parseSelector } from "./parse.ts";
import { printSelector } from "./print.ts";
import type { RegularExpressions } from "./regular-expression.ts";
import { SelectorError } from "./selector-error.ts";
import type { IdentityShape, Structure } from "./shape.ts";

interface Fields {
  [name: string]: string | string[] | Fields;
}

/** A line of `cases/*.json`. */
interface Case {
  why: string;
  selector: string;
  shape: string;
  identity: Fields;
  /** Whether the identity matches, or the message of the error. */
  wanted: boolean | string;
}

const TEXT: IdentityShape = { kind: "text" };
const TEXTS: IdentityShape = { kind: "map", values: { kind: "text" } };

/** Shapes of the identities that the auth methods prove. */
const SHAPES: ReadonlyMap<string, Structure> = new Map([
  ["jwt", structure({ value: TEXTS, list: { kind: "map", values: { kind: "list" } } })],
  ["kubernetes", structure({ serviceaccount: structure({ namespace: TEXT, name: TEXT, uid: TEXT }) })],
  [
    "aws-iam",
    structure({ entity_name: TEXT, entity_id: TEXT, account_id: TEXT, entity_path: TEXT, entity_tags: TEXTS }),
  ],
]);

const regularExpressions: RegularExpressions = {
  compile(pattern) {
    if (pattern.startsWith("(") && !pattern.includes(")")) throw new Error("no such pattern");
    const expression = new RegExp(pattern, "u");
    return {
      matches(text) {
        if (pattern === "boom") throw new Error("this pattern should not have been asked");
        return expression.test(text);
      },
    };
  },
};

const directory = join(import.meta.dirname, "cases");
const files = readdirSync(directory).map((file) => ({
  file,
  cases: JSON.parse(readFileSync(join(directory, file), "utf8")) as Case[],
}));

describe.each(files)("$file", ({ cases }) => {
  test.each(cases.map((one) => [one.why, one] as const))("%s", (_why, { selector, shape, identity, wanted }) => {
    const outcome = decide(selector, shape, identity);
    expect(outcome).toBe(wanted);
    if (typeof outcome === "boolean") {
      expect(decide(printSelector(parseSelector(selector)), shape, identity)).toBe(wanted);
    }
  });
});

describe("the cases", () => {
  const all = files.flatMap(({ cases }) => cases);

  test("are at least 250, each described, none twice", () => {
    expect(all.length).toBeGreaterThanOrEqual(250);
    expect(all.filter(({ why }) => why.length < 5)).toEqual([]);
    expect(new Set(all.map(({ selector, shape, identity }) => JSON.stringify([selector, shape, identity]))).size).toBe(
      all.length,
    );
  });

  test("come out in each of the ways a selector can", () => {
    const outcomes = (kind: string): number => all.filter(({ wanted }) => typeof wanted === kind).length;
    expect(all.filter(({ wanted }) => wanted === true).length).toBeGreaterThan(50);
    expect(all.filter(({ wanted }) => wanted === false).length).toBeGreaterThan(50);
    expect(outcomes("string")).toBeGreaterThan(50);
  });
});

function decide(text: string, shape: string, fields: Fields): boolean | string {
  const structureOf = SHAPES.get(shape);
  if (structureOf === undefined) throw new Error(`no shape ${shape}`);
  try {
    const selector = parseSelector(text);
    checkSelector(selector, structureOf);
    return compileSelector(selector, regularExpressions)(identityOf(fields));
  } catch (error) {
    if (error instanceof SelectorError) return error.message;
    throw error;
  }
}

function identityOf(fields: Fields): Identity {
  return new Map(Object.entries(fields).map(([name, value]) => [name, valueOf(value)]));
}

function valueOf(value: string | string[] | Fields): IdentityValue {
  return typeof value === "string" || Array.isArray(value) ? value : identityOf(value);
}

function structure(fields: Record<string, IdentityShape>): Structure {
  return { kind: "structure", fields: new Map(Object.entries(fields)) };
}
