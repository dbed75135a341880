import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DEFAULT_SCOPE, type Scope } from "../scope.ts";
import { compileAuthorizer, type PolicyRules } from "./authorizer.ts";
import { parseRules } from "./parse.ts";
import { ACCESSES, type Access, type Resource } from "./rule.ts";

/** Rules in their JSON spelling: a scalar's text, or the fields or inner rules of each label. */
interface RulesObject {
  [kind: string]: string | RulesObject;
}

/** A line of `cases/*.json`. Rules are one policy, or a list of policies; `hcl` is a text that is taken as it is. */
interface Case {
  why: string;
  rules?: RulesObject | RulesObject[];
  hcl?: string;
  defaults?: RulesObject;
  defaultPolicy?: "allow" | "deny";
  /** Whether the policies lie in the default namespace; they do unless this says no. */
  root?: boolean;
  /** Where they lie, when that matters. */
  home?: Scope;
  /** Where it is asked; where the policies lie unless it says so. */
  scope?: Scope;
  resource: Resource;
  segment?: string;
  access: Access;
  wanted: boolean;
}

const directory = join(import.meta.dirname, "cases");
const files = readdirSync(directory).map((file) => ({
  file,
  cases: JSON.parse(readFileSync(join(directory, file), "utf8")) as Case[],
}));

function decideCase(one: Case, print: (rules: RulesObject) => string): boolean {
  const home = one.home ?? (one.root === false ? { partition: "default", namespace: "tenant" } : DEFAULT_SCOPE);
  const policy = (text: string, index: number): PolicyRules => ({
    id: String(index),
    name: `policy-${index}`,
    rules: parseRules(text),
    home,
    links: [{ kind: "direct" }],
  });
  const direct = one.hcl === undefined ? [one.rules ?? {}].flat().map(print) : [one.hcl];
  const authorizer = compileAuthorizer({
    direct: direct.map(policy),
    defaults: (one.defaults === undefined ? [] : [print(one.defaults)]).map(policy),
    defaultPolicy: one.defaultPolicy ?? "deny",
  }).in(one.scope ?? home);
  const allowed = authorizer.allows(one.resource, one.segment ?? "", one.access);
  expect(authorizer.explain(one.resource, one.segment ?? "", one.access).allow).toBe(allowed);
  return allowed;
}

describe.each(files)("$file", ({ cases }) => {
  test.each(cases)("$why", (one) => {
    expect(decideCase(one, (rules) => JSON.stringify(rules))).toBe(one.wanted);
    expect(decideCase(one, printHcl)).toBe(one.wanted);
  });
});

describe("the cases", () => {
  const all = files.flatMap(({ cases }) => cases);

  test("are at least 300, each described, each for an access that its resource has", () => {
    expect(all.length).toBeGreaterThanOrEqual(300);
    expect(all.filter(({ why }) => why.length < 10)).toEqual([]);
    expect(all.filter(({ resource, access }) => ACCESSES.get(resource)?.includes(access) !== true)).toEqual([]);
  });

  test("ask for every access of every resource, and get both answers", () => {
    const wanted = [...ACCESSES].flatMap(([resource, accesses]) =>
      accesses.flatMap((access) => [`${resource} ${access} true`, `${resource} ${access} false`]),
    );
    const asked = new Set(all.map((one) => `${one.resource} ${one.access} ${one.wanted}`));
    expect(wanted.filter((question) => !asked.has(question))).toEqual([]);
  });
});

/** The same rules in HCL: each label becomes a block. */
function printHcl(rules: RulesObject): string {
  return Object.entries(rules)
    .map(([name, value]) => (typeof value === "string" ? `${name} = ${JSON.stringify(value)}\n` : blocks(name, value)))
    .join("");
}

function blocks(kind: string, labels: RulesObject): string {
  return Object.entries(labels)
    .map(([label, fields]) => {
      const body = typeof fields === "string" ? "" : printHcl(fields);
      return `${kind} ${JSON.stringify(label)} {\n${body}}\n`;
    })
    .join("");
}
